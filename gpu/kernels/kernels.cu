// The kernels: one source, of which PTX and the host twins are made. kdefs.h says
// how. Each works with any number of threads, and on no elements at all; what it
// computes does not depend on the order in which threads run.
#include "kdefs.h"

// ---- numbers

DEVICE float float_of(u32 bits) {
  union { u32 bits; float value; } c;
  c.bits = bits;
  return c.value;
}

DEVICE u32 bits_of(float value) {
  union { u32 bits; float value; } c;
  c.value = value;
  return c.bits;
}

DEVICE float widen(u16 b) { return float_of((u32)b << 16); }

// To nearest, ties to even; a NaN keeps its sign and upper payload, and is quiet.
DEVICE u16 narrow(float f) {
  u32 bits = bits_of(f);
  if ((bits & 0x7fffffff) > 0x7f800000) return (u16)(bits >> 16 | 0x0040);
  return (u16)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

DEVICE float rounded(float f) { return widen(narrow(f)); }

KERNEL bfloat16_to_float32(u64 y, u64 x, u64 n) {
  if (THREAD() >= n) return;
  array in = READ(x, n * 2), out = WRITE(y, n * 4);
  for (u64 i = THREAD(); i < n; i += THREADS()) PUT(u32, out, i, (u32)GET(u16, in, i) << 16);
}

KERNEL float32_to_bfloat16(u64 y, u64 x, u64 n) {
  if (THREAD() >= n) return;
  array in = READ(x, n * 4), out = WRITE(y, n * 2);
  for (u64 i = THREAD(); i < n; i += THREADS()) PUT(u16, out, i, narrow(float_of(GET(u32, in, i))));
}

// ---- the pointwise quantiser

// (mix·x + bias − mean) · inv_std at each position, as dreamzero.Pointwise has it.
// X is [channels][step], of which each channel's first positions count; y is
// [channels][positions]; weights are float32: mix [out][in], bias, mean, inv_std.
//
// A sum is of so many blocks of channels. One block is the fixed order: from the
// bias through the channels. Of more, each is summed by itself, the first from the
// bias, and then they are joined in ascending order; bfloat16 rounds each before.
DEVICE void pointwise(u64 y, u64 x, u64 weights, u64 channels, u64 positions, u64 step, u64 blocks, int half) {
  u64 n = channels * positions, size = half ? 2 : 4;
  if (THREAD() >= n) return;
  array in = READ(x, ((channels - 1) * step + positions) * size);
  array w = READ(weights, (channels + 3) * channels * 4);
  array out = WRITE(y, n * size);
  u64 bias = channels * channels, mean = bias + channels, inv_std = mean + channels;

  for (u64 i = THREAD(); i < n; i += THREADS()) {
    u64 o = i / positions, p = i % positions;
    float sum = 0;
    for (u64 block = 0; block < blocks; block++) {
      float part = block == 0 ? GET(float, w, bias + o) : 0;
      for (u64 c = block * channels / blocks; c < (block + 1) * channels / blocks; c++) {
        float value = half ? widen(GET(u16, in, c * step + p)) : GET(float, in, c * step + p);
        part += GET(float, w, o * channels + c) * value;
      }
      if (half && blocks > 1) part = rounded(part);
      sum = block == 0 ? part : sum + part;
    }
    float m = GET(float, w, mean + o), s = GET(float, w, inv_std + o);
    if (half)
      PUT(u16, out, i, narrow(rounded(rounded(sum) - m) * s));
    else
      PUT(float, out, i, (sum - m) * s);
  }
}

// One block for every split positions begun; at most four, each of two channels at
// least.
DEVICE u64 blocks_by_length(u64 channels, u64 positions, u64 split) {
  u64 blocks = positions == 0 || split == 0 ? 1 : (positions - 1) / split + 1;
  u64 most = channels / 2 < 4 ? channels / 2 : 4;
  if (blocks > most) blocks = most;
  return blocks < 1 ? 1 : blocks;
}

KERNEL pointwise_float32(u64 y, u64 x, u64 weights, u64 channels, u64 positions, u64 step) {
  pointwise(y, x, weights, channels, positions, step, 1, 0);
}

KERNEL pointwise_bfloat16(u64 y, u64 x, u64 weights, u64 channels, u64 positions, u64 step) {
  pointwise(y, x, weights, channels, positions, step, 1, 1);
}

// Faults, for the suite to see: the order depends on the length.

KERNEL pointwise_float32_by_length(u64 y, u64 x, u64 weights, u64 channels, u64 positions, u64 step, u64 split) {
  pointwise(y, x, weights, channels, positions, step, blocks_by_length(channels, positions, split), 0);
}

KERNEL pointwise_bfloat16_by_length(u64 y, u64 x, u64 weights, u64 channels, u64 positions, u64 step, u64 split) {
  pointwise(y, x, weights, channels, positions, step, blocks_by_length(channels, positions, split), 1);
}

// ---- the causal convolution

// Half of what is below zero: the factor is 1 with its exponent lowered by the sign.
DEVICE float activated(float f) { return f * float_of(0x3f800000 - (bits_of(f) >> 31 << 23)); }

// One output, in the order of the rollout's encoder.
DEVICE u16 causal(array taps, u64 channel, float older, float old, float now) {
  float sum = GET(float, taps, channel * 4) * older + GET(float, taps, channel * 4 + 1) * old;
  sum += GET(float, taps, channel * 4 + 2) * now;
  return narrow(activated(sum + GET(float, taps, channel * 4 + 3)));
}

// One chunk through one causal convolution over three frames, each channel by
// itself, fan outputs a channel; with stride 2 at every second frame, whose last is
// the one after. All are bfloat16 but the taps:
//
//   x       [channels][frames][positions]
//   before  [channels][held][positions]       its cache: the newest frames before x
//   after   [channels][kept][positions]       its cache for the next chunk
//   y       [channels·fan][frames/stride][positions]
//   taps    float32 [channels·fan][4]: older, old, now, bias
//
// A frame before the first is zero. With stride 2 a chunk of one frame passes as it
// is. After may be before where held is kept, and y may be x where fan and stride
// are 1: a thread reads what is at its position before it writes there.
KERNEL causal_convolution(u64 y, u64 after, u64 x, u64 before, u64 taps, u64 channels, u64 positions, u64 frames, u64 held, u64 kept, u64 fan, u64 stride) {
  u64 n = channels * positions;
  if (THREAD() >= n || frames == 0 || stride == 0) return;
  u64 made = (frames + stride - 1) / stride;
  array in = READ(x, n * frames * 2), out = WRITE(y, n * fan * made * 2);
  array from = READ(before, n * held * 2), to = WRITE(after, n * kept * 2);
  array w = READ(taps, channels * fan * 16);

  for (u64 i = THREAD(); i < n; i += THREADS()) {
    u64 c = i / positions, p = i % positions;
    u16 old = held > 0 ? GET(u16, from, (c * held + held - 1) * positions + p) : 0;
    u16 older = held > 1 ? GET(u16, from, (c * held + held - 2) * positions + p) : 0;

    for (u64 k = 0; k < kept; k++) {
      u64 t = frames + k; // less kept: a frame of x, or the one before it
      u16 value = t >= kept ? GET(u16, in, (c * frames + t - kept) * positions + p) : old;
      PUT(u16, to, (c * kept + k) * positions + p, value);
    }

    if (stride == 2 && frames == 1) {
      u16 value = GET(u16, in, i);
      for (u64 f = 0; f < fan; f++) PUT(u16, out, (c * fan + f) * positions + p, value);
      continue;
    }
    for (u64 t = 0; t < frames; t++) {
      u16 now = GET(u16, in, (c * frames + t) * positions + p);
      if ((t + 1) % stride == 0)
        for (u64 f = 0; f < fan; f++)
          PUT(u16, out, ((c * fan + f) * made + t / stride) * positions + p, causal(w, c * fan + f, widen(older), widen(old), widen(now)));
      older = old;
      old = now;
    }
  }
}

// ---- comparing

// An element of 1, 2, 4 or 8 bytes at any address.
DEVICE u64 gather(array a, u64 at, u64 size) {
  u64 value = 0;
  for (u64 k = 0; k < size; k++) value |= (u64)GET(u8, a, at + k) << 8 * k;
  return value;
}

// result is two u64, which the caller sets to ~0 and 0: the first index at which a
// and b differ, in elements of so many bytes, and the number at which they do. The
// bits are compared. Words of eight bytes are, where both lie on such a boundary.
KERNEL difference(u64 result, u64 a, u64 b, u64 n, u64 size) {
  if (size != 1 && size != 2 && size != 4 && size != 8) return;
  u64 lanes = 8 / size, mask = ~0ull >> (64 - 8 * size);
  u64 words = (a | b) % 8 == 0 ? n / lanes : 0;
  if (THREAD() >= n) return;
  array left = READ(a, n * size), right = READ(b, n * size), out = WRITE(result, 16);
  u64 first = ~0ull, count = 0;

  for (u64 i = THREAD(); i < words; i += THREADS()) {
    u64 bits = GET(u64, left, i) ^ GET(u64, right, i);
    for (u64 lane = 0; bits != 0 && lane < lanes; lane++)
      if (bits >> 8 * size * lane & mask) {
        u64 at = i * lanes + lane;
        if (at < first) first = at;
        count++;
      }
  }
  for (u64 i = words * lanes + THREAD(); i < n; i += THREADS())
    if (gather(left, i * size, size) != gather(right, i * size, size)) {
      if (i < first) first = i;
      count++;
    }

  if (count == 0) return;
  ATOMIC_MIN(out, 0, first);
  ATOMIC_ADD(out, 1, count);
}

// ---- checksums

#define PRIME1 0x9E3779B185EBCA87ull
#define PRIME2 0xC2B2AE3D27D4EB4Full
#define PRIME3 0x165667B19E3779F9ull
#define PRIME4 0x85EBCA77C2B2AE63ull
#define PRIME5 0x27D4EB2F165667C5ull

DEVICE u64 rotated(u64 x, int by) { return x << by | x >> (64 - by); }

DEVICE u64 mixed(u64 lane, u64 word) { return rotated(lane + word * PRIME2, 31) * PRIME1; }

DEVICE u64 merged(u64 hash, u64 lane) { return (hash ^ mixed(0, lane)) * PRIME1 + PRIME4; }

DEVICE u64 word(array a, u64 at) {
  return (ADDRESS(a) + at) % 8 == 0 && ADDRESS(a) % 8 == 0 ? GET(u64, a, at / 8) : gather(a, at, 8);
}

// XXH64 of n bytes of an array from one on.
DEVICE u64 xxh64(array a, u64 at, u64 n, u64 seed) {
  u64 hash = seed + PRIME5, end = at + n;
  if (n >= 32) {
    u64 v1 = seed + PRIME1 + PRIME2, v2 = seed + PRIME2, v3 = seed, v4 = seed - PRIME1;
    for (; end - at >= 32; at += 32) {
      v1 = mixed(v1, word(a, at));
      v2 = mixed(v2, word(a, at + 8));
      v3 = mixed(v3, word(a, at + 16));
      v4 = mixed(v4, word(a, at + 24));
    }
    hash = rotated(v1, 1) + rotated(v2, 7) + rotated(v3, 12) + rotated(v4, 18);
    hash = merged(merged(merged(merged(hash, v1), v2), v3), v4);
  }
  hash += n;
  for (; end - at >= 8; at += 8) hash = rotated(hash ^ mixed(0, word(a, at)), 27) * PRIME1 + PRIME4;
  if (end - at >= 4) {
    hash = rotated(hash ^ gather(a, at, 4) * PRIME1, 23) * PRIME2 + PRIME3;
    at += 4;
  }
  for (; at < end; at++) hash = rotated(hash ^ GET(u8, a, at) * PRIME5, 11) * PRIME1;
  hash = (hash ^ hash >> 33) * PRIME2;
  hash = (hash ^ hash >> 29) * PRIME3;
  return hash ^ hash >> 32;
}

// digests[i] = XXH64 of the i-th chunk of so many bytes, the last one shorter. No
// bytes at all are one chunk of none.
KERNEL xxh64_chunks(u64 digests, u64 data, u64 nbytes, u64 chunk, u64 seed) {
  if (chunk == 0) return;
  u64 n = nbytes == 0 ? 1 : (nbytes - 1) / chunk + 1;
  if (THREAD() >= n) return;
  array out = WRITE(digests, n * 8);
  if (nbytes == 0) {
    PUT(u64, out, 0, xxh64(out, 0, 0, seed));
    return;
  }
  array in = READ(data, nbytes);
  for (u64 i = THREAD(); i < n; i += THREADS()) {
    u64 at = i * chunk, rest = nbytes - at;
    PUT(u64, out, i, xxh64(in, at, rest < chunk ? rest : chunk, seed));
  }
}

// ---- wrong on purpose

// Copies the element after the last one of x, an array of n u32: what does not see
// that sees no fault. Simulated CUDA does; a device need not, where the memory
// after x is another's.
KERNEL read_past_end(u64 y, u64 x, u64 n) {
  if (THREAD() != 0) return;
  array in = READ(x, (n + 1) * 4), out = WRITE(y, 4);
  PUT(u32, out, 0, GET(u32, in, n));
}

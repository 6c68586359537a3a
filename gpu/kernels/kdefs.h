// What kernels.cu is written in, for its two compilers.
//
//   clang -x cuda   code for the device: PTX
//   cc -x c         host twins, which simulated CUDA and the tests run
//
// Both need -ffp-contract=off: a product is rounded before it is added, so that
// device, twin and the Go code have the same bits.
//
// A kernel's parameters are all u64: addresses, counts, bit patterns. It reaches
// memory through READ and WRITE alone, which check the whole of an array, and
// GET, PUT and the atomics, which check that an element lies in it. On the device
// neither is checked. A kernel is declared on one line: its name and parameters
// are taken from there.
#pragma once

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

#ifdef __CUDA__

#define KERNEL extern "C" __attribute__((global)) void
#define DEVICE static __attribute__((device)) inline __attribute__((always_inline))
#define GLOBAL __attribute__((address_space(1)))

// The number of this thread, and of all threads of the launch.
#define THREAD() ((u64)__nvvm_read_ptx_sreg_ctaid_x() * (u32)__nvvm_read_ptx_sreg_ntid_x() + (u32)__nvvm_read_ptx_sreg_tid_x())
#define THREADS() ((u64)__nvvm_read_ptx_sreg_nctaid_x() * (u32)__nvvm_read_ptx_sreg_ntid_x())

#define MEM(T, p, n, write) ((void)(n), (GLOBAL T *)(p))

typedef GLOBAL u8 *array;
#define READ(p, nbytes) MEM(u8, p, nbytes, 0)
#define WRITE(p, nbytes) MEM(u8, p, nbytes, 1)
#define ADDRESS(a) ((u64)(a))
#define GET(T, a, i) (((const GLOBAL T *)(a))[i])
#define PUT(T, a, i, v) (((GLOBAL T *)(a))[i] = (v))
#define ATOMIC_MIN(a, i, v) ((void)__nvvm_atom_min_gen_ull((u64 *)((GLOBAL u64 *)(a) + (i)), (v)))
#define ATOMIC_ADD(a, i, v) ((void)__nvvm_atom_add_gen_ll((long long *)((GLOBAL u64 *)(a) + (i)), (long long)(v)))

#else // host twins

#ifdef __FAST_MATH__
#error "host twins need the sums as they are written: compile without -ffast-math"
#endif
#if __FLT_EVAL_METHOD__ != 0
#error "host twins need float32 arithmetic in float32: compile for SSE2 or better (-msse2 -mfpmath=sse)"
#endif

// Both are whose program it is: simulated CUDA's, or the tests'.
extern _Thread_local struct cudasim_index { u32 tid, ctaid, ntid, nctaid; } cudasim_index;
extern void *cudasim_memory(u64 devptr, u64 nbytes, int write); // does not return where it is out of bounds

#define KERNEL void
#define DEVICE static inline

#define THREAD() ((u64)cudasim_index.ctaid * cudasim_index.ntid + cudasim_index.tid)
#define THREADS() ((u64)cudasim_index.nctaid * cudasim_index.ntid)

#define MEM(T, p, n, write) ((T *)cudasim_memory((p), (n) * sizeof(T), (write)))

typedef struct {
  u8 *at;
  u64 device, nbytes;
  int write;
} array;
// An array of no bytes may be anywhere.
#define READ(p, nbytes) ((array){(nbytes) == 0 ? 0 : MEM(u8, p, nbytes, 0), (p), (nbytes), 0})
#define WRITE(p, nbytes) ((array){(nbytes) == 0 ? 0 : MEM(u8, p, nbytes, 1), (p), (nbytes), 1})
#define ADDRESS(a) ((a).device)

// The host address of an element of an array. One beyond the array, or one written
// where the array is read, is asked for at an address that no allocation has where
// its own is another's, so that it is always a fault.
static inline void *element(array a, u64 i, u64 size, int write) {
  if (i >= a.nbytes / size || write > a.write) {
    cudasim_memory(a.device + i * size, size, write);
    cudasim_memory(0, size, write);
  }
  return a.at + i * size;
}
#define GET(T, a, i) (*(const T *)element((a), (i), sizeof(T), 0))
#define PUT(T, a, i, v) (*(T *)element((a), (i), sizeof(T), 1) = (v))

static inline void atomic_min(u64 *p, u64 v) {
  u64 held = __atomic_load_n(p, __ATOMIC_RELAXED);
  while (v < held && !__atomic_compare_exchange_n(p, &held, v, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}
#define ATOMIC_MIN(a, i, v) atomic_min((u64 *)element((a), (i), sizeof(u64), 1), (v))
#define ATOMIC_ADD(a, i, v) ((void)__atomic_fetch_add((u64 *)element((a), (i), sizeof(u64), 1), (v), __ATOMIC_RELAXED))

#endif

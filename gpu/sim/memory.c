// Device memory. Its addresses come from a range that the host may not touch, and none
// is given twice, so that every use after free is known, but with memory=plain. The bytes lie elsewhere, with
// a page behind them that may not be touched either: a kernel's twin that goes beyond
// what it asked for ends the process there.
#include "sim.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct allocation **allocations;
size_t allocations_len;
static size_t allocations_cap;
static u64 first_address, addresses, used; // the range, and how much of it was given

int memory_open(void) {
  void *range = MAP_FAILED;
  for (addresses = 1ull << 44; addresses >= 1ull << 30 && range == MAP_FAILED; addresses >>= 1)
    range = mmap(NULL, addresses, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED) return -1;
  addresses <<= 1; // the loop halved it once more
  first_address = (u64)(uintptr_t)range;
  return 0;
}

int memory_is_device(u64 p) { return p >= first_address && p - first_address < addresses; }

struct allocation *memory_find(CUdeviceptr p) {
  size_t low = 0, high = allocations_len;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (allocations[middle]->base <= p) low = middle + 1;
    else high = middle;
  }
  return low ? allocations[low - 1] : NULL;
}

static u64 pages(u64 n) {
  u64 page = sysconf(_SC_PAGESIZE);
  return (n + page - 1) / page * page;
}

static u64 mapped(const struct allocation *a) { return pages(a->size) + pages(1); }

// The bytes end at the page that may not be touched, or as near as 16 allows.
static u8 *mapping(const struct allocation *a) { return a->bytes - (pages(a->size) - (a->size + 15) / 16 * 16); }

static int map(struct allocation *a) {
  u8 *at = mmap(NULL, mapped(a), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) return -1;
  mprotect(at + pages(a->size), pages(1), PROT_NONE);
  a->bytes = at + (pages(a->size) - (a->size + 15) / 16 * 16);
  return 0;
}

// poison fills fresh memory with what is no number: NaN as float32 and as bfloat16. It
// differs from one allocation to the next, so that an A/B sees what was never written.
static void poison(const struct allocation *a) {
  u8 low = 0x81 + a->number % 0x7f;
  for (u64 i = 0; i < a->size; i++) a->bytes[i] = i % 2 ? 0xff : low;
}

static int keep(struct allocation *a) {
  if (allocations_len == allocations_cap) {
    size_t more = allocations_cap ? 2 * allocations_cap : 256;
    void *grown = realloc(allocations, more * sizeof *allocations);
    if (!grown) return -1;
    allocations = grown;
    allocations_cap = more;
  }
  allocations[allocations_len++] = a; // addresses only grow
  return 0;
}

static int injected_oom(void) {
  int at = options.oom_at && --options.oom_at == 0;
  int from = options.oom_from == 1;
  if (options.oom_from > 1) options.oom_from--;
  if (at || from) process.injected++;
  return at || from;
}

// again finds a freed allocation of a size, to be given as it is: a GPU's addresses are
// given again, with what was written there.
static struct allocation *again(u64 n) {
  for (size_t i = allocations_len; i-- > 0;)
    if (allocations[i]->spare && allocations[i]->size == n) return allocations[i];
  return NULL;
}

static CUresult fresh(CUcontext ctx, u64 n, struct allocation **out) {
  u64 taken = (n + 511) / 512 * 512 + 512; // aligned to 512, with a gap that is nobody's
  if (taken > addresses - used) {
    fault("out of addresses: %llu bytes were given and none is given twice; start a new process", used);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  struct allocation *a = calloc(1, sizeof *a);
  if (!a) return CUDA_ERROR_OUT_OF_MEMORY;
  *a = (struct allocation){.base = first_address + used, .size = n, .ctx = ctx};
  if (map(a)) {
    free(a);
    fault("out of memory: the host has no %llu bytes for the device's", n);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  if (keep(a)) {
    munmap(mapping(a), mapped(a));
    free(a);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  used += taken;
  *out = a;
  return CUDA_SUCCESS;
}

CUresult memory_allocate(CUcontext ctx, u64 n, CUdeviceptr *out) {
  static u64 number;
  struct counters *count = &ctx->device->count;
  if (!out || n == 0) return CUDA_ERROR_INVALID_VALUE;
  number++;
  if (injected_oom()) {
    fault("injected out of memory: allocation %llu, %llu bytes", number, n);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  u64 room = options.capacity > count->live_bytes ? options.capacity - count->live_bytes : 0;
  if (n > room) {
    fault("out of memory: %llu bytes wanted on device %d, %llu of %llu left", n, ctx->device->ordinal, room, options.capacity);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  struct allocation *a = options.plain_memory ? again(n) : NULL;
  if (a) {
    a->bytes = a->spare;
    a->spare = NULL;
    a->ctx = ctx;
  } else {
    CUresult e = fresh(ctx, n, &a);
    if (e) return e;
  }
  a->number = number;
  if (!options.plain_memory) poison(a);
  count->allocs++;
  count->live_allocs++;
  count->live_bytes += n;
  if (count->live_bytes > count->peak_bytes) count->peak_bytes = count->live_bytes;
  u64 live = 0;
  for (int d = 0; d < options.devices; d++) live += devices[d].count.live_bytes;
  if (live > peak_bytes) peak_bytes = live;
  *out = a->base;
  return CUDA_SUCCESS;
}

void memory_free(struct allocation *a) {
  struct counters *count = &a->ctx->device->count;
  if (options.plain_memory) a->spare = a->bytes;
  else munmap(mapping(a), mapped(a));
  a->bytes = NULL;
  count->live_allocs--;
  count->live_bytes -= a->size;
}

u8 *memory_at(CUdeviceptr p, u64 n, CUcontext ctx, struct device *blame, const char *what) {
  struct allocation *a = memory_find(p);
  u64 offset = a ? p - a->base : 0;
  if (!a || !memory_is_device(p)) {
    fault("%s: 0x%llx is no device address", what, (u64)p);
  } else if (!a->bytes && offset < a->size) {
    blame->count.uaf++;
    fault("%s: use after free of allocation %llu (%llu bytes) at byte %llu", what, a->number, a->size, offset);
    return NULL;
  } else if (offset > a->size || n > a->size - offset) {
    fault("%s: out of bounds: %llu bytes at byte %llu of allocation %llu (%llu bytes)", what, n, offset, a->number, a->size);
  } else if (ctx && a->ctx != ctx) {
    fault("%s: allocation %llu is of another context (device %d)", what, a->number, a->ctx->device->ordinal);
  } else if (!a->bytes) {
    fault("%s: no bytes at the end of a freed allocation", what);
  } else {
    return a->bytes + offset;
  }
  blame->count.oob++;
  return NULL;
}

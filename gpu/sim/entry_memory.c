// Entry points about memory of the device and page-locked memory of the host.
#include "sim.h"

CUresult cuMemGetInfo(size_t *free, size_t *total) {
  ENTRY_IN_CONTEXT;
  u64 live = ctx->device->count.live_bytes;
  if (options.shared_info) { // neighbours take and give, and all is counted in granules
    static u64 calls;
    const u64 granule = 2 << 20;
    live = (live + granule - 1) / granule * granule + calls++ % 7 * granule;
  }
  if (free) *free = options.capacity > live ? options.capacity - live : 0;
  if (total) *total = options.capacity;
  return CUDA_SUCCESS;
}

CUresult cuMemAlloc(CUdeviceptr *out, size_t n) {
  ENTRY_IN_CONTEXT;
  return memory_allocate(ctx, n, out);
}

// cuMemFree waits for the context's work, as a CUDA driver does.
CUresult cuMemFree(CUdeviceptr p) {
  ENTRY_IN_CONTEXT;
  struct counters *count = &ctx->device->count;
  if (!p) return CUDA_SUCCESS;
  struct allocation *a = memory_find(p);
  if (!a || a->base != p) {
    count->oob++;
    fault("cuMemFree: 0x%llx is not the start of an allocation", (u64)p);
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (!a->bytes) {
    count->double_free++;
    fault("cuMemFree: allocation %llu (%llu bytes) was freed before", a->number, a->size);
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (memory_awaited(a)) count->free_pending++;
  run_context(a->ctx);
  REFUSE(stuck());
  memory_free(a);
  a->ctx->device->count.frees++;
  return CUDA_SUCCESS;
}

CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *n, CUdeviceptr p) {
  ENTRY_IN_CONTEXT;
  struct allocation *a = memory_find(p);
  if (!a || !a->bytes || p - a->base >= a->size) return CUDA_ERROR_NOT_FOUND;
  if (base) *base = a->base;
  if (n) *n = a->size;
  return CUDA_SUCCESS;
}

CUresult cuMemAllocHost(void **out, size_t n) {
  ENTRY_IN_CONTEXT;
  return pinned_allocate(ctx, n, out);
}

CUresult cuMemHostAlloc(void **out, size_t n, unsigned flags) {
  ENTRY_IN_CONTEXT;
  if (flags > (CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED)) return CUDA_ERROR_INVALID_VALUE;
  return pinned_allocate(ctx, n, out);
}

// Host memory that a queued copy still reads or writes is let go when that has run.
CUresult cuMemFreeHost(void *p) {
  ENTRY_IN_CONTEXT;
  (void)ctx;
  run_everything();
  REFUSE(stuck());
  return pinned_free(p);
}

CUresult cuMemHostRegister(void *p, size_t n, unsigned flags) {
  ENTRY_IN_CONTEXT;
  (void)flags;
  return pinned_register(ctx, p, n);
}

CUresult cuMemHostUnregister(void *p) {
  ENTRY_IN_CONTEXT;
  (void)ctx;
  run_everything();
  REFUSE(stuck());
  return pinned_unregister(p);
}

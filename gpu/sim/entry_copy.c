// Entry points that copy and fill.
#include "sim.h"

static struct operation *copy_new(enum copy_kind kind, CUdeviceptr to, CUdeviceptr from, const void *host, size_t n) {
  struct operation *o = operation_new(op_copy);
  if (!o) return NULL;
  o->copy = kind;
  o->to = to;
  o->from = from;
  o->host = (u8 *)host;
  o->n = n;
  return o;
}

CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t n) {
  ENTRY_IN_CONTEXT;
  return copy_submit(ctx, copy_new(htod, to, 0, from, n), NULL, 0);
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t n, CUstream s) {
  ENTRY_IN_CONTEXT;
  return copy_submit(ctx, copy_new(htod, to, 0, from, n), s, 1);
}

CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t n) {
  ENTRY_IN_CONTEXT;
  return copy_submit(ctx, copy_new(dtoh, 0, from, to, n), NULL, 0);
}

CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t n, CUstream s) {
  ENTRY_IN_CONTEXT;
  return copy_submit(ctx, copy_new(dtoh, 0, from, to, n), s, 1);
}

// within_device refuses what leads from one device to another: that is cuMemcpyPeer's.
static CUresult within_device(CUcontext ctx, CUdeviceptr to, CUdeviceptr from, size_t n, CUstream s) {
  struct allocation *a = memory_find(to), *b = memory_find(from);
  if (a && b && a->ctx->device != b->ctx->device) {
    ctx->device->count.oob++;
    fault("copy: from device %d to device %d: want cuMemcpyPeer", b->ctx->device->ordinal, a->ctx->device->ordinal);
    return CUDA_ERROR_INVALID_VALUE;
  }
  return copy_submit(ctx, copy_new(dtod, to, from, NULL, n), s, 0);
}

CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t n) {
  ENTRY_IN_CONTEXT;
  return within_device(ctx, to, from, n, NULL);
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t n, CUstream s) {
  ENTRY_IN_CONTEXT;
  return within_device(ctx, to, from, n, s);
}

// any is a copy whose kind is read off the addresses.
static CUresult any(CUcontext ctx, CUdeviceptr to, CUdeviceptr from, size_t n, CUstream s, int async) {
  int to_device = memory_is_device(to), from_device = memory_is_device(from);
  if (to_device && from_device) return within_device(ctx, to, from, n, s);
  if (to_device) return copy_submit(ctx, copy_new(htod, to, 0, (void *)(uintptr_t)from, n), s, async);
  if (from_device) return copy_submit(ctx, copy_new(dtoh, 0, from, (void *)(uintptr_t)to, n), s, async);
  fault("copy: neither address is the device's");
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t n) {
  ENTRY_IN_CONTEXT;
  return any(ctx, to, from, n, NULL, 0);
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t n, CUstream s) {
  ENTRY_IN_CONTEXT;
  return any(ctx, to, from, n, s, 1);
}

// between checks the contexts that a peer copy names. What is queued in the other one
// runs first: the copy is ordered after it.
static CUresult between(CUcontext ctx, CUdeviceptr to, CUcontext to_ctx, CUdeviceptr from, CUcontext from_ctx, size_t n, CUstream s) {
  CUcontext c = context_find(to_ctx), d = context_find(from_ctx);
  struct allocation *a = memory_find(to), *b = memory_find(from);
  if (!c || c->dead || !d || d->dead) return CUDA_ERROR_INVALID_CONTEXT;
  if ((a && a->ctx->device != c->device) || (b && b->ctx->device != d->device)) {
    ctx->device->count.oob++;
    fault("peer copy: an address is of another device than its context");
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (c != ctx) run_context(c);
  if (d != ctx) run_context(d);
  return copy_submit(ctx, copy_new(dtod, to, from, NULL, n), s, 0);
}

CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext to_ctx, CUdeviceptr from, CUcontext from_ctx, size_t n) {
  ENTRY_IN_CONTEXT;
  return between(ctx, to, to_ctx, from, from_ctx, n, NULL);
}

CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_ctx, CUdeviceptr from, CUcontext from_ctx, size_t n, CUstream s) {
  ENTRY_IN_CONTEXT;
  return between(ctx, to, to_ctx, from, from_ctx, n, s);
}

CUresult cuMemsetD8(CUdeviceptr to, unsigned char v, size_t n) {
  ENTRY_IN_CONTEXT;
  return set_submit(ctx, to, v, 1, n, NULL);
}

CUresult cuMemsetD16(CUdeviceptr to, unsigned short v, size_t n) {
  ENTRY_IN_CONTEXT;
  return set_submit(ctx, to, v, 2, n, NULL);
}

CUresult cuMemsetD32(CUdeviceptr to, unsigned v, size_t n) {
  ENTRY_IN_CONTEXT;
  return set_submit(ctx, to, v, 4, n, NULL);
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char v, size_t n, CUstream s) {
  ENTRY_IN_CONTEXT;
  return set_submit(ctx, to, v, 1, n, s);
}

CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short v, size_t n, CUstream s) {
  ENTRY_IN_CONTEXT;
  return set_submit(ctx, to, v, 2, n, s);
}

CUresult cuMemsetD32Async(CUdeviceptr to, unsigned v, size_t n, CUstream s) {
  ENTRY_IN_CONTEXT;
  return set_submit(ctx, to, v, 4, n, s);
}

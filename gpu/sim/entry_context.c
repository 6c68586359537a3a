// Entry points about contexts.
#include "sim.h"

CUresult cuCtxCreate(CUcontext *out, unsigned flags, CUdevice d) {
  ENTRY;
  if (d < 0 || d >= options.devices) return CUDA_ERROR_INVALID_DEVICE;
  if (!out) return CUDA_ERROR_INVALID_VALUE;
  REFUSE(stuck());
  CUcontext c = context_new(&devices[d], flags);
  if (!c) return CUDA_ERROR_OUT_OF_MEMORY;
  CUresult e = context_push(c); // it is current on this thread, as with a CUDA driver
  if (e) context_end(c);
  else *out = c;
  return e;
}

CUresult cuCtxDestroy(CUcontext handle) {
  ENTRY;
  CUcontext c = context_find(handle);
  if (!c || c->dead || c == c->device->primary) return CUDA_ERROR_INVALID_CONTEXT;
  context_end(c);
  if (context_current() == c) context_pop();
  return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent(CUcontext handle) {
  ENTRY;
  CUcontext c = context_find(handle);
  if (!c) return CUDA_ERROR_INVALID_CONTEXT;
  if (c->dead) {
    process.bad_ctx++;
    fault("cuCtxPushCurrent: the context was destroyed");
    return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  }
  return context_push(c);
}

CUresult cuCtxPopCurrent(CUcontext *out) {
  ENTRY;
  CUcontext c = context_pop();
  if (!c) return CUDA_ERROR_INVALID_CONTEXT;
  if (out) *out = c;
  return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext handle) {
  ENTRY;
  CUcontext c = context_find(handle);
  if (handle && (!c || c->dead)) return CUDA_ERROR_INVALID_CONTEXT;
  context_pop();
  return c ? context_push(c) : CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *out) {
  ENTRY;
  if (!out) return CUDA_ERROR_INVALID_VALUE;
  *out = context_current();
  return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *out) {
  ENTRY_IN_CONTEXT;
  if (!out) return CUDA_ERROR_INVALID_VALUE;
  *out = ctx->device->ordinal;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetFlags(unsigned *out) {
  ENTRY_IN_CONTEXT;
  if (!out) return CUDA_ERROR_INVALID_VALUE;
  *out = ctx->flags;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetApiVersion(CUcontext handle, unsigned *out) {
  ENTRY;
  if (handle && !context_find(handle)) return CUDA_ERROR_INVALID_CONTEXT;
  if (!out) return CUDA_ERROR_INVALID_VALUE;
  *out = 3020;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  ENTRY_IN_CONTEXT;
  if (least) *least = 0;
  if (greatest) *greatest = -5;
  return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize(void) {
  ENTRY_IN_CONTEXT;
  run_context(ctx);
  return stuck();
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
  ENTRY_IN_CONTEXT;
  if (!context_find(peer) || peer == ctx) return CUDA_ERROR_INVALID_CONTEXT;
  return flags ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
}

// Copies and memsets: what is checked at the call, and what waits for what.
//
//   host to device, device to host   run at the call, after the work of the NULL stream
//                                    and of blocking streams, and before that of the
//                                    non-blocking ones (copies=late: after that too)
//   device to device, memset         queued, as with a CUDA driver
//   asynchronous, pinned memory      queued: the host's bytes are read, or written, when
//                                    the program synchronises
//   asynchronous, pageable memory    read, or written, at the call (pageable=defer:
//                                    queued too, as a CUDA driver may)
#include "sim.h"
#include <stdlib.h>
#include <string.h>

static int check(const struct operation *o, CUcontext c) {
  struct device *d = c->device;
  if (o->copy != dtod && (!o->host || memory_is_device((u64)(uintptr_t)o->host))) {
    fault("copy: %p is no host address", (void *)o->host);
    d->count.oob++;
    return -1;
  }
  if (o->copy != dtoh && !memory_at(o->to, o->n, NULL, d, "copy")) return -1;
  if (o->copy != htod && !memory_at(o->from, o->n, NULL, d, "copy")) return -1;
  return 0;
}

static void count(const struct operation *o, struct counters *c) {
  switch (o->copy) {
  case htod: c->h2d++, c->h2d_bytes += o->n; break;
  case dtoh: c->d2h++, c->d2h_bytes += o->n; break;
  default: c->d2d++, c->d2d_bytes += o->n;
  }
}

static int corrupted(enum copy_kind kind) {
  u64 *left = &options.corrupt_at[kind];
  if (!*left || --*left) return 0;
  process.injected++;
  fault("injected: one bit of a copy is flipped");
  return 1;
}

static CUresult refuse(struct operation *o, CUresult e) {
  free(o->staged);
  free(o);
  return e;
}

static CUresult finish(CUstream s, struct operation *o) {
  CUresult e = submit(s, o);
  run_stream(s);
  return e ? e : stuck();
}

CUresult copy_submit(CUcontext c, struct operation *o, CUstream handle, int async) {
  CUstream s = stream_find(c, handle);
  if (!o) return CUDA_ERROR_OUT_OF_MEMORY;
  if (!s) return refuse(o, CUDA_ERROR_INVALID_HANDLE);
  if (o->n == 0) return refuse(o, CUDA_SUCCESS);
  if (check(o, c)) return refuse(o, CUDA_ERROR_INVALID_VALUE);
  count(o, &c->device->count);
  o->corrupt = corrupted(o->copy);
  if (o->copy == dtod) return submit(s, o);
  if (!async) {
    if (options.late_copies) run_context(c);
    return finish(s, o);
  }
  if (pinned_holds(o->host, o->n)) return submit(s, o);
  c->device->count.pageable_async++;
  if (options.late_pageable) return submit(s, o);
  if (o->copy == dtoh) return finish(s, o);
  if (!(o->staged = malloc(o->n))) return refuse(o, CUDA_ERROR_OUT_OF_MEMORY);
  memcpy(o->staged, o->host, o->n);
  return submit(s, o);
}

CUresult set_submit(CUcontext c, CUdeviceptr to, unsigned value, unsigned width, size_t n, CUstream handle) {
  CUstream s = stream_find(c, handle);
  if (!s) return CUDA_ERROR_INVALID_HANDLE;
  if (n == 0) return CUDA_SUCCESS;
  if (to % width || n > SIZE_MAX / width) return CUDA_ERROR_INVALID_VALUE;
  if (!memory_at(to, (u64)n * width, NULL, c->device, "memset")) return CUDA_ERROR_INVALID_VALUE;
  struct operation *o = operation_new(op_set);
  if (!o) return CUDA_ERROR_OUT_OF_MEMORY;
  o->to = to;
  o->value = value;
  o->width = width;
  o->n = n;
  c->device->count.memsets++;
  return submit(s, o);
}

// Entry points about streams and events.
#include "sim.h"
#include <stdlib.h>

static CUresult stream_new(CUcontext c, CUstream *out, unsigned flags, int priority) {
  if (!out || flags > CU_STREAM_NON_BLOCKING) return CUDA_ERROR_INVALID_VALUE;
  CUstream s = calloc(1, sizeof *s);
  if (!s) return CUDA_ERROR_OUT_OF_MEMORY;
  *s = (struct CUstream_st){.ctx = c, .flags = flags, .priority = priority, .next = c->streams};
  c->streams = s;
  c->device->count.streams_live++;
  *out = s;
  return CUDA_SUCCESS;
}

CUresult cuStreamCreate(CUstream *out, unsigned flags) {
  ENTRY_IN_CONTEXT;
  return stream_new(ctx, out, flags, 0);
}

CUresult cuStreamCreateWithPriority(CUstream *out, unsigned flags, int priority) {
  ENTRY_IN_CONTEXT;
  return stream_new(ctx, out, flags, priority < -5 ? -5 : priority > 0 ? 0 : priority);
}

CUresult cuStreamDestroy(CUstream handle) {
  ENTRY_IN_CONTEXT;
  for (CUstream *link = &ctx->streams; *link; link = &(*link)->next) {
    CUstream s = *link;
    if (s != handle) continue;
    run_stream(s);
    *link = s->next;
    free(s);
    ctx->device->count.streams_live--;
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuStreamSynchronize(CUstream handle) {
  ENTRY_IN_CONTEXT;
  CUstream s = stream_find(ctx, handle);
  if (!s) return CUDA_ERROR_INVALID_HANDLE;
  run_stream(s);
  return stuck();
}

// A query runs one operation, so that a program that polls gets there.
static CUresult poll(CUstream s) {
  run_some(s);
  return stuck() ? stuck() : CUDA_ERROR_NOT_READY;
}

CUresult cuStreamQuery(CUstream handle) {
  ENTRY_IN_CONTEXT;
  CUstream s = stream_find(ctx, handle);
  if (!s) return CUDA_ERROR_INVALID_HANDLE;
  return s->head ? poll(s) : CUDA_SUCCESS;
}

CUresult cuStreamGetFlags(CUstream handle, unsigned *out) {
  ENTRY_IN_CONTEXT;
  CUstream s = stream_find(ctx, handle);
  if (!s) return CUDA_ERROR_INVALID_HANDLE;
  if (!out) return CUDA_ERROR_INVALID_VALUE;
  *out = s->flags;
  return CUDA_SUCCESS;
}

CUresult cuStreamGetPriority(CUstream handle, int *out) {
  ENTRY_IN_CONTEXT;
  CUstream s = stream_find(ctx, handle);
  if (!s) return CUDA_ERROR_INVALID_HANDLE;
  if (!out) return CUDA_ERROR_INVALID_VALUE;
  *out = s->priority;
  return CUDA_SUCCESS;
}

// event_find looks in every context: a stream may wait for another context's event.
static CUevent event_find(CUevent handle) {
  for (CUcontext c = contexts; c; c = c->next)
    for (CUevent e = c->dead ? NULL : c->events; e; e = e->next)
      if (e == handle) return e->dead ? NULL : e;
  return NULL;
}

CUresult cuStreamWaitEvent(CUstream handle, CUevent event, unsigned flags) {
  ENTRY_IN_CONTEXT;
  CUstream s = stream_find(ctx, handle);
  CUevent e = event_find(event);
  if (!s || !e) return CUDA_ERROR_INVALID_HANDLE;
  if (flags) return CUDA_ERROR_INVALID_VALUE;
  if (e->done >= e->recorded) return CUDA_SUCCESS;
  struct operation *o = operation_new(op_wait);
  if (!o) return CUDA_ERROR_OUT_OF_MEMORY;
  o->awaited = e->stream;
  o->awaited_seq = e->recorded;
  return submit(s, o);
}

CUresult cuEventCreate(CUevent *out, unsigned flags) {
  ENTRY_IN_CONTEXT;
  if (!out) return CUDA_ERROR_INVALID_VALUE;
  CUevent e = calloc(1, sizeof *e);
  if (!e) return CUDA_ERROR_OUT_OF_MEMORY;
  *e = (struct CUevent_st){.ctx = ctx, .flags = flags, .next = ctx->events};
  ctx->events = e;
  ctx->device->count.events_live++;
  *out = e;
  return CUDA_SUCCESS;
}

CUresult cuEventDestroy(CUevent handle) {
  ENTRY_IN_CONTEXT;
  CUevent e = event_find(handle);
  if (!e) return CUDA_ERROR_INVALID_HANDLE;
  e->ctx->device->count.events_live--;
  e->dead = 1;
  if (!e->pending) event_free(e); // otherwise when the last record has run
  return CUDA_SUCCESS;
}

CUresult cuEventRecord(CUevent event, CUstream handle) {
  ENTRY_IN_CONTEXT;
  CUstream s = stream_find(ctx, handle);
  CUevent e = event_find(event);
  if (!s || !e || e->ctx != ctx) return CUDA_ERROR_INVALID_HANDLE;
  struct operation *o = operation_new(op_record);
  if (!o) return CUDA_ERROR_OUT_OF_MEMORY;
  o->event = e;
  return submit(s, o);
}

CUresult cuEventQuery(CUevent event) {
  ENTRY_IN_CONTEXT;
  CUevent e = event_find(event);
  if (!e) return CUDA_ERROR_INVALID_HANDLE;
  return e->done < e->recorded ? poll(e->stream) : CUDA_SUCCESS;
}

CUresult cuEventSynchronize(CUevent event) {
  ENTRY_IN_CONTEXT;
  CUevent e = event_find(event);
  if (!e) return CUDA_ERROR_INVALID_HANDLE;
  if (e->done < e->recorded) run_until(e->stream, e->recorded);
  return stuck();
}

CUresult cuEventElapsedTime(float *out, CUevent from, CUevent to) {
  ENTRY_IN_CONTEXT;
  CUevent a = event_find(from), b = event_find(to);
  if (!a || !b || !a->recorded || !b->recorded || ((a->flags | b->flags) & CU_EVENT_DISABLE_TIMING)) return CUDA_ERROR_INVALID_HANDLE;
  if (!out) return CUDA_ERROR_INVALID_VALUE;
  if (a->done < a->recorded || b->done < b->recorded) return CUDA_ERROR_NOT_READY;
  *out = (b->at.tv_sec - a->at.tv_sec) * 1e3f + (b->at.tv_nsec - a->at.tv_nsec) / 1e6f;
  return CUDA_SUCCESS;
}

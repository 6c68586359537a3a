// Devices and contexts, the contexts that are current on a thread, and what is left in
// one that is destroyed.
#include "sim.h"
#include <stdlib.h>

struct device devices[max_devices];
CUcontext contexts;

// A thread's contexts, the current one last.
static _Thread_local struct {
  CUcontext held[64];
  int n;
} stack;

CUcontext context_current(void) { return stack.n ? stack.held[stack.n - 1] : NULL; }

CUresult context_push(CUcontext c) {
  if (stack.n == sizeof stack.held / sizeof *stack.held) {
    fault("64 contexts are pushed on this thread: is each popped?");
    return CUDA_ERROR_INVALID_VALUE;
  }
  stack.held[stack.n++] = c;
  return CUDA_SUCCESS;
}

CUcontext context_pop(void) { return stack.n ? stack.held[--stack.n] : NULL; }

CUcontext context_find(CUcontext handle) {
  for (CUcontext c = contexts; c; c = c->next)
    if (c == handle) return c;
  return NULL;
}

CUcontext context_new(struct device *d, unsigned flags) {
  CUcontext c = calloc(1, sizeof *c);
  if (!c) return NULL;
  c->device = d;
  c->flags = flags;
  c->null.ctx = c;
  c->next = contexts;
  contexts = c;
  d->count.ctx_live++;
  return c;
}

static void end_allocations(CUcontext c, struct counters *count) {
  u64 n = 0, bytes = 0;
  for (size_t i = 0; i < allocations_len; i++) {
    struct allocation *a = allocations[i];
    if (a->ctx != c || !a->bytes) continue;
    n++;
    bytes += a->size;
    memory_free(a);
  }
  if (!n || stuck()) return; // after a sticky error nothing can be freed
  count->leaked_allocs += n;
  count->leaked_bytes += bytes;
  fault("a context of device %d was destroyed with %llu live allocations (%llu bytes)", c->device->ordinal, n, bytes);
}

void context_end(CUcontext c) {
  struct counters *count = &c->device->count, ignored = {0};
  struct counters *leaks = stuck() ? &ignored : count;
  run_context(c);
  end_allocations(c, count);
  pinned_end(c);
  stream_drop(&c->null);
  for (CUstream s; (s = c->streams); count->streams_live--, leaks->leaked_streams++) {
    c->streams = s->next;
    stream_drop(s);
    free(s);
  }
  for (CUevent e; (e = c->events); free(e)) {
    c->events = e->next;
    if (e->dead) continue;
    count->events_live--;
    leaks->leaked_events++;
  }
  for (CUmodule m; (m = c->modules); module_free(m)) {
    c->modules = m->next;
    count->modules_live--;
    leaks->leaked_modules++;
  }
  c->dead = 1;
  count->ctx_live--;
}

// Work: each stream is a queue, and nothing in it runs before the program synchronises
// with it. A program that reads a result too early, or changes what a copy still has to
// read, gets the wrong bytes every time instead of now and then.
//
// Order between streams comes from events and from the NULL stream alone: what another
// stream does in between is not run, even where it was submitted before.
#include "sim.h"
#include <stdlib.h>
#include <string.h>

static u64 submitted;

struct operation *operation_new(enum operation_kind kind) {
  struct operation *o = calloc(1, sizeof *o);
  if (o) o->kind = kind;
  return o;
}

static void operation_free(struct operation *o) {
  free(o->staged);
  free(o->arguments);
  free(o);
}

CUstream stream_find(CUcontext c, CUstream handle) {
  if (!handle || handle == CU_STREAM_LEGACY) return &c->null;
  for (CUstream s = c->streams; s; s = s->next)
    if (s == handle) return s;
  return NULL;
}

// live says whether a stream that an event was recorded on is still there.
static int live(CUstream handle) {
  for (CUcontext c = contexts; c; c = c->next)
    if (!c->dead && (handle == &c->null || stream_find(c, handle))) return 1;
  return 0;
}

static int blocking(CUstream s) { return !(s->flags & CU_STREAM_NON_BLOCKING); }

// The NULL stream and the blocking streams of a context wait for each other.
static void run_before(CUstream s, u64 seq) {
  CUcontext c = s->ctx;
  if (!blocking(s)) return;
  if (s != &c->null) {
    run_until(&c->null, seq);
    return;
  }
  for (CUstream other = c->streams; other; other = other->next)
    if (blocking(other)) run_until(other, seq);
}

static void copy(const struct operation *o, CUcontext c) {
  struct device *d = c->device;
  u8 *to = o->copy == dtoh ? o->host : memory_at(o->to, o->n, NULL, d, "copy");
  const u8 *from = o->copy != htod ? memory_at(o->from, o->n, NULL, d, "copy") : o->staged ? o->staged : o->host;
  if (!to || !from) {
    stick(CUDA_ERROR_ILLEGAL_ADDRESS);
    return;
  }
  memmove(to, from, o->n);
  if (o->corrupt) to[o->n / 2] ^= 4;
}

static void set(const struct operation *o, CUcontext c) {
  u8 *to = memory_at(o->to, o->n * o->width, NULL, c->device, "memset");
  if (!to) stick(CUDA_ERROR_ILLEGAL_ADDRESS);
  else
    for (size_t i = 0; i < o->n; i++) memcpy(to + i * o->width, &o->value, o->width);
}

void event_free(CUevent e) {
  for (CUevent *link = &e->ctx->events; *link; link = &(*link)->next) {
    if (*link != e) continue;
    *link = e->next;
    free(e);
    return;
  }
}

static void record(const struct operation *o) {
  CUevent e = o->event;
  e->done = o->seq;
  clock_gettime(CLOCK_MONOTONIC, &e->at);
  if (--e->pending == 0 && e->dead) event_free(e);
}

static void run(const struct operation *o, CUcontext c) {
  switch (o->kind) {
  case op_copy: copy(o, c); break;
  case op_set: set(o, c); break;
  case op_launch: stick(launch_run(c, o)); break;
  default: break;
  }
}

// run_some takes the stream's first operation off its queue and runs it, after what it
// has to wait for. After a sticky error records alone are run: nothing else happens.
void run_some(CUstream s) {
  struct operation *o = s->head;
  if (!o) return;
  s->head = o->next;
  if (!s->head) s->tail = NULL;
  run_before(s, o->seq - 1);
  if (o->kind == op_wait && live(o->awaited)) run_until(o->awaited, o->awaited_seq);
  if (o->kind == op_record) record(o);
  else if (!stuck()) run(o, s->ctx);
  operation_free(o);
}

void run_until(CUstream s, u64 seq) {
  while (s->head && s->head->seq <= seq) run_some(s);
}

// run_stream is what a program waits for that synchronises with a stream.
void run_stream(CUstream s) {
  run_until(s, submitted);
  if (s == &s->ctx->null) run_before(s, submitted);
}

void run_context(CUcontext c) {
  u64 now = submitted;
  for (CUstream s = c->streams; s; s = s->next) run_until(s, now);
  run_until(&c->null, now);
}

void run_everything(void) {
  for (CUcontext c = contexts; c; c = c->next)
    if (!c->dead) run_context(c);
}

CUresult submit(CUstream s, struct operation *o) {
  o->seq = ++submitted;
  if (o->kind == op_record) {
    o->event->recorded = o->seq;
    o->event->stream = s;
    o->event->pending++;
  }
  if (s->tail) s->tail->next = o;
  else s->head = o;
  s->tail = o;
  if (!options.eager) return CUDA_SUCCESS;
  run_until(s, o->seq);
  return stuck();
}

void stream_drop(CUstream s) {
  for (struct operation *o; (o = s->head); operation_free(o)) s->head = o->next;
  s->tail = NULL;
}

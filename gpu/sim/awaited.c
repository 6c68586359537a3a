// Which memory work that is queued has to do with.
#include "sim.h"

// uses says whether queued work has to do with memory: a copy or a memset by its
// addresses, a launch by an argument that points there, which is all that is known.
static int uses(const struct operation *o, const struct allocation *a) {
  u64 base = a->base, end = base + a->size;
  if (o->to >= base && o->to < end) return 1;
  if (o->from >= base && o->from < end) return 1;
  for (int i = 0; o->kind == op_launch && i < o->function->parameters; i++)
    if (o->arguments[i] >= base && o->arguments[i] < end) return 1;
  return 0;
}

static int stream_uses(CUstream s, const struct allocation *a) {
  for (struct operation *o = s->head; o; o = o->next)
    if (uses(o, a)) return 1;
  return 0;
}

int memory_awaited(const struct allocation *a) {
  if (stream_uses(&a->ctx->null, a)) return 1;
  for (CUstream s = a->ctx->streams; s; s = s->next)
    if (stream_uses(s, a)) return 1;
  return 0;
}

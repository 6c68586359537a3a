// What every entry point begins with: the lock, injected errors, cuInit, the current
// context, sticky errors. And what the entry points that are not simulated do.
#include "sim.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int initialised;

int entry_hold(void) {
  pthread_mutex_lock(&lock);
  return 1;
}

void entry_leave(int *held) {
  (void)held;
  stats_publish();
  pthread_mutex_unlock(&lock);
}

CUresult entry_begin(const char *name) {
  if (!initialised) return CUDA_ERROR_NOT_INITIALIZED;
  return rule_applies(name);
}

CUresult entry_context(const char *name, CUcontext *out) {
  CUcontext c = *out = context_current();
  if (!c || c->dead) {
    process.bad_ctx++;
    fault("%s: %s on this thread", name, c ? "the context was destroyed that is current" : "no context is current");
    return c ? CUDA_ERROR_CONTEXT_IS_DESTROYED : CUDA_ERROR_INVALID_CONTEXT;
  }
  return stuck();
}

// cuInit reads the options. One that cannot be read makes it fail: a run without the
// faults that were asked for would pass in silence.
CUresult cuInit(unsigned flags) {
  HOLD;
  if (flags) return CUDA_ERROR_INVALID_VALUE;
  if (initialised) return CUDA_SUCCESS;
  const char *text = getenv("CUDASIM");
  if (text && options_read(text)) return CUDA_ERROR_INVALID_VALUE;
  REFUSE(rule_applies(__func__));
  if (memory_open()) return CUDA_ERROR_OUT_OF_MEMORY;
  for (int d = 0; d < options.devices; d++) devices[d].ordinal = d;
  initialised = 1;
  return options.devices ? CUDA_SUCCESS : CUDA_ERROR_NO_DEVICE;
}

// cudasim_unsupported is what the generated stubs call; each says its name once.
int cudasim_unsupported(const char *name, int *said) {
  HOLD;
  process.unsupported++;
  fault("%s is not simulated", name);
  if (!*said && !options.verbose) fprintf(stderr, "simulated CUDA: %s is not simulated\n", name);
  *said = 1;
  return CUDA_ERROR_NOT_SUPPORTED;
}

// Commands that look and that have no counterpart in CUDA.
#include "probe.h"
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define COMMAND(name) static const char *name(int argc, char **argv)
#define UNUSED (void)argc, (void)argv

const char *cudashim_reason(void), *cudashim_library(void);

static void *symbol(const char *name) { return dlsym(RTLD_DEFAULT, name); }

// fill NAME BYTE: the whole of a host buffer.
COMMAND(fill) {
  struct thing *t = thing(argv[1]);
  return UNUSED, memset(t->host, (int)strtol(argv[2], NULL, 0), t->n), "ok";
}

// show NAME [N]: a host buffer's bytes.
COMMAND(show) {
  struct thing *t = thing(argv[1]);
  size_t n = argc > 2 ? strtoull(argv[2], NULL, 0) : t->n;
  for (size_t i = 0; i < n; i++) printf("%02x", t->host[i]);
  puts("");
  return NULL;
}

// read NAME N: a device's bytes, by a synchronous copy.
COMMAND(read_back) {
  unsigned char b[64];
  size_t n = strtoull(argv[2], NULL, 0);
  CUresult e = cuMemcpyDtoH(b, address_of(argv[1]), n);
  if (e) return UNUSED, answer(e);
  for (size_t i = 0; i < n; i++) printf("%02x", b[i]);
  puts("");
  return NULL;
}

// touch NAME: as if a device's address were the host's. For use after dies.
COMMAND(touch) { return UNUSED, *(volatile char *)(uintptr_t)address_of(argv[1]) ? "read" : "read"; }

// dies COMMAND: in a child process; the signal that ended it, or its answer.
COMMAND(dies) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    const char *said = run(argc - 1, argv + 1);
    if (said) puts(said);
    fflush(stdout);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) == SIGSEGV || WTERMSIG(status) == SIGBUS ? "dead" : "killed" : NULL;
}

struct elsewhere {
  int argc;
  char **argv;
  const char *said;
};

static void *begin(void *p) {
  struct elsewhere *e = p;
  e->said = run(e->argc, e->argv);
  return NULL;
}

// elsewhere COMMAND: on another thread.
COMMAND(elsewhere) {
  struct elsewhere e = {argc - 1, argv + 1, NULL};
  pthread_t t;
  if (pthread_create(&t, NULL, begin, &e)) return "no thread";
  pthread_join(t, NULL);
  return e.said;
}

static long cycles;

static void *cycle(void *context) {
  char bytes[64] = {0};
  CUdeviceptr p;
  CUstream s;
  cuCtxPushCurrent(context);
  for (long i = 0; i < cycles; i++) {
    if (cuMemAlloc(&p, 64) || cuStreamCreate(&s, CU_STREAM_NON_BLOCKING)) return "no";
    if (cuMemsetD8Async(p, (unsigned char)i, 64, s) || cuMemcpyDtoHAsync(bytes, p, 64, s) || cuStreamSynchronize(s)) return "no";
    if (bytes[63] != (char)i || cuStreamDestroy(s) || cuMemFree(p)) return "no";
  }
  return NULL;
}

// threads CONTEXT N CYCLES: all of them allocate, fill, read and free at once.
COMMAND(threads) {
  pthread_t t[64];
  int n = atoi(argv[2]);
  void *said = NULL, *bad = NULL;
  cycles = atol(argv[3]);
  for (int i = 0; i < n; i++) pthread_create(&t[i], NULL, cycle, thing(argv[1])->handle);
  for (int i = 0; i < n; i++) pthread_join(t[i], &said), bad = said ? said : bad;
  return UNUSED, bad ? "an error" : "ok";
}

COMMAND(control) {
  int (*f)(const char *) = (int (*)(const char *))symbol("cudasim_control");
  return UNUSED, f && !f(argv[1]) ? "ok" : "refused";
}

COMMAND(report) {
  static char text[1 << 16];
  int (*f)(char *, size_t) = (int (*)(char *, size_t))symbol("cudasim_report");
  if (!f) return UNUSED, "no report";
  size_t n = f(NULL, 0);
  if (f(text, sizeof text) != (int)n || strlen(text) != n) return "two lengths";
  fputs(text, stdout);
  return NULL;
}

COMMAND(reason) { return UNUSED, cudashim_reason() ? cudashim_reason() : "usable"; }
COMMAND(library) { return UNUSED, cudashim_library(); }

COMMAND(count) {
  int n = -1;
  CUresult e = cuDeviceGetCount(&n);
  if (e) return UNUSED, answer(e);
  printf("%d\n", n);
  return NULL;
}

COMMAND(version) {
  int n = -1;
  CUresult e = cuDriverGetVersion(&n);
  if (e) return UNUSED, answer(e);
  printf("%d\n", n);
  return NULL;
}

COMMAND(name) {
  char b[128];
  CUresult e = cuDeviceGetName(b, sizeof b, atoi(argv[1]));
  return UNUSED, e ? answer(e) : puts(b) < 0 ? "" : NULL;
}

COMMAND(managed) {
  CUdeviceptr p;
  return UNUSED, answer(cuMemAllocManaged(&p, 8, CU_MEM_ATTACH_GLOBAL));
}

COMMAND(error) {
  const char *text;
  return UNUSED, cuGetErrorName(atoi(argv[1]), &text) ? "unknown" : text;
}

// end: at once, as by a signal.
COMMAND(end) { return UNUSED, kill(getpid(), SIGKILL) ? "alive" : "dead"; }

const struct entry test_commands[] = {
    {"fill", fill}, {"show", show}, {"read", read_back}, {"touch", touch}, {"dies", dies}, {"elsewhere", elsewhere},
    {"threads", threads}, {"control", control}, {"report", report}, {"reason", reason}, {"library", library},
    {"count", count}, {"version", version}, {"name", name}, {"managed", managed}, {"error", error}, {"end", end}, {0}};

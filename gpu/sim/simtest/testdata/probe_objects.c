// Commands about contexts, memory, streams, events and modules.
#include "probe.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMMAND(name) static const char *name(int argc, char **argv)
#define UNUSED (void)argc, (void)argv

COMMAND(context) { return UNUSED, answer(cuCtxCreate((CUcontext *)&thing(argv[1])->handle, 0, atoi(argv[2]))); }
COMMAND(destroy) { return UNUSED, answer(cuCtxDestroy(thing(argv[1])->handle)); }
COMMAND(push) { return UNUSED, answer(cuCtxPushCurrent(thing(argv[1])->handle)); }
COMMAND(set_current) { return UNUSED, answer(cuCtxSetCurrent(thing(argv[1])->handle)); }
COMMAND(primary) { return UNUSED, answer(cuDevicePrimaryCtxRetain((CUcontext *)&thing(argv[1])->handle, atoi(argv[2]))); }
COMMAND(release) { return UNUSED, answer(cuDevicePrimaryCtxRelease(atoi(argv[1]))); }
COMMAND(same) { return UNUSED, thing(argv[1])->handle == thing(argv[2])->handle ? "yes" : "no"; }

COMMAND(pop) {
  CUcontext c;
  return UNUSED, answer(cuCtxPopCurrent(&c));
}

COMMAND(current) {
  CUdevice d = -1;
  CUresult e = cuCtxGetDevice(&d);
  if (e) return UNUSED, answer(e);
  printf("%d\n", d);
  return NULL;
}

COMMAND(alloc) { return UNUSED, answer(cuMemAlloc(&thing(argv[1])->device, strtoull(argv[2], NULL, 0))); }
COMMAND(release_memory) { return UNUSED, answer(cuMemFree(address_of(argv[1]))); }

COMMAND(info) {
  size_t free, total;
  CUresult e = cuMemGetInfo(&free, &total);
  if (e) return UNUSED, answer(e);
  printf("%zu %zu\n", free, total);
  return NULL;
}

COMMAND(range) {
  CUdeviceptr base;
  size_t n;
  CUresult e = cuMemGetAddressRange(&base, &n, address_of(argv[1]));
  if (e) return UNUSED, answer(e);
  printf("%llu %zu\n", address_of(argv[1]) - base, n);
  return NULL;
}

COMMAND(pageable) {
  struct thing *t = thing(argv[1]);
  t->host = calloc(1, t->n = atoi(argv[2]));
  return UNUSED, "ok";
}

COMMAND(pinned) {
  struct thing *t = thing(argv[1]);
  return UNUSED, answer(cuMemHostAlloc((void **)&t->host, t->n = atoi(argv[2]), 0));
}

COMMAND(unpin) { return UNUSED, answer(cuMemFreeHost(host_of(argv[1]))); }
COMMAND(lock_pages) { return UNUSED, answer(cuMemHostRegister(host_of(argv[1]), thing(argv[1])->n, 0)); }
COMMAND(unlock_pages) { return UNUSED, answer(cuMemHostUnregister(host_of(argv[1]))); }

COMMAND(stream) { return UNUSED, answer(cuStreamCreate((CUstream *)&thing(argv[1])->handle, argc > 2 ? CU_STREAM_NON_BLOCKING : 0)); }
COMMAND(unstream) { return UNUSED, answer(cuStreamDestroy(thing(argv[1])->handle)); }
COMMAND(event) { return UNUSED, answer(cuEventCreate((CUevent *)&thing(argv[1])->handle, 0)); }
COMMAND(unevent) { return UNUSED, answer(cuEventDestroy(thing(argv[1])->handle)); }

COMMAND(module) {
  static char text[1 << 16];
  FILE *f = fopen(argv[2], "r");
  if (!f) return UNUSED, "no such file";
  text[fread(text, 1, sizeof text - 1, f)] = 0;
  fclose(f);
  return answer(cuModuleLoadData((CUmodule *)&thing(argv[1])->handle, text));
}

COMMAND(unload) { return UNUSED, answer(cuModuleUnload(thing(argv[1])->handle)); }
COMMAND(function) { return UNUSED, answer(cuModuleGetFunction((CUfunction *)&thing(argv[1])->handle, thing(argv[2])->handle, argv[3])); }

const struct entry object_commands[] = {
    {"context", context}, {"destroy", destroy}, {"push", push}, {"pop", pop}, {"set_current", set_current},
    {"current", current}, {"primary", primary}, {"release", release}, {"same", same},
    {"alloc", alloc}, {"free", release_memory}, {"info", info}, {"range", range},
    {"pageable", pageable}, {"pinned", pinned}, {"unpin", unpin}, {"lock_pages", lock_pages}, {"unlock_pages", unlock_pages},
    {"stream", stream}, {"unstream", unstream}, {"event", event}, {"unevent", unevent},
    {"module", module}, {"unload", unload}, {"function", function}, {0}};

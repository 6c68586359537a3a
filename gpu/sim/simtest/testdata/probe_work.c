// Commands that submit work and wait for it.
#include "probe.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMMAND(name) static const char *name(int argc, char **argv)
#define UNUSED (void)argc, (void)argv

static size_t size(const char *text) { return strtoull(text, NULL, 0); }

COMMAND(htod) { return UNUSED, answer(cuMemcpyHtoD(address_of(argv[1]), host_of(argv[2]), size(argv[3]))); }
COMMAND(htod_async) { return UNUSED, answer(cuMemcpyHtoDAsync(address_of(argv[1]), host_of(argv[2]), size(argv[3]), stream_of(argv[4]))); }
COMMAND(dtoh) { return UNUSED, answer(cuMemcpyDtoH(host_of(argv[1]), address_of(argv[2]), size(argv[3]))); }
COMMAND(dtoh_async) { return UNUSED, answer(cuMemcpyDtoHAsync(host_of(argv[1]), address_of(argv[2]), size(argv[3]), stream_of(argv[4]))); }
COMMAND(dtod) { return UNUSED, answer(cuMemcpyDtoD(address_of(argv[1]), address_of(argv[2]), size(argv[3]))); }
COMMAND(dtod_async) { return UNUSED, answer(cuMemcpyDtoDAsync(address_of(argv[1]), address_of(argv[2]), size(argv[3]), stream_of(argv[4]))); }
COMMAND(peer) { return UNUSED, answer(cuMemcpyPeer(address_of(argv[1]), thing(argv[2])->handle, address_of(argv[3]), thing(argv[4])->handle, size(argv[5]))); }
COMMAND(device_as_host) { return UNUSED, answer(cuMemcpyHtoD(address_of(argv[1]), (void *)(uintptr_t)address_of(argv[2]), size(argv[3]))); }

COMMAND(set8) { return UNUSED, answer(cuMemsetD8Async(address_of(argv[1]), (unsigned char)size(argv[2]), size(argv[3]), stream_of(argv[4]))); }
COMMAND(set32) { return UNUSED, answer(cuMemsetD32Async(address_of(argv[1]), (unsigned)size(argv[2]), size(argv[3]), stream_of(argv[4]))); }

COMMAND(launch) { // FUNCTION GRID BLOCK STREAM ARGUMENT...: numbers, or names of memory
  u64 values[8];
  void *parameters[8];
  for (int i = 5; i < argc; i++) {
    values[i - 5] = argv[i][0] >= '0' && argv[i][0] <= '9' ? size(argv[i]) : address_of(argv[i]);
    parameters[i - 5] = &values[i - 5];
  }
  CUresult e = cuLaunchKernel(thing(argv[1])->handle, size(argv[2]), 1, 1, size(argv[3]), 1, 1, 0, stream_of(argv[4]), parameters, NULL);
  memset(values, 0xee, sizeof values); // they are read at the launch and not later
  return answer(e);
}

COMMAND(sync) { return UNUSED, answer(cuStreamSynchronize(stream_of(argv[1]))); }
COMMAND(sync_all) { return UNUSED, answer(cuCtxSynchronize()); }
COMMAND(query) { return UNUSED, answer(cuStreamQuery(stream_of(argv[1]))); }
COMMAND(record) { return UNUSED, answer(cuEventRecord(thing(argv[1])->handle, stream_of(argv[2]))); }
COMMAND(wait) { return UNUSED, answer(cuStreamWaitEvent(stream_of(argv[1]), thing(argv[2])->handle, 0)); }
COMMAND(sync_event) { return UNUSED, answer(cuEventSynchronize(thing(argv[1])->handle)); }
COMMAND(query_event) { return UNUSED, answer(cuEventQuery(thing(argv[1])->handle)); }

COMMAND(elapsed) {
  float ms = -1;
  CUresult e = cuEventElapsedTime(&ms, thing(argv[1])->handle, thing(argv[2])->handle);
  return UNUSED, e ? answer(e) : ms >= 0 ? "ok" : "before";
}

const struct entry work_commands[] = {
    {"htod", htod}, {"htod_async", htod_async}, {"dtoh", dtoh}, {"dtoh_async", dtoh_async},
    {"dtod", dtod}, {"dtod_async", dtod_async}, {"peer", peer}, {"device_as_host", device_as_host},
    {"set8", set8}, {"set32", set32}, {"launch", launch}, {"sync", sync}, {"sync_all", sync_all},
    {"query", query}, {"record", record}, {"wait", wait}, {"sync_event", sync_event},
    {"query_event", query_event}, {"elapsed", elapsed}, {0}};

// The stand-in for -lcuda: a static archive with every entry point of the CUDA driver,
// so that one binary starts on every machine. The driver is looked up when the program
// calls cuInit, in the place that CUDA_DRIVER_LIB says:
//
//   a file    that library: simulated CUDA, or a driver in an unusual place
//   none      no driver
//   unset     the system's: libcuda.so.1, then where containers and WSL have it
//
// cuInit always succeeds. gorgonia.org/cu calls it before main and ends the process
// where it fails. Without a usable driver there are zero devices, every other entry
// point returns CUDA_ERROR_NO_DEVICE, and cudashim_reason says why in words.
//
// It includes no cuda.h: the entry points are jumps, whatever their arguments are.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jumps.inc"

enum { success = 0, error_no_device = 100, error_not_supported = 801 };

static int no_device(void) { return error_no_device; }
static int not_supported(void) { return error_not_supported; } // the driver lacks the entry point

__attribute__((visibility("hidden"))) void *cudashim_table[entries] = {[0 ... entries - 1] = (void *)no_device};

#if defined(__x86_64__)
#define JUMP(name, i)                                                                          \
  __asm__(".text\n.globl " #name "\n.type " #name ",@function\n" #name ":\n"                   \
          "\tjmp *cudashim_table+8*" #i "(%rip)\n.size " #name ",.-" #name "\n");
#elif defined(__aarch64__)
#define JUMP(name, i)                                                                          \
  __asm__(".text\n.p2align 2\n.globl " #name "\n.type " #name ",%function\n" #name ":\n"       \
          "\tadrp x16, cudashim_table+8*" #i "\n"                                              \
          "\tldr x16, [x16, :lo12:cudashim_table+8*" #i "]\n"                                  \
          "\tbr x16\n.size " #name ",.-" #name "\n");
#else
#error "the shim's jumps are written for amd64 and arm64"
#endif
JUMPS

static char reason[1024] = "cuInit was not called";
static char library[512];
static int usable;
static int (*device_count)(int *);
static int (*driver_version)(int *);

// cudashim_reason says why there is no device; NULL where there is one.
const char *cudashim_reason(void) { return usable ? NULL : reason; }

// cudashim_library names the driver that was loaded; "" where none was.
const char *cudashim_library(void) { return library; }

static void *load(const char *file) {
  void *handle = dlopen(file, RTLD_NOW | RTLD_GLOBAL);
  if (handle) snprintf(library, sizeof library, "%s", file);
  return handle;
}

// open_driver returns NULL and leaves a reason where there is no library.
static void *open_driver(void) {
  static const char *const places[] = {"libcuda.so.1", "/usr/local/nvidia/lib64/libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1"};
  const char *named = getenv("CUDA_DRIVER_LIB");
  void *handle = NULL;
  if (named && !strcmp(named, "none")) {
    snprintf(reason, sizeof reason, "CUDA_DRIVER_LIB is none");
  } else if (named && *named) {
    handle = load(named);
    if (!handle) snprintf(reason, sizeof reason, "CUDA_DRIVER_LIB: no CUDA driver: %s", dlerror());
  } else {
    for (size_t i = 0; i < sizeof places / sizeof *places && !handle; i++) {
      handle = load(places[i]);
      if (!handle && i == 0) snprintf(reason, sizeof reason, "the machine has no CUDA driver: %s", dlerror());
    }
  }
  return handle;
}

static void describe(void *handle, int error, const char *what) {
  int (*error_name)(int, const char **) = (int (*)(int, const char **))dlsym(handle, "cuGetErrorName");
  const char *name = NULL;
  if (error_name) error_name(error, &name);
  snprintf(reason, sizeof reason, "%s: %s: %s (%d)", library, what, name ? name : "error", error);
}

static void start(void) {
  void *handle = open_driver();
  if (!handle) return;
  int (*init)(unsigned) = (int (*)(unsigned))dlsym(handle, "cuInit");
  device_count = (int (*)(int *))dlsym(handle, "cuDeviceGetCount");
  if (!init || !device_count) {
    snprintf(reason, sizeof reason, "%s is no CUDA driver: it has no cuInit or no cuDeviceGetCount", library);
    return;
  }
  driver_version = (int (*)(int *))dlsym(handle, "cuDriverGetVersion");
  int devices = 0, error = init(0);
  if (error) {
    describe(handle, error, "cuInit");
    return;
  }
  error = device_count(&devices);
  if (error) {
    describe(handle, error, "cuDeviceGetCount");
    return;
  }
  if (devices == 0) {
    snprintf(reason, sizeof reason, "%s: the CUDA driver has no device", library);
    return;
  }
  for (int i = 0; i < entries; i++) {
    void *entry = dlsym(handle, names[i]);
    cudashim_table[i] = entry ? entry : (void *)not_supported;
  }
  usable = 1;
}

int cuInit(unsigned flags) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  (void)flags;
  pthread_once(&once, start);
  return success;
}

int cuDeviceGetCount(int *count) {
  if (usable) return device_count(count);
  *count = 0;
  return success;
}

int cuDriverGetVersion(int *version) {
  if (driver_version) return driver_version(version);
  *version = 0;
  return success;
}

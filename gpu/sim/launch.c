// Launches: the threads of a kernel, one after another, through its host twin. Every
// range of memory that a twin asks for is checked; one out of bounds ends the kernel
// with CUDA_ERROR_ILLEGAL_ADDRESS, which sticks, as on a device.
#include "sim.h"
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

// What a thread of the kernel is; kernels read it.
_Thread_local struct cudasim_index { unsigned tid, ctaid, ntid, nctaid; } cudasim_index;

static struct {
  CUcontext ctx;
  const char *name;
  sigjmp_buf out;
} running;

static void threads(const struct operation *o) {
  void (*run)(const u64 *) = o->function->twin->run;
  u64 all = (u64)o->grid * o->block;
  cudasim_index.ntid = o->block;
  cudasim_index.nctaid = o->grid;
  for (u64 i = 0; i < all; i++) {
    u64 thread = options.backward ? all - 1 - i : i;
    cudasim_index.ctaid = (unsigned)(thread / o->block);
    cudasim_index.tid = (unsigned)(thread % o->block);
    run(o->arguments);
  }
}

CUresult launch_run(CUcontext c, const struct operation *o) {
  if (o->code) {
    fault("injected %s in kernel %s", error_name(o->code), o->function->name);
    return o->code;
  }
  running.ctx = c;
  running.name = o->function->name;
  if (sigsetjmp(running.out, 0)) return CUDA_ERROR_ILLEGAL_ADDRESS;
  threads(o);
  return CUDA_SUCCESS;
}

// cudasim_memory gives a twin the host's view of nbytes at a device address. It does not
// return where they are in no live allocation of the kernel's context.
void *cudasim_memory(u64 address, u64 nbytes, int write) {
  static struct allocation *seen[4]; // the last ones: kernels ask again and again
  static unsigned next;
  (void)write;
  for (int i = 0; i < 4; i++) {
    struct allocation *a = seen[i];
    if (!a || !a->bytes || a->ctx != running.ctx || address < a->base) continue;
    u64 offset = address - a->base;
    if (offset <= a->size && nbytes <= a->size - offset) return a->bytes + offset;
  }
  u8 *at = memory_at(address, nbytes, running.ctx, running.ctx->device, running.name);
  if (!at) siglongjmp(running.out, 1);
  seen[next++ % 4] = memory_find(address);
  return at;
}

static u64 *arguments_copy(int n, void **parameters) {
  u64 *arguments = calloc(n ? n : 1, sizeof *arguments);
  for (int i = 0; arguments && i < n; i++) memcpy(&arguments[i], parameters[i], sizeof *arguments);
  return arguments;
}

static CUresult unsupported(const char *name, const char *why) {
  process.unsupported++;
  fault("kernel %s: %s", name, why);
  return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult cuLaunchKernel(CUfunction handle, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, CUstream stream, void **parameters, void **extra) {
  ENTRY_IN_CONTEXT;
  CUfunction f = function_find(ctx, handle);
  CUstream s = stream_find(ctx, stream);
  if (!f || !s) return CUDA_ERROR_INVALID_HANDLE;
  if (!gx || !gy || !gz || !bx || !by || !bz || (u64)bx * by * bz > 1024 || gx > 0x7fffffff || shared > 48 << 10) return CUDA_ERROR_INVALID_VALUE;
  if (extra || (f->parameters && !parameters)) return CUDA_ERROR_INVALID_VALUE;
  if (gy != 1 || gz != 1 || by != 1 || bz != 1) return unsupported(f->name, "launches have one dimension");
  if (f->parameters < 0) return unsupported(f->name, "a parameter is no 64-bit integer");
  if (!f->twin) return unsupported(f->name, "simulated CUDA was built without a twin that has its parameters");
  struct operation *o = operation_new(op_launch);
  if (o) o->arguments = arguments_copy(f->parameters, parameters);
  if (!o || !o->arguments) {
    free(o);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  o->function = f;
  o->grid = gx;
  o->block = bx;
  ctx->device->count.launches++;
  if (options.launch_fail_at && --options.launch_fail_at == 0) {
    o->code = options.launch_fail_code;
    process.injected++;
  }
  return submit(s, o);
}

CUresult cuFuncGetAttribute(int *out, CUfunction_attribute attribute, CUfunction handle) {
  ENTRY_IN_CONTEXT;
  if (!function_find(ctx, handle)) return CUDA_ERROR_INVALID_HANDLE;
  if (!out) return CUDA_ERROR_INVALID_VALUE;
  *out = attribute == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK ? 1024 : 0;
  return CUDA_SUCCESS;
}

// Entry points about devices.
#include "sim.h"
#include <stdio.h>
#include <string.h>

static struct device *device(CUdevice d) { return d >= 0 && d < options.devices ? &devices[d] : NULL; }

CUresult cuDriverGetVersion(int *out) {
  HOLD;
  if (!out) return CUDA_ERROR_INVALID_VALUE;
  *out = 12020; // driver 535's
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *out) {
  ENTRY;
  if (!out) return CUDA_ERROR_INVALID_VALUE;
  *out = options.devices;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *out, int ordinal) {
  ENTRY;
  if (!device(ordinal)) return CUDA_ERROR_INVALID_DEVICE;
  *out = ordinal;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *out, int n, CUdevice d) {
  ENTRY;
  if (!device(d)) return CUDA_ERROR_INVALID_DEVICE;
  if (!out || n <= 0) return CUDA_ERROR_INVALID_VALUE;
  snprintf(out, n, "simulated CUDA device %d (sm_%d)", d, options.capability);
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid(CUuuid *out, CUdevice d) {
  ENTRY;
  if (!device(d)) return CUDA_ERROR_INVALID_DEVICE;
  if (!out) return CUDA_ERROR_INVALID_VALUE;
  memcpy(out->bytes, "simulated CUDA \0", sizeof out->bytes);
  out->bytes[15] = (char)('0' + d);
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetPCIBusId(char *out, int n, CUdevice d) {
  ENTRY;
  if (!device(d)) return CUDA_ERROR_INVALID_DEVICE;
  if (!out || n <= 0) return CUDA_ERROR_INVALID_VALUE;
  snprintf(out, n, "ffff:%02x:00.0", d);
  return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem(size_t *out, CUdevice d) {
  ENTRY;
  if (!device(d)) return CUDA_ERROR_INVALID_DEVICE;
  if (!out) return CUDA_ERROR_INVALID_VALUE;
  *out = options.capacity;
  return CUDA_SUCCESS;
}

static int attribute(CUdevice_attribute a) {
  switch (a) {
  case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
  case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X: return 1024;
  case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y:
  case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z: return 1; // launches have one dimension
  case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X: return 0x7fffffff;
  case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y:
  case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z: return 1;
  case CU_DEVICE_ATTRIBUTE_WARP_SIZE: return 32;
  case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: return 4;
  case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK: return 48 << 10;
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: return options.capability / 10;
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR: return options.capability % 10;
  case CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING:
  case CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT: return 1;
  default: return 0;
  }
}

CUresult cuDeviceGetAttribute(int *out, CUdevice_attribute a, CUdevice d) {
  ENTRY;
  if (!device(d)) return CUDA_ERROR_INVALID_DEVICE;
  if (!out) return CUDA_ERROR_INVALID_VALUE;
  *out = attribute(a);
  return CUDA_SUCCESS;
}

// No device reaches another's memory: cuMemcpyPeer goes through the host.
CUresult cuDeviceCanAccessPeer(int *out, CUdevice d, CUdevice peer) {
  ENTRY;
  if (!device(d) || !device(peer)) return CUDA_ERROR_INVALID_DEVICE;
  if (!out) return CUDA_ERROR_INVALID_VALUE;
  *out = 0;
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *out, CUdevice d) {
  ENTRY;
  struct device *v = device(d);
  if (!v) return CUDA_ERROR_INVALID_DEVICE;
  if (!out) return CUDA_ERROR_INVALID_VALUE;
  REFUSE(stuck());
  if (!v->primary && !(v->primary = context_new(v, v->primary_flags))) return CUDA_ERROR_OUT_OF_MEMORY;
  v->retained++;
  *out = v->primary;
  return CUDA_SUCCESS;
}

static void end_primary(struct device *v) {
  if (v->primary) context_end(v->primary);
  v->primary = NULL;
  v->retained = 0;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice d) {
  ENTRY;
  struct device *v = device(d);
  if (!v) return CUDA_ERROR_INVALID_DEVICE;
  if (!v->retained) return CUDA_ERROR_INVALID_CONTEXT;
  if (--v->retained == 0) end_primary(v);
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxReset(CUdevice d) {
  ENTRY;
  if (!device(d)) return CUDA_ERROR_INVALID_DEVICE;
  end_primary(device(d));
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice d, unsigned *flags, int *active) {
  ENTRY;
  if (!device(d)) return CUDA_ERROR_INVALID_DEVICE;
  if (flags) *flags = device(d)->primary_flags;
  if (active) *active = device(d)->primary != NULL;
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice d, unsigned flags) {
  ENTRY;
  if (!device(d)) return CUDA_ERROR_INVALID_DEVICE;
  device(d)->primary_flags = flags;
  return CUDA_SUCCESS;
}

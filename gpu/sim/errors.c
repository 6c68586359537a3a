// Errors: those to inject (fail=NAME@N:CODE), those that stay, and their names.
#include "sim.h"
#include <stdlib.h>
#include <string.h>

static struct rule {
  char name[64];
  u64 at; // calls to come, 0: the place is free
  CUresult code;
} rules[16];

static CUresult sticky;

// same compares names without the version that cuda.h gives them: cuMemAlloc_v2.
static int same(const char *entry, const char *name) {
  size_t n = strcspn(entry, "_"), m = strcspn(name, "_");
  return n == m && !strncmp(entry, name, n);
}

CUresult rule_add(const char *name, u64 at, CUresult code) {
  for (struct rule *r = rules; r < rules + sizeof rules / sizeof *rules; r++) {
    if (r->at) continue;
    strncpy(r->name, name, sizeof r->name - 1);
    r->at = at;
    r->code = code;
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_OUT_OF_MEMORY;
}

void rules_clear(void) { memset(rules, 0, sizeof rules); }

CUresult rule_applies(const char *entry) {
  CUresult code = CUDA_SUCCESS;
  for (struct rule *r = rules; r < rules + sizeof rules / sizeof *rules; r++) {
    if (!r->at || !same(entry, r->name) || --r->at || code) continue;
    code = r->code;
  }
  if (!code) return code;
  process.injected++;
  fault("%s: injected %s (%d)", entry, error_name(code), code);
  return stick(code);
}

// stick keeps the errors after which a CUDA driver refuses all further work of the
// process: those of work that went wrong on the device.
CUresult stick(CUresult e) {
  switch ((int)e) {
  case CUDA_ERROR_ECC_UNCORRECTABLE:
  case CUDA_ERROR_ILLEGAL_ADDRESS:
  case CUDA_ERROR_LAUNCH_TIMEOUT:
  case CUDA_ERROR_ASSERT:
  case CUDA_ERROR_HARDWARE_STACK_ERROR:
  case CUDA_ERROR_ILLEGAL_INSTRUCTION:
  case CUDA_ERROR_MISALIGNED_ADDRESS:
  case CUDA_ERROR_INVALID_ADDRESS_SPACE:
  case CUDA_ERROR_INVALID_PC:
  case CUDA_ERROR_LAUNCH_FAILED:
  case CUDA_ERROR_NVLINK_UNCORRECTABLE:
  case CUDA_ERROR_MPS_CLIENT_TERMINATED:
  case CUDA_ERROR_EXTERNAL_DEVICE:
  case 226: // CONTAINED, 721: TENSOR_MEMORY_LEAK. Newer headers name them
  case 721:
    if (!sticky) sticky = e;
  }
  return e;
}

void unstick(void) { sticky = CUDA_SUCCESS; }
CUresult stuck(void) { return sticky; }

static const struct {
  int code;
  const char *name;
} names[] = {
#define E(name) {name, #name},
#include "errors.inc"
#undef E
};

const char *error_name(int code) {
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (names[i].code == code) return names[i].name;
  return NULL;
}

// Both answer without cuInit.
CUresult cuGetErrorName(CUresult e, const char **out) {
  if (!out || !(*out = error_name(e))) return CUDA_ERROR_INVALID_VALUE;
  return CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult e, const char **out) { return cuGetErrorName(e, out); }

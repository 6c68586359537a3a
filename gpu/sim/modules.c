// Modules: the entries of a PTX text, each with its host twin. The text gives names and
// numbers of parameters; the code that runs is the twin's, compiled from the same source.
#include "sim.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { newest_ptx = 82 }; // driver 535 reads 8.2

static const struct twin *twin_find(const char *name) {
  for (const struct twin *t = cudasim_twins; t->name; t++)
    if (!strcmp(t->name, name)) return t;
  return NULL;
}

// parameters counts those between an entry's name and its closing bracket; -1 where one
// is not a 64-bit integer, since that is what every kernel of this project takes.
static int parameters(const char *from, const char *to) {
  int n = 0;
  for (const char *p = from; (p = strstr(p, ".param ")) && p < to; p += strlen(".param ")) {
    const char *type = p + strlen(".param ");
    if (strncmp(type, ".u64", 4) && strncmp(type, ".b64", 4)) return -1;
    n++;
  }
  return n;
}

// entry reads one ".entry name(...)"; NULL when the text is none or memory is short.
static CUfunction entry(const char *text) {
  int length = 0;
  CUfunction f = calloc(1, sizeof *f);
  if (!f || sscanf(text, ".entry %127[A-Za-z0-9_$]%n", f->name, &length) != 1) {
    free(f);
    return NULL;
  }
  const char *from = text + length, *to = from + strcspn(from, "{;");
  f->parameters = parameters(from, to);
  const struct twin *t = twin_find(f->name);
  if (t && t->parameters == f->parameters) f->twin = t;
  return f;
}

static CUresult check(const char *ptx) {
  int major, minor, capability;
  const char *version = strstr(ptx, ".version"), *target = strstr(ptx, ".target sm_");
  if (!version || !target || sscanf(version, ".version %d.%d", &major, &minor) != 2 || sscanf(target, ".target sm_%d", &capability) != 1) {
    fault("module: no PTX: .version or .target sm_ is missing");
    return CUDA_ERROR_INVALID_IMAGE;
  }
  if (10 * major + minor > newest_ptx) {
    fault("module: PTX %d.%d, want %d.%d or older", major, minor, newest_ptx / 10, newest_ptx % 10);
    return CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
  }
  if (capability > options.capability) {
    fault("module: code for sm_%d, the device is sm_%d", capability, options.capability);
    return CUDA_ERROR_INVALID_PTX;
  }
  return CUDA_SUCCESS;
}

CUresult module_load(CUcontext c, const char *ptx, CUmodule *out) {
  if (!ptx || !out) return CUDA_ERROR_INVALID_VALUE;
  REFUSE(check(ptx));
  CUmodule m = calloc(1, sizeof *m);
  if (!m) return CUDA_ERROR_OUT_OF_MEMORY;
  m->ctx = c;
  for (const char *p = ptx; (p = strstr(p, ".entry ")); p += strlen(".entry ")) {
    CUfunction f = entry(p);
    if (!f) {
      module_free(m);
      fault("module: an .entry has no name");
      return CUDA_ERROR_INVALID_PTX;
    }
    f->module = m;
    f->next = m->functions;
    m->functions = f;
  }
  m->next = c->modules;
  c->modules = m;
  c->device->count.modules_live++;
  *out = m;
  return CUDA_SUCCESS;
}

CUmodule module_find(CUcontext c, CUmodule handle) {
  for (CUmodule m = c->modules; m; m = m->next)
    if (m == handle) return m;
  return NULL;
}

void module_free(CUmodule m) {
  for (CUfunction f; (f = m->functions); free(f)) m->functions = f->next;
  free(m);
}

// function_find knows the functions of the context's own modules: a function is of no
// use in another.
CUfunction function_find(CUcontext c, CUfunction handle) {
  for (CUmodule m = c->modules; m; m = m->next)
    for (CUfunction f = m->functions; f; f = f->next)
      if (f == handle) return f;
  return NULL;
}

CUresult cuModuleLoadData(CUmodule *out, const void *image) {
  ENTRY_IN_CONTEXT;
  return module_load(ctx, image, out);
}

CUresult cuModuleLoadDataEx(CUmodule *out, const void *image, unsigned n, CUjit_option *option, void **value) {
  ENTRY_IN_CONTEXT;
  (void)n, (void)option, (void)value;
  return module_load(ctx, image, out);
}

CUresult cuModuleUnload(CUmodule handle) {
  ENTRY_IN_CONTEXT;
  CUmodule m = module_find(ctx, handle);
  if (!m) return CUDA_ERROR_INVALID_HANDLE;
  run_context(ctx); // queued launches have its functions
  for (CUmodule *link = &ctx->modules; *link; link = &(*link)->next)
    if (*link == m) {
      *link = m->next;
      break;
    }
  module_free(m);
  ctx->device->count.modules_live--;
  return stuck();
}

CUresult cuModuleGetFunction(CUfunction *out, CUmodule handle, const char *name) {
  ENTRY_IN_CONTEXT;
  CUmodule m = module_find(ctx, handle);
  if (!m) return CUDA_ERROR_INVALID_HANDLE;
  if (!out || !name) return CUDA_ERROR_INVALID_VALUE;
  for (CUfunction f = m->functions; f; f = f->next)
    if (!strcmp(f->name, name)) {
      *out = f;
      return CUDA_SUCCESS;
    }
  return CUDA_ERROR_NOT_FOUND;
}

// Page-locked host memory: allocated here, or the program's own and registered. It
// decides which asynchronous copies are late: only those the CUDA driver reaches by
// itself, without staging.
#include "sim.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct pinned {
  u8 *at;
  size_t n;
  int registered; // the program's own memory
  CUcontext ctx;
  struct pinned *next;
} *all;

static CUresult add(CUcontext ctx, u8 *at, size_t n, int registered) {
  struct pinned *p = malloc(sizeof *p);
  if (!p) return CUDA_ERROR_OUT_OF_MEMORY;
  *p = (struct pinned){at, n, registered, ctx, all};
  all = p;
  process.pinned_live++;
  process.pinned_bytes += n;
  return CUDA_SUCCESS;
}

// take removes the entry that begins at a pointer; 0 when there is none.
static int take(const void *at, int registered, struct pinned *out) {
  for (struct pinned **link = &all; *link; link = &(*link)->next) {
    struct pinned *p = *link;
    if (p->at != at || p->registered != registered) continue;
    *out = *p;
    *link = p->next;
    free(p);
    process.pinned_live--;
    process.pinned_bytes -= out->n;
    return 1;
  }
  return 0;
}

// Its own mapping: once freed, the host's next touch is a fault.
static size_t whole(size_t n) {
  size_t page = sysconf(_SC_PAGESIZE);
  return (n + page - 1) / page * page;
}

CUresult pinned_allocate(CUcontext ctx, size_t n, void **out) {
  if (!out || n == 0 || n > SIZE_MAX / 2) return CUDA_ERROR_INVALID_VALUE;
  void *at = mmap(NULL, whole(n), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) return CUDA_ERROR_OUT_OF_MEMORY;
  // Each has content of its own until a copy arrives: who reads too soon sees it.
  static u8 number;
  memset(at, 0x81 + number++ % 0x7f, n);
  CUresult e = add(ctx, at, n, 0);
  if (e) munmap(at, whole(n));
  else *out = at;
  return e;
}

CUresult pinned_free(void *at) {
  struct pinned p;
  if (!at || !take(at, 0, &p)) {
    fault("cuMemFreeHost: %p is not the start of pinned memory", at);
    return CUDA_ERROR_INVALID_VALUE;
  }
  munmap(p.at, whole(p.n));
  return CUDA_SUCCESS;
}

CUresult pinned_register(CUcontext ctx, void *at, size_t n) {
  if (!at || n == 0) return CUDA_ERROR_INVALID_VALUE;
  for (struct pinned *p = all; p; p = p->next)
    if ((u8 *)at < p->at + p->n && p->at < (u8 *)at + n) return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
  return add(ctx, at, n, 1);
}

CUresult pinned_unregister(void *at) {
  struct pinned p;
  return take(at, 1, &p) ? CUDA_SUCCESS : CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
}

int pinned_holds(const void *at, size_t n) {
  for (struct pinned *p = all; p; p = p->next)
    if ((u8 *)at >= p->at && n <= p->n && (size_t)((u8 *)at - p->at) <= p->n - n) return 1;
  return 0;
}

void pinned_end(CUcontext ctx) {
  for (struct pinned *p = all, *next; p; p = next) {
    next = p->next;
    if (p->ctx != ctx) continue;
    struct pinned gone;
    if (!take(p->at, p->registered, &gone)) continue;
    if (!gone.registered) munmap(gone.at, whole(gone.n));
    if (!stuck()) ctx->device->count.leaked_pinned++;
  }
}

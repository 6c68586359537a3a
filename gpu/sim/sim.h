// What the files of simulated CUDA share. Simulated CUDA is a test double of the CUDA
// driver (libcuda.so.1) for machines without a GPU: it keeps the rules of device
// memory, streams and errors, and breaks on purpose what it is asked to break.
// SIMULATED.md says what it proves and what it does not.
//
// One lock is held in every entry point and while work runs. Nothing below takes it.
#pragma once
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <cuda.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

typedef unsigned long long u64;
typedef unsigned char u8;

enum { max_devices = 8 };

// ---- options.c: what the environment's CUDASIM and cudasim_control set

enum copy_kind { htod, dtoh, dtod, copy_kinds };

struct options {
  u64 capacity;              // bytes of memory a device has
  int devices;               // how many
  int capability;            // 80: sm_80
  int eager;                 // work runs when it is submitted
  int late_pageable;         // asynchronous copies with pageable memory run at synchronisation too
  int late_copies;           // synchronous copies wait for every stream of the context
  int backward;              // the threads of a kernel run from the last to the first
  int plain_memory;          // freed memory is given again, as it is
  int shared_info;           // cuMemGetInfo counts neighbours, in granules
  u64 oom_at, oom_from;      // allocations to come until one fails, until all fail; 0: none
  u64 launch_fail_at;        // launches to come until one fails when it runs; 0: none
  int launch_fail_code;
  u64 corrupt_at[copy_kinds]; // copies to come until one has a bit flipped; 0: none
  int verbose;               // faults are written to standard error
};
extern struct options options;

int options_read(const char *text); // 0, or -1 and a message on standard error
void options_clear_faults(void);

// ---- errors.c: injected and sticky errors

CUresult rule_add(const char *name, u64 at, CUresult code); // CUDA_SUCCESS: there was room
void rules_clear(void);
CUresult rule_applies(const char *entry); // the error that this call has to return
CUresult stick(CUresult);                 // the error stays, if it is of that kind; returned as it came
void unstick(void);
CUresult stuck(void);
const char *error_name(int code); // NULL: no such error

// ---- report.c: counters, the last fault, the stats file

// COUNTERS(X): each counter once, in the order of the report.
#define COUNTERS(X)                                                                      \
  X(live_allocs) X(live_bytes) X(peak_bytes) X(allocs) X(frees)                          \
  X(launches) X(h2d) X(d2h) X(d2d) X(h2d_bytes) X(d2h_bytes) X(d2d_bytes) X(memsets)     \
  X(oob) X(uaf) X(double_free) X(free_pending) X(pageable_async)                         \
  X(ctx_live) X(streams_live) X(events_live) X(modules_live) X(pinned_live)              \
  X(pinned_bytes) X(leaked_allocs) X(leaked_bytes) X(leaked_streams) X(leaked_events)    \
  X(leaked_modules) X(leaked_pinned) X(bad_ctx) X(unsupported) X(injected)

struct counters {
#define X(name) u64 name;
  COUNTERS(X)
#undef X
};
extern struct counters process; // what belongs to no device
extern u64 peak_bytes;          // of all devices together

int report_write(char *buffer, size_t n); // as snprintf
int stats_open(const char *path);         // 0 or -1
void stats_publish(void);
void fault(const char *format, ...) __attribute__((format(printf, 1, 2)));
void fault_clear(void);

// ---- context.c: devices, contexts, the stack of contexts of a thread

struct device {
  int ordinal;
  struct counters count;
  CUcontext primary;
  int retained;
  unsigned primary_flags;
};
extern struct device devices[max_devices];
extern int initialised;

struct CUstream_st {
  CUcontext ctx;
  unsigned flags;
  int priority;
  struct operation *head, *tail;
  CUstream next;
};

struct CUctx_st {
  struct device *device;
  unsigned flags;
  int dead; // kept, so that a stale handle is known
  struct CUstream_st null;
  CUstream streams; // the newest first
  CUevent events;
  CUmodule modules;
  CUcontext next;
};
extern CUcontext contexts;

CUcontext context_new(struct device *, unsigned flags);
CUcontext context_find(CUcontext); // NULL: no such handle
void context_end(CUcontext);       // what is left in it is leaked
CUcontext context_current(void);
CUresult context_push(CUcontext);
CUcontext context_pop(void);

// ---- memory.c: device memory

struct allocation {
  CUdeviceptr base;
  u64 size;
  u64 number; // of all allocations, from 1
  u8 *bytes;  // NULL once freed
  u8 *spare;  // of what was freed, where it may be given again
  CUcontext ctx;
};
extern struct allocation **allocations; // by address
extern size_t allocations_len;

int memory_open(void); // reserves the addresses; 0 or -1
CUresult memory_allocate(CUcontext, u64 nbytes, CUdeviceptr *out);
void memory_free(struct allocation *);
struct allocation *memory_find(CUdeviceptr); // live or freed; NULL: nothing begins at or before it
int memory_is_device(u64 address);
// The host's view of nbytes at p; NULL, counted and with a fault, where they are in no
// live allocation of the context (ctx NULL: of any).
u8 *memory_at(CUdeviceptr p, u64 nbytes, CUcontext ctx, struct device *blame, const char *what);

// ---- pinned.c: page-locked host memory

CUresult pinned_allocate(CUcontext, size_t nbytes, void **out);
CUresult pinned_free(void *);
CUresult pinned_register(CUcontext, void *, size_t nbytes);
CUresult pinned_unregister(void *);
int pinned_holds(const void *, size_t nbytes);
void pinned_end(CUcontext);

// ---- work.c: streams of operations, and when they run

enum operation_kind { op_copy, op_set, op_launch, op_record, op_wait };

struct operation {
  enum operation_kind kind;
  u64 seq;    // the order of submission, from 1
  size_t n;   // bytes of a copy, elements of a memset
  enum copy_kind copy;
  CUdeviceptr to, from;
  u8 *host;   // the host's side of a copy
  u8 *staged; // what it held at the call
  int corrupt;
  unsigned value, width;
  CUfunction function;
  unsigned grid, block;
  u64 *arguments;
  CUresult code; // what an injected launch failure is
  CUevent event;
  CUstream awaited;
  u64 awaited_seq;
  struct operation *next;
};

struct CUevent_st {
  CUcontext ctx;
  unsigned flags;
  u64 recorded, done; // seq of the last record submitted, run
  int pending;        // records queued
  int dead;           // destroyed, freed when nothing is pending
  CUstream stream;
  struct timespec at;
  CUevent next;
};

void event_free(CUevent);
struct operation *operation_new(enum operation_kind);
CUstream stream_find(CUcontext, CUstream); // the handle's stream, the NULL stream's too; NULL: none
CUresult submit(CUstream, struct operation *);
void run_until(CUstream, u64 seq); // what the stream has up to seq, and what has to run before it
void run_stream(CUstream);
void run_context(CUcontext);
void run_everything(void);
void run_some(CUstream); // one operation
int memory_awaited(const struct allocation *); // by work that is queued
void stream_drop(CUstream); // frees what is queued, unrun

// ---- copies.c

CUresult copy_submit(CUcontext, struct operation *, CUstream, int async);
CUresult set_submit(CUcontext, CUdeviceptr, unsigned value, unsigned width, size_t n, CUstream);

// ---- modules.c and launch.c: PTX's entries and their host twins

struct twin {
  const char *name;
  int parameters;
  void (*run)(const u64 *arguments); // one thread of the kernel
};
extern const struct twin cudasim_twins[]; // generated; the last has no name

struct CUfunc_st {
  char name[128];
  CUmodule module;
  int parameters;
  const struct twin *twin; // NULL: it cannot run
  CUfunction next;
};

struct CUmod_st {
  CUcontext ctx;
  CUfunction functions;
  CUmodule next;
};

CUresult module_load(CUcontext, const char *ptx, CUmodule *out);
CUmodule module_find(CUcontext, CUmodule);
void module_free(CUmodule);
CUfunction function_find(CUcontext, CUfunction);
CUresult launch_run(CUcontext, const struct operation *);
void *cudasim_memory(u64 address, u64 nbytes, int write);

// ---- entry.c: what every entry point begins with

extern pthread_mutex_t lock;
int entry_hold(void);
void entry_leave(int *);
CUresult entry_begin(const char *name);
CUresult entry_context(const char *name, CUcontext *out);

#define HOLD __attribute__((cleanup(entry_leave), unused)) int held = entry_hold()
#define REFUSE(expression)        \
  do {                            \
    CUresult early = expression;  \
    if (early) return early;      \
  } while (0)
#define ENTRY \
  HOLD;       \
  REFUSE(entry_begin(__func__))
#define ENTRY_IN_CONTEXT \
  ENTRY;                 \
  CUcontext ctx;         \
  REFUSE(entry_context(__func__, &ctx))

// The options: CUDASIM="key=value,key=value" in the environment, and the same text by
// cudasim_control at any time. A text that cannot be read is an error: a fault that is
// not injected proves nothing.
#include "sim.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options options = {
    .capacity = 1ull << 30,
    .devices = 1,
    .capability = 80,
    .launch_fail_code = CUDA_ERROR_LAUNCH_FAILED,
};

// number reads all of text: digits, and K, M or G where a size is read.
static int number(const char *text, int size, u64 *out) {
  char *end;
  if (*text < '0' || *text > '9') return -1;
  u64 v = strtoull(text, &end, 10);
  if (size && *end == 'K') v <<= 10, end++;
  else if (size && *end == 'M') v <<= 20, end++;
  else if (size && *end == 'G') v <<= 30, end++;
  if (*end) return -1;
  *out = v;
  return 0;
}

static int within(const char *text, u64 low, u64 high, int *out) {
  u64 v;
  if (number(text, 0, &v) || v < low || v > high) return -1;
  *out = (int)v;
  return 0;
}

// either reads one of two words: 1 for the first, 0 for the second.
static int either(const char *text, const char *one, const char *zero, int *out) {
  if (strcmp(text, one) && strcmp(text, zero)) return -1;
  *out = !strcmp(text, one);
  return 0;
}

static int set_devices(const char *v) { return initialised ? -1 : within(v, 0, max_devices, &options.devices); }
static int set_capacity(const char *v) { return number(v, 1, &options.capacity); }
static int set_capability(const char *v) { return initialised ? -1 : within(v, 30, 150, &options.capability); }
static int set_work(const char *v) { return either(v, "eager", "lazy", &options.eager); }
static int set_pageable(const char *v) { return either(v, "defer", "stage", &options.late_pageable); }
static int set_copies(const char *v) { return either(v, "late", "early", &options.late_copies); }
static int set_threads(const char *v) { return either(v, "backward", "forward", &options.backward); }
static int set_memory(const char *v) { return either(v, "plain", "poisoned", &options.plain_memory); }
static int set_info(const char *v) { return either(v, "shared", "exact", &options.shared_info); }
static int set_oom_at(const char *v) { return number(v, 0, &options.oom_at); }
static int set_oom_from(const char *v) { return number(v, 0, &options.oom_from); }
static int set_launch_fail_at(const char *v) { return number(v, 0, &options.launch_fail_at); }
static int set_launch_fail_code(const char *v) { return within(v, 1, 999, &options.launch_fail_code); }
static int set_verbose(const char *v) { return within(v, 0, 1, &options.verbose); }

static int set_corrupt_at(const char *v) {
  enum copy_kind kind = htod;
  if (!strncmp(v, "htod@", 5)) v += 5;
  else if (!strncmp(v, "dtoh@", 5)) kind = dtoh, v += 5;
  else if (!strncmp(v, "dtod@", 5)) kind = dtod, v += 5;
  return number(v, 0, &options.corrupt_at[kind]);
}

static int set_fail(const char *v) {
  char name[64], end;
  u64 at;
  int code;
  if (sscanf(v, "cu%60[A-Za-z0-9_]@%llu:%d%c", name + 2, &at, &code, &end) != 3 || at == 0 || !error_name(code) || !code) return -1;
  memcpy(name, "cu", 2);
  return rule_add(name, at, code) ? -1 : 0;
}

static const struct {
  const char *name;
  int (*set)(const char *value);
  const char *want;
} table[] = {
    {"devices", set_devices, "0 to 8, before cuInit"},
    {"cap", set_capacity, "a device's memory: bytes, or 64K, 64M, 2G"},
    {"cc", set_capability, "a compute capability such as 80, before cuInit"},
    {"work", set_work, "lazy or eager"},
    {"pageable", set_pageable, "stage or defer"},
    {"copies", set_copies, "early or late"},
    {"threads", set_threads, "forward or backward"},
    {"memory", set_memory, "poisoned or plain"},
    {"info", set_info, "exact or shared"},
    {"oom_at", set_oom_at, "the number of an allocation from now, from 1; 0 for none"},
    {"oom_from", set_oom_from, "the number of an allocation from now, from 1; 0 for none"},
    {"launch_fail_at", set_launch_fail_at, "the number of a launch from now, from 1; 0 for none"},
    {"launch_fail_code", set_launch_fail_code, "the number of a CUDA error"},
    {"corrupt_at", set_corrupt_at, "the number of a copy from now, from 1, or dtoh@2, dtod@2; 0 for none"},
    {"fail", set_fail, "cuNAME@N:CODE, the Nth call from now and the number of a CUDA error; 16 at most"},
    {"stats", stats_open, "a file that can be written"},
    {"verbose", set_verbose, "0 or 1"},
};

static int complain(const char *what, const char *want) {
  fprintf(stderr, "simulated CUDA: option %s: want %s\n", what, want);
  return -1;
}

// set reads one option; 0 or -1.
static int set(char *option) {
  if (!strcmp(option, "reset")) {
    options_clear_faults();
    return 0;
  }
  char *equals = strchr(option, '=');
  size_t n = equals ? (size_t)(equals - option) : strlen(option);
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (strlen(table[i].name) == n && !strncmp(table[i].name, option, n))
      return equals && !table[i].set(equals + 1) ? 0 : complain(option, table[i].want);
  return complain(option, "one that SIMULATED.md lists");
}

int options_read(const char *text) {
  char *copy = strdup(text), *rest = NULL;
  int bad = copy ? 0 : -1;
  for (char *option = copy ? strtok_r(copy, ", ", &rest) : NULL; option && !bad; option = strtok_r(NULL, ", ", &rest)) bad = set(option);
  free(copy);
  return bad;
}

// options_clear_faults is the option reset: nothing injected is left to come, nothing
// that happened sticks. No CUDA driver can do this.
void options_clear_faults(void) {
  options.oom_at = options.oom_from = options.launch_fail_at = 0;
  memset(options.corrupt_at, 0, sizeof options.corrupt_at);
  rules_clear();
  unstick();
  fault_clear();
}

int cudasim_control(const char *text) {
  HOLD;
  return options_read(text);
}

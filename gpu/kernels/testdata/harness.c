// Runs host twins for the tests, over pipes. A request is a line, then the bytes
// that it announces; so is the answer, "ok N" or "fault WORDS".
//
//   alloc N              -> the address, as a line
//   write ADDRESS N
//   read ADDRESS N
//   launch NAME BLOCKS THREADS ORDER ARG...   ORDER: 0 ascending, 1 descending, 2 by strides
//   clear                every allocation goes
//
// Each allocation has exactly its bytes: the addresses around it are no one's.
// twins.h, made by the test, has a wrapper for each kernel.
#include <inttypes.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "twins.h"

enum { MOST = 256 };
static const u64 BASE = 0x7000000000000000, APART = 1ull << 36;
static struct { u8 *at; u64 nbytes; } held[MOST];
static int count;

_Thread_local struct cudasim_index cudasim_index;
static jmp_buf fault;
static char words[200];

void *cudasim_memory(u64 address, u64 nbytes, int write) {
  u64 i = (address - BASE) / APART, from = (address - BASE) % APART;
  if (address >= BASE && i < (u64)count && nbytes <= held[i].nbytes && from <= held[i].nbytes - nbytes) return held[i].at + from;
  snprintf(words, sizeof words, "%s of %llu bytes at %#llx", write ? "write" : "read", nbytes, address);
  longjmp(fault, 1);
}

static void answer(const char *format, u64 value) {
  printf(format, value);
  putchar('\n');
}

// The threads one after the other, in one of the orders.
static void run(const struct twin *twin, const u64 *args, u64 blocks, u64 threads, u64 order) {
  u64 all = blocks * threads, stride = 1;
  if (order == 2)
    for (stride = all / 3 + 1;; stride++) { // one that has no factor in common, so that each thread has its turn
      u64 a = stride, b = all;
      while (b) { u64 rest = a % b; a = b; b = rest; }
      if (a == 1) break;
    }
  for (u64 i = 0, at = 0; i < all; i++, at = (at + stride) % all) {
    u64 thread = order == 1 ? all - 1 - i : at;
    cudasim_index = (struct cudasim_index){(u32)(thread % threads), (u32)(thread / threads), (u32)threads, (u32)blocks};
    twin->run(args);
  }
}

static int launch(char *line) {
  static char name[64];
  static u64 blocks, threads, order, args[16], n;
  static const struct twin *twin; // static: what a jump back must not lose
  int used;
  if (sscanf(line, "%63s %llu %llu %llu%n", name, &blocks, &threads, &order, &used) != 4) return 0;
  for (line += used, n = 0; n < 16 && sscanf(line, "%llu%n", &args[n], &used) == 1; line += used) n++;
  for (twin = twins; twin->name && strcmp(twin->name, name);) twin++;
  if (!twin->name || twin->parameters != n || blocks == 0 || threads == 0) return 0;
  if (setjmp(fault)) {
    printf("fault %s\n", words);
    return 1;
  }
  run(twin, args, blocks, threads, order);
  answer("ok %llu", 0);
  return 1;
}

static int serve(char *line) {
  u64 address, n;
  if (sscanf(line, "alloc %llu", &n) == 1 && n < APART && count < MOST) {
    held[count].at = aligned_alloc(256, (n / 256 + 1) * 256);
    held[count].nbytes = n;
    if (!held[count].at) return 0;
    answer("ok %llu", BASE + APART * (u64)count++);
    return 1;
  }
  if (sscanf(line, "write %llu %llu", &address, &n) == 2) {
    if (setjmp(fault)) return 0;
    if (fread(cudasim_memory(address, n, 1), 1, n, stdin) != n) return 0;
    answer("ok %llu", 0);
    return 1;
  }
  if (sscanf(line, "read %llu %llu", &address, &n) == 2) {
    if (setjmp(fault)) return 0;
    answer("ok %llu", n);
    fwrite(cudasim_memory(address, n, 0), 1, n, stdout);
    return 1;
  }
  if (!strncmp(line, "clear", 5)) {
    while (count > 0) free(held[--count].at);
    answer("ok %llu", 0);
    return 1;
  }
  return !strncmp(line, "launch ", 7) && launch(line + 7);
}

int main(void) {
  static char line[1024];
  while (fgets(line, sizeof line, stdin)) {
    if (!serve(line)) {
      fprintf(stderr, "harness: cannot serve: %s", line);
      return 1;
    }
    fflush(stdout);
  }
  return 0;
}

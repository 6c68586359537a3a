// The report: counters of each device and their sums, and the last fault in words, as
// JSON; and the stats file, which a parent process reads. A file, since an exit of Go
// runs no handler and no destructor.
#include "sim.h"
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { stats_size = 16384 };

struct counters process;
u64 peak_bytes;
static char last_fault[512];
static char *stats_page;

// text appends as snprintf does: at counts on where the buffer is full.
struct text {
  char *buffer;
  size_t n, at;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *t, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  size_t left = t->at < t->n ? t->n - t->at : 0;
  int wrote = vsnprintf(left ? t->buffer + t->at : NULL, left, format, arguments);
  va_end(arguments);
  if (wrote > 0) t->at += wrote;
}

static void add_string(struct text *t, const char *s) {
  add(t, "\"");
  for (; *s; s++) {
    if (*s == '"' || *s == '\\') add(t, "\\%c", *s);
    else if ((u8)*s < 0x20 || (u8)*s >= 0x7f) add(t, "?");
    else add(t, "%c", *s);
  }
  add(t, "\"");
}

static void add_counters(struct text *t, const struct counters *c) {
  const char *before = "";
#define X(name) add(t, "%s\"" #name "\":%llu", before, c->name), before = ",";
  COUNTERS(X)
#undef X
}

static struct counters sum(void) {
  struct counters total = process;
  for (int d = 0; d < options.devices; d++) {
#define X(name) total.name += devices[d].count.name;
    COUNTERS(X)
#undef X
  }
  total.peak_bytes = peak_bytes;
  return total;
}

int report_write(char *buffer, size_t n) {
  struct text t = {buffer, n, 0};
  struct counters total = sum();
  add(&t, "{\"simulated\":true,");
  add_counters(&t, &total);
  add(&t, ",\"last_fault\":");
  add_string(&t, last_fault);
  add(&t, ",\"devices\":[");
  for (int d = 0; d < options.devices; d++) {
    add(&t, "%s{\"ordinal\":%d,", d ? "," : "", d);
    add_counters(&t, &devices[d].count);
    add(&t, "}");
  }
  add(&t, "]}\n");
  return (int)t.at;
}

int stats_open(const char *path) {
  int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return -1;
  char *page = MAP_FAILED;
  if (!ftruncate(file, stats_size)) page = mmap(NULL, stats_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (page == MAP_FAILED) return -1;
  if (stats_page) munmap(stats_page, stats_size);
  stats_page = page;
  stats_publish();
  return 0;
}

// stats_publish pads with spaces: the file is JSON throughout.
void stats_publish(void) {
  if (!stats_page) return;
  char now[stats_size];
  int n = report_write(now, sizeof now);
  if (n >= stats_size) return;
  memset(now + n, ' ', stats_size - n);
  memcpy(stats_page, now, stats_size);
}

void fault(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(last_fault, sizeof last_fault, format, arguments);
  va_end(arguments);
  if (options.verbose) fprintf(stderr, "simulated CUDA: %s\n", last_fault);
}

void fault_clear(void) { last_fault[0] = 0; }

int cudasim_report(char *buffer, size_t n) {
  HOLD;
  return report_write(buffer, n);
}

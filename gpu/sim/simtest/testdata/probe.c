#include "probe.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct thing things[256];

struct thing *thing(const char *name) {
  struct thing *t = things;
  for (; t->name[0]; t++)
    if (!strcmp(t->name, name)) return t;
  snprintf(t->name, sizeof t->name, "%s", name);
  return t;
}

CUstream stream_of(const char *name) { return name && strcmp(name, "null") ? thing(name)->handle : NULL; }

static u64 offset(const char *text, char name[32]) {
  const char *plus = strchr(text, '+');
  snprintf(name, 32, "%.*s", (int)(plus ? plus - text : (ptrdiff_t)strlen(text)), text);
  return plus ? strtoull(plus + 1, NULL, 0) : 0;
}

CUdeviceptr address_of(const char *text) {
  char name[32];
  u64 at = offset(text, name);
  return thing(name)->device + at;
}

unsigned char *host_of(const char *text) {
  char name[32];
  u64 at = offset(text, name);
  return thing(name)->host + at;
}

const char *answer(CUresult e) {
  const char *name = NULL;
  if (e == CUDA_SUCCESS) return "ok";
  if (cuGetErrorName(e, &name) || !name) {
    static char number[16];
    snprintf(number, sizeof number, "error %d", e);
    return number;
  }
  return name;
}

static command *find(const struct entry *table, const char *name) {
  for (; table->name; table++)
    if (!strcmp(table->name, name)) return table->run;
  return NULL;
}

const char *run(int argc, char **argv) {
  command *c = find(object_commands, argv[0]);
  if (!c) c = find(work_commands, argv[0]);
  if (!c) c = find(test_commands, argv[0]);
  return c ? c(argc, argv) : "no such command";
}

int main(void) {
  char line[1024];
  cuInit(0);
  while (fgets(line, sizeof line, stdin)) {
    char *argv[16] = {0}, *rest = NULL;
    int argc = 0;
    for (char *word = strtok_r(line, " \n", &rest); word && argc < 15; word = strtok_r(NULL, " \n", &rest)) argv[argc++] = word;
    if (!argc) continue;
    const char *said = run(argc, argv);
    if (said) puts(said);
    fflush(stdout);
  }
  return 0;
}

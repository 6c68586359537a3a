// probe runs a script of CUDA calls, a line each, and answers each line with a line:
// ok, the name of the error, or what was asked for.
#define _GNU_SOURCE
#include <cuda.h>
#include <stdint.h>
#include <stddef.h>

typedef unsigned long long u64;

// A name of the script: a context, an address, a stream, ...
struct thing {
  char name[32];
  void *handle;
  CUdeviceptr device;
  unsigned char *host;
  size_t n;
};

struct thing *thing(const char *name); // made when it is new
CUstream stream_of(const char *name);  // "null", or none: the NULL stream
CUdeviceptr address_of(const char *text); // NAME or NAME+OFFSET
unsigned char *host_of(const char *text);

// Each answers with ok or the error's name; NULL: it printed its answer.
typedef const char *command(int argc, char **argv);
const char *answer(CUresult);
const char *run(int argc, char **argv);

extern const struct entry {
  const char *name;
  command *run;
} object_commands[], work_commands[], test_commands[];

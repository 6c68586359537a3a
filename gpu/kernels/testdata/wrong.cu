// Kernels that use an array as it may not be, within memory that is there. Twins
// have to see both.
#include "kdefs.h"

// Copies element i of n.
KERNEL reach(u64 y, u64 x, u64 n, u64 i) {
  array in = READ(x, n * 4), out = WRITE(y, 4);
  PUT(u32, out, 0, GET(u32, in, i));
}

// Writes to what was taken for reading.
KERNEL write_what_is_read(u64 x, u64 n) {
  array in = READ(x, n * 4);
  PUT(u32, in, 0, 0);
}

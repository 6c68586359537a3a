// Kernels for the tests of simulated CUDA. They exist as host twins alone; their PTX
// is kernels.ptx, written by hand.
typedef unsigned int u32;
typedef unsigned long long u64;
extern _Thread_local struct cudasim_index { u32 tid, ctaid, ntid, nctaid; } cudasim_index;
extern void *cudasim_memory(u64 devptr, u64 nbytes, int write);
#define KERNEL void
#define THREAD() ((u64)cudasim_index.ctaid * cudasim_index.ntid + cudasim_index.tid)

// Each of n bytes becomes one more.
KERNEL add_one(u64 p, u64 n) {
  unsigned char *bytes = cudasim_memory(p, n, 1);
  if (THREAD() < n) bytes[THREAD()]++;
}

// The byte becomes the number of the thread that ran last.
KERNEL last_thread(u64 p) {
  *(unsigned char *)cudasim_memory(p, 1, 1) = (unsigned char)THREAD();
}

// It asks for one byte and writes far behind it.
KERNEL lies(u64 p, u64 beyond) {
  ((unsigned char *)cudasim_memory(p, 1, 1))[beyond] = 1;
}

// It does nothing.
KERNEL no_parameters() {
}

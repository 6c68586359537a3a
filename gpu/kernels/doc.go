// Package kernels has the kernels that run on a GPU: the quantiser and the causal
// convolution of the rollout, a comparison and a checksum, so that results are
// judged where they lie. Their source, kernels.cu, is compiled twice: into PTX,
// which is embedded here, and into host twins, which simulated CUDA runs and which
// check every access to memory. build.sh makes the PTX; check.sh proves that it is
// made of the source, and that it has no arithmetic but that of the Go code.
//
// A kernel's launch is made in three steps:
//
//	a shape     Pointwise, Causal, Difference or Checksum says what is to be done
//	a Call      its methods take addresses, and give the kernel and its arguments in order
//	a launch    gpu/cuda launches a Call on a device
//
// What a kernel writes is bit for bit what Go works out: product and sum are
// rounded apart and in one order, and bfloat16 is made of integers. The one
// exception is NaN, of which processors keep different bits. The Go side of the
// quantiser is equivalence/dreamzero's; what no other package exports is here.
//
// Not here: devices, memory, streams, and anything that needs the CUDA driver. The
// package builds, and its twins are tested, on a machine without a GPU.
package kernels

// Package gpu puts the reference on CUDA devices: it opens them by the name that
// the port knows them by, and asks of them what only they can break.
//
// Beneath it are cuda, memory and kernels through gorgonia.org/cu; kernels, the
// arithmetic, once for the device and once for the host; and, in C, what stands
// in for the CUDA driver where there is none. SIMULATED.md says what that proves.
//
// The promises themselves are in the topic packages, and are asked on a device as
// they are on the host.
package gpu

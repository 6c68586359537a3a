// Package devicetest is a device made of host memory, for tests of code that
// works on tensors wherever they lie, in builds and on machines that have no
// other. Its memory is out of the host's reach but through Memory's methods,
// begins with content that is not zero, has addresses of its own and a
// capacity, and is counted; any call can be made to fail.
//
// It says nothing about CUDA: work here is never late. Package gpu has a
// simulation of that.
package devicetest

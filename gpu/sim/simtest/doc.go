// Package simtest tests simulated CUDA and the stand-in for -lcuda. It builds both from
// this checkout and runs scripts of CUDA calls on them: testdata/scripts has a behaviour
// in each paragraph, under the sentence that it keeps.
//
// The tests need make, gcc and the vendor's cuda.h in the cache (make gpu-header). They
// skip without them, and fail where STATESPEC_REQUIRE_GPU is set.
//
// It is no test of the Go package over gorgonia.org/cu, and says nothing about a GPU.
package simtest

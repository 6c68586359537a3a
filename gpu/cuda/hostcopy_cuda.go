//go:build cuda

package cuda

/*
#include <cuda.h>

// Each is one call: the host memory of the caller's is the garbage collector's, and
// the CUDA driver may use it only until the call returns. So they wait in any case.
static int write_and_wait(CUdeviceptr dst, const void *src, size_t n, CUstream s) {
	CUresult copied = cuMemcpyHtoDAsync(dst, src, n, s), waited = cuStreamSynchronize(s);
	return copied ? copied : waited;
}

static int read_and_wait(void *dst, CUdeviceptr src, size_t n, CUstream s) {
	CUresult copied = cuMemcpyDtoHAsync(dst, src, n, s), waited = cuStreamSynchronize(s);
	return copied ? copied : waited;
}
*/
import "C"

import (
	"unsafe"

	"gorgonia.org/cu"
)

// cu's own copies take an unsafe.Pointer, and so cgo looks for Go pointers in all
// of the object that the bytes are part of, and panics when it finds one. An
// element's address has it look at the bytes alone.

func writeAndWait(dst cu.DevicePtr, src []byte, s cu.Stream) error {
	if len(src) == 0 {
		return nil
	}
	return result(cu.Success, int(C.write_and_wait(C.CUdeviceptr(dst), unsafe.Pointer(&src[0]), C.size_t(len(src)), C.CUstream(unsafe.Pointer(s.C())))))
}

func readAndWait(dst []byte, src cu.DevicePtr, s cu.Stream) error {
	if len(dst) == 0 {
		return nil
	}
	return result(cu.Success, int(C.read_and_wait(unsafe.Pointer(&dst[0]), C.CUdeviceptr(src), C.size_t(len(dst)), C.CUstream(unsafe.Pointer(s.C())))))
}

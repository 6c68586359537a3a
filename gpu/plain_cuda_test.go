//go:build cuda

package gpu_test

import "gorgonia.org/cu"

// plainCopy copies n bytes within a device by the CUDA driver's plain call, and waits:
// that copy alone does not. The device's context has to be current.
func plainCopy(to, from uintptr, n int) error {
	if err := cu.MemcpyDtoD(cu.DevicePtr(to), cu.DevicePtr(from), int64(n)); err != nil {
		return err
	}
	return cu.Synchronize()
}

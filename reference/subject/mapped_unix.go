//go:build unix

package subject

import (
	"os"
	"syscall"

	"github.com/statespec/statespec/reference/tensor"
	"github.com/statespec/statespec/spec"
)

// mapped is a host array over a mapped file of some bytes. The mapping lasts as
// long as the process: anything might be a view of it.
func mapped(length int) (any, error) {
	if length < 1 {
		return nil, spec.Refuse(spec.InvalidArgument, "a mapped file of %d bytes", length)
	}
	f, err := os.CreateTemp("", "statespec-mapped-")
	if err != nil {
		return nil, err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	if err := f.Truncate(int64(length)); err != nil {
		return nil, err
	}
	b, err := syscall.Mmap(int(f.Fd()), 0, length, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	t, err := bytesOf(tensor.WrapBytes(b))
	if err != nil {
		return nil, err
	}
	return &HostArray{Tensor: t}, nil
}

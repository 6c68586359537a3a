//go:build cuda

package cuda

import (
	"errors"
	"fmt"
	"runtime"
	"weak"

	"gorgonia.org/cu"

	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/tensor"
)

var _ tensor.Allocator = (*Device)(nil)

// Allocate returns a *Memory of nbytes bytes, whose content is undefined. Zero is
// legal, and nothing that the CUDA driver hears of. When there is no room it gives
// back what is unreachable and tries once more, then fails with an
// *OutOfMemoryError.
func (d *Device) Allocate(nbytes int) (tensor.Memory, error) {
	m, err := d.allocate(nbytes)
	if err != nil {
		return nil, err
	}
	return m, nil
}

func (d *Device) allocate(nbytes int) (*Memory, error) {
	if nbytes < 0 {
		return nil, fault.New(fault.ErrInvalidArgument, "%s: allocate %d bytes: a size is not negative", d.device, nbytes)
	}
	m, err := d.newMemory(nbytes)
	if errors.Is(err, cu.OutOfMemory) {
		if err := d.reclaim(); err != nil {
			return nil, err
		}
		m, err = d.newMemory(nbytes)
	}
	if errors.Is(err, cu.OutOfMemory) {
		full := &OutOfMemoryError{Device: d.device, Asked: nbytes, Cause: err}
		full.Free, full.Total, _ = d.Info() // without it the sizes are 0, and the error no other
		return nil, full
	}
	if err != nil {
		return nil, d.failed(err, fmt.Sprintf("allocate %d bytes", nbytes))
	}
	return m, nil
}

// newMemory tries once.
func (d *Device) newMemory(nbytes int) (m *Memory, err error) {
	err = d.do(func() error {
		m = &Memory{d: d, n: nbytes}
		if nbytes == 0 {
			m.resource = &resource{life: life{owners: 1}, kind: deviceMemory}
			return nil
		}
		p, err := cu.MemAlloc(int64(nbytes))
		if err != nil {
			return err
		}
		m.address = p
		m.resource = d.own(deviceMemory, uintptr(p), nbytes, func() error { return cu.MemFree(p) }, weak.Make(m))
		runtime.AddCleanup(m, d.unreachable.lose, m.resource)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return m, nil
}

//go:build cuda

package cuda

import (
	"fmt"

	"gorgonia.org/cu"

	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/tensor"
)

var _ tensor.Memory = (*Memory)(nil)

// A Memory is one allocation of device memory. Its methods may be called from many
// goroutines; ranges outside it are fault.ErrInvalidArgument.
type Memory struct {
	d        *Device
	resource *resource
	address  cu.DevicePtr
	n        int
}

// Device returns where it lies: "cuda:0".
func (m *Memory) Device() tensor.Device { return m.d.device }

// Allocator returns the *Device.
func (m *Memory) Allocator() tensor.Allocator { return m.d }

// Address returns where it begins on the device, as kernels take it; 0 when it has
// no bytes. It keeps nothing alive: hold the Memory until the launch returned.
func (m *Memory) Address() uintptr { return uintptr(m.address) }

// Len returns its bytes.
func (m *Memory) Len() int { return m.n }

// String describes it: "1024 bytes on cuda:0 at 0x7f0000000000".
func (m *Memory) String() string {
	return fmt.Sprintf("%d bytes on %s at %#x", m.n, m.d.device, uintptr(m.address))
}

// Retain adds an owner. ErrReleased when there is none left.
func (m *Memory) Retain() error {
	if err := m.resource.retain(); err != nil {
		return m.d.failed(err, "retain "+string(deviceMemory))
	}
	return nil
}

// Release takes an owner away. After the last one the memory is given back, once
// operations in flight and work queued on the device are done. With no owner left
// it is ErrReleased.
func (m *Memory) Release() error { return m.d.release(m.resource, "release "+string(deviceMemory)) }

// ReadAt copies len(dst) bytes from offset on to the host, and is complete when it
// returns.
func (m *Memory) ReadAt(dst []byte, offset int) error {
	operation := func() string { return bytesAt("read", len(dst), offset) }
	if err := m.within(operation, offset, len(dst)); err != nil {
		return err
	}
	return m.d.using(operation, func() error {
		return readAndWait(dst, m.address+cu.DevicePtr(offset), m.d.stream)
	}, m.resource)
}

// WriteAt copies src to offset, and is complete when it returns.
func (m *Memory) WriteAt(src []byte, offset int) error {
	operation := func() string { return bytesAt("write", len(src), offset) }
	if err := m.within(operation, offset, len(src)); err != nil {
		return err
	}
	return m.d.using(operation, func() error {
		return writeAndWait(m.address+cu.DevicePtr(offset), src, m.d.stream)
	}, m.resource)
}

// Clear sets n bytes from offset on to zero, and is complete when it returns.
func (m *Memory) Clear(offset, n int) error {
	operation := func() string { return bytesAt("clear", n, offset) }
	if err := m.within(operation, offset, n); err != nil {
		return err
	}
	return m.d.using(operation, func() error {
		if n == 0 {
			return nil
		}
		if err := cu.MemsetD8Async(m.address+cu.DevicePtr(offset), 0, int64(n), m.d.stream); err != nil {
			return err
		}
		return m.d.stream.Synchronize()
	}, m.resource)
}

// within refuses a range that is not inside.
func (m *Memory) within(operation func() string, offset, n int) error {
	if err := inside(offset, n, m.n); err != "" {
		return fault.New(fault.ErrInvalidArgument, "%s: %s: %s", m.d.device, operation(), err)
	}
	return nil
}

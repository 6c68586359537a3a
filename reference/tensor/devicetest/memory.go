package devicetest

import (
	"errors"

	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/tensor"
)

// memory is one allocation.
type memory struct {
	device  *Device
	address uintptr
	bytes   []byte
	owners  *owners
}

// owners are those of an allocation; the device's lock guards them.
type owners struct{ n, bytes int }

// ErrReleased says that an allocation was given back.
var ErrReleased = errors.New("the memory was given back")

var (
	_ tensor.Memory    = (*memory)(nil)
	_ tensor.Allocator = (*Device)(nil)
)

func (m *memory) Device() tensor.Device       { return m.device.name }
func (m *memory) Address() uintptr            { return m.address }
func (m *memory) Len() int                    { return len(m.bytes) }
func (m *memory) Allocator() tensor.Allocator { return m.device }

func (m *memory) ReadAt(dst []byte, offset int) error {
	return m.do(ReadAt, offset, len(dst), func() { copy(dst, m.bytes[offset:]) })
}

func (m *memory) WriteAt(src []byte, offset int) error {
	return m.do(WriteAt, offset, len(src), func() { copy(m.bytes[offset:], src) })
}

func (m *memory) CopyFrom(offset int, src tensor.Memory, from, n int) error {
	o, own := src.(*memory)
	if !own || o.device != m.device {
		return fault.New(fault.ErrInvalidArgument, "copy to %s from %s: not the same device", m.device.name, src.Device())
	}
	if err := o.inside(CopyFrom, from, n); err != nil {
		return err
	}
	return m.do(CopyFrom, offset, n, func() { copy(m.bytes[offset:offset+n], o.bytes[from:from+n]) })
}

// Retain and Release count owners. After the last one the memory is given back, and
// its use is ErrReleased.
func (m *memory) Retain() error { return m.own(1) }

func (m *memory) Release() error { return m.own(-1) }

func (m *memory) own(more int) error {
	m.device.mu.Lock()
	defer m.device.mu.Unlock()
	if m.owners.n == 0 {
		return ErrReleased
	}
	if m.owners.n += more; m.owners.n == 0 {
		m.device.live -= m.owners.bytes
	}
	return nil
}

// do makes a call on n bytes from offset on.
func (m *memory) do(c Call, offset, n int, f func()) error {
	if err := m.inside(c, offset, n); err != nil {
		return err
	}
	m.device.mu.Lock()
	defer m.device.mu.Unlock()
	if m.owners.n == 0 {
		return ErrReleased
	}
	if err := m.device.begin(c); err != nil {
		return err
	}
	f()
	return nil
}

func (m *memory) inside(c Call, offset, n int) error {
	if offset < 0 || n < 0 || offset > len(m.bytes) || n > len(m.bytes)-offset {
		return fault.New(fault.ErrInvalidArgument, "%s %d bytes at %d: the allocation on %s has %d", c, n, offset, m.device.name, len(m.bytes))
	}
	return nil
}

//go:build cuda

package faulty

import (
	"bytes"
	"crypto/rand"
	"runtime"

	"gorgonia.org/cu"

	"github.com/statespec/statespec/gpu"
	"github.com/statespec/statespec/gpu/cuda"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
)

// memory is device memory of which a fault has replaced some operations.
type memory struct {
	tensor.Memory
	on *card

	read    func(d gpu.Device, m tensor.Memory, dst []byte, offset int) error
	write   func(m tensor.Memory, src []byte, offset int) error
	move    func(d gpu.Device, to, from uintptr, n int) error
	made    func(d gpu.Device, m tensor.Memory)
	release func()
}

// card is a device that gives out such memory.
type card struct {
	own  gpu.Device
	like memory
}

var _ subject.Device = (*card)(nil)

func (c *card) Device() tensor.Device { return c.own.Device() }
func (c *card) InUse() (int64, error) { return c.own.InUse() }

// altered is a subject on a device of such memory.
func altered(like memory) func(gpu.Device) subject.Parts {
	return func(d gpu.Device) subject.Parts {
		return subject.Parts{Devices: []subject.Device{&card{d, like}}}
	}
}

func (c *card) Allocate(n int) (tensor.Memory, error) {
	m, err := c.own.Allocate(n)
	if err != nil {
		return nil, err
	}
	if c.like.made != nil && n > 0 {
		c.like.made(c.own, m)
	}
	own := c.like
	own.Memory, own.on = m, c
	return &own, nil
}

func (m *memory) Allocator() tensor.Allocator { return m.on }

func (m *memory) CopyFrom(offset int, src tensor.Memory, from, n int) error {
	if other, is := src.(*memory); is {
		src = other.Memory
	}
	if m.move == nil || n == 0 {
		return m.Memory.CopyFrom(offset, src, from, n)
	}
	defer runtime.KeepAlive(src)
	return m.move(m.on.own, m.Address()+uintptr(offset), src.Address()+uintptr(from), n)
}

func (m *memory) ReadAt(dst []byte, offset int) error {
	if m.read == nil || len(dst) == 0 {
		return m.Memory.ReadAt(dst, offset)
	}
	return m.read(m.on.own, m.Memory, dst, offset)
}

func (m *memory) WriteAt(src []byte, offset int) error {
	if m.write == nil {
		return m.Memory.WriteAt(src, offset)
	}
	return m.write(m.Memory, src, offset)
}

func (m *memory) Retain() error { return m.Memory.(*cuda.Memory).Retain() }

func (m *memory) Release() error {
	if m.release != nil {
		m.release()
		return nil
	}
	return m.Memory.(*cuda.Memory).Release()
}

// readEarly takes what is in pinned memory before the copy there was waited for.
func readEarly(d gpu.Device, m tensor.Memory, dst []byte, offset int) error {
	p, err := d.CUDA().AllocatePinned(len(dst))
	if err != nil {
		return err
	}
	defer p.Free()
	err = m.(*cuda.Memory).ReadOn(nil, p, 0, offset, len(dst))
	copy(dst, p.Bytes())
	if waited := d.CUDA().Synchronize(); err == nil {
		err = waited
	}
	return err
}

// moveOnNullStream copies on a stream that the device's own does not wait for.
func moveOnNullStream(d gpu.Device, to, from uintptr, n int) error {
	return d.CUDA().Do(func() error { return cu.MemcpyDtoD(cu.DevicePtr(to), cu.DevicePtr(from), int64(n)) })
}

// writeHalf leaves in the other half what no two allocations and no two processes
// have alike. A GPU's fresh memory might be all zero, and alike.
func writeHalf(m tensor.Memory, src []byte, offset int) error {
	half := bytes.Clone(src)
	rand.Read(half[len(src)/2:])
	return m.WriteAt(half, offset)
}

func readAndRelease(_ gpu.Device, m tensor.Memory, dst []byte, offset int) error {
	err := m.ReadAt(dst, offset)
	m.(*cuda.Memory).Release()
	return err
}

// freeTwice has the memory given back once more when nobody can reach it.
func freeTwice(d gpu.Device, m tensor.Memory) {
	runtime.AddCleanup(m.(*cuda.Memory), func(address uintptr) {
		d.CUDA().Do(func() error { return cu.MemFree(cu.DevicePtr(address)) })
	}, m.Address())
}

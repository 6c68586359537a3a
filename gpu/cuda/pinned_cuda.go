//go:build cuda

package cuda

/*
#include <cuda.h>

// cu frees such memory and has no way to make it.
static int pin(void **p, size_t n) { return cuMemHostAlloc(p, n, 0); }
*/
import "C"

import (
	"errors"
	"fmt"
	"unsafe"
	"weak"

	"gorgonia.org/cu"

	"github.com/statespec/statespec/reference/fault"
)

// A Pinned is page-locked host memory, which a device copies from and to without
// the caller waiting. It lies outside the Go heap: its bytes must not be used after
// Free, and nobody but its owner can know that they no longer are. So it is given
// back by Free alone.
type Pinned struct {
	d        *Device
	resource *resource
	start    unsafe.Pointer
	n        int
}

// AllocatePinned returns nbytes bytes of page-locked host memory. Zero is legal.
func (d *Device) AllocatePinned(nbytes int) (*Pinned, error) {
	if nbytes < 0 {
		return nil, fault.New(fault.ErrInvalidArgument, "%s: allocate %d bytes of pinned memory: a size is not negative", d.device, nbytes)
	}
	p := &Pinned{d: d, n: nbytes}
	err := d.do(func() error {
		if nbytes == 0 {
			p.resource = &resource{life: life{owners: 1}, kind: pinnedMemory}
			return nil
		}
		var start unsafe.Pointer
		if err := result(cu.Success, int(C.pin(&start, C.size_t(nbytes)))); err != nil {
			return err
		}
		p.start = start
		p.resource = d.own(pinnedMemory, uintptr(start), nbytes, func() error { return cu.MemFreeHost(start) }, weak.Pointer[Memory]{})
		return nil
	})
	if err != nil {
		if p.resource != nil { // it was made, and is nobody's
			err = errors.Join(err, d.release(p.resource, "give back"))
		}
		return nil, d.failed(err, fmt.Sprintf("allocate %d bytes of pinned memory", nbytes))
	}
	return p, nil
}

// Bytes returns the memory itself; nil after Free and after the device was closed,
// when slices of it must not be touched. While a copy is queued its
// bytes belong to the device.
func (p *Pinned) Bytes() []byte {
	if !p.d.has(p.resource) {
		return nil
	}
	return unsafe.Slice((*byte)(p.start), p.n)
}

// Len returns its bytes.
func (p *Pinned) Len() int { return p.n }

// Free waits for the device's work and gives the memory back. Freeing twice is
// ErrReleased.
func (p *Pinned) Free() error { return p.d.release(p.resource, "free "+string(pinnedMemory)) }

// WriteOn queues a copy of n bytes of src, from its offset from on, to offset. It
// returns before the copy is done: the bytes of src must stay as they are until the
// stream is synchronized.
func (m *Memory) WriteOn(s *Stream, offset int, src *Pinned, from, n int) error {
	operation := func() string { return bytesAt("queue a write of", n, offset) }
	return m.onHost(operation, s, offset, src, from, n, func(stream cu.Stream) error {
		return cu.MemcpyHtoDAsync(m.address+cu.DevicePtr(offset), unsafe.Add(src.start, from), int64(n), stream)
	})
}

// ReadOn queues a copy of n bytes from offset on to dst, at its offset to. It
// returns before the copy is done: the bytes of dst mean nothing until the stream is
// synchronized.
func (m *Memory) ReadOn(s *Stream, dst *Pinned, to, offset, n int) error {
	operation := func() string { return bytesAt("queue a read of", n, offset) }
	return m.onHost(operation, s, offset, dst, to, n, func(stream cu.Stream) error {
		return cu.MemcpyDtoHAsync(unsafe.Add(dst.start, to), m.address+cu.DevicePtr(offset), int64(n), stream)
	})
}

// onHost queues a copy between memory and pinned memory after looking at both.
func (m *Memory) onHost(operation func() string, s *Stream, offset int, host *Pinned, at, n int, f func(cu.Stream) error) error {
	queue, err := m.d.queue(operation, s)
	if err != nil {
		return err
	}
	if err := m.within(operation, offset, n); err != nil {
		return err
	}
	switch {
	case host == nil:
		return fault.New(fault.ErrInvalidArgument, "%s: %s: there is no pinned memory", m.d.device, operation())
	case host.d != m.d:
		return fault.New(fault.ErrInvalidArgument, "%s: %s: the pinned memory belongs to another context, on %s", m.d.device, operation(), host.d.device)
	}
	if wrong := inside(at, n, host.n); wrong != "" {
		return fault.New(fault.ErrInvalidArgument, "%s: %s: pinned memory: %s", m.d.device, operation(), wrong)
	}
	return m.d.using(operation, func() error {
		if n == 0 {
			return nil
		}
		return f(queue.stream)
	}, append(queue.resources(), m.resource, host.resource)...)
}

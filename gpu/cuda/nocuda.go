//go:build !cuda

package cuda

import (
	"fmt"
	"os"

	"github.com/statespec/statespec/reference/tensor"
)

// This is the face of the package in a build without CUDA. What it says of a
// device is that there is none, and why; a handle cannot come into being.

// Unavailable says in words why there is no CUDA device; "" when there is one.
func Unavailable() string { return unavailable("/dev/nvidia0") }

// unavailable looks for a GPU's own node: other nodes of NVIDIA's are there on
// machines without one.
func unavailable(node string) string {
	const without = "built without -tags cuda"
	if _, err := os.Stat(node); err == nil {
		return without + ", though this machine has a GPU: there is " + node
	}
	return without
}

// refused is what every operation returns.
func refused() error { return fmt.Errorf("%w: %s", ErrUnavailable, Unavailable()) }

// Library names the file of the CUDA driver; "" when none was found or the program
// was linked with one.
func Library() string { return "" }

// Count returns the number of devices.
func Count() int { return 0 }

// Simulated reports whether the CUDA driver is the simulated one. What runs on it
// is no result of a GPU.
func Simulated() bool { return false }

// SimControl sets faults and limits of simulated CUDA, "key=value,key=value". On a
// real CUDA driver it is an error.
func SimControl(text string) error { return refused() }

// SimReport returns the counters of simulated CUDA; false on a real CUDA driver.
func SimReport() (Report, bool) { return Report{}, false }

// A Device is one GPU with a context of this process on it.
type Device struct{ _ int }

// Open makes a context on the device of an ordinal, from 0. ErrUnavailable without
// a device.
func Open(ordinal int) (*Device, error) { return nil, refused() }

func (d *Device) Name() string                               { return "" }
func (d *Device) Device() tensor.Device                      { return "" }
func (d *Device) String() string                             { return Unavailable() }
func (d *Device) Info() (free, total int64, err error)       { return 0, 0, refused() }
func (d *Device) Allocated() (bytes int64, count int)        { return 0, 0 }
func (d *Device) Synchronize() error                         { return refused() }
func (d *Device) Close() error                               { return refused() }
func (d *Device) Allocate(nbytes int) (tensor.Memory, error) { return nil, refused() }
func (d *Device) AllocatePinned(nbytes int) (*Pinned, error) { return nil, refused() }
func (d *Device) NewStream() (s *Stream, err error)          { return nil, refused() }
func (d *Device) NewEvent() (e *Event, err error)            { return nil, refused() }
func (d *Device) Load(ptx string) (m *Module, err error)     { return nil, refused() }

// A Memory is one allocation of device memory.
type Memory struct{ _ int }

func (m *Memory) Device() tensor.Device                { return "" }
func (m *Memory) Allocator() tensor.Allocator          { return nil }
func (m *Memory) Address() uintptr                     { return 0 }
func (m *Memory) Len() int                             { return 0 }
func (m *Memory) String() string                       { return Unavailable() }
func (m *Memory) Retain() error                        { return refused() }
func (m *Memory) Release() error                       { return refused() }
func (m *Memory) ReadAt(dst []byte, offset int) error  { return refused() }
func (m *Memory) WriteAt(src []byte, offset int) error { return refused() }
func (m *Memory) Clear(offset, n int) error            { return refused() }

func (m *Memory) CopyFrom(offset int, src tensor.Memory, from, n int) error { return refused() }

func (m *Memory) CopyOn(s *Stream, offset int, src tensor.Memory, from, n int) error {
	return refused()
}
func (m *Memory) WriteOn(s *Stream, offset int, src *Pinned, from, n int) error { return refused() }
func (m *Memory) ReadOn(s *Stream, dst *Pinned, to, offset, n int) error        { return refused() }

// A Stream is a queue of work that the device does in order.
type Stream struct{ _ int }

func (s *Stream) Synchronize() error  { return refused() }
func (s *Stream) Wait(e *Event) error { return refused() }
func (s *Stream) Close() error        { return refused() }

// An Event is a mark in a stream that others can wait for.
type Event struct{ _ int }

func (e *Event) Record(s *Stream) error { return refused() }
func (e *Event) Synchronize() error     { return refused() }
func (e *Event) Close() error           { return refused() }

// A Pinned is page-locked host memory.
type Pinned struct{ _ int }

func (p *Pinned) Bytes() []byte { return nil }
func (p *Pinned) Len() int      { return 0 }
func (p *Pinned) Free() error   { return refused() }

// A Module is the kernels of one PTX text on one device.
type Module struct{ _ int }

func (m *Module) Launch(s *Stream, kernel string, threads int, args ...uint64) error {
	return refused()
}
func (m *Module) Unload() error { return refused() }

var (
	_ tensor.Allocator = (*Device)(nil)
	_ tensor.Memory    = (*Memory)(nil)
)

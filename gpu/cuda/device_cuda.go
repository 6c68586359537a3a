//go:build cuda

package cuda

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"gorgonia.org/cu"

	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/tensor"
)

// A Device is one GPU with a context of this process on it. Any goroutine may use
// it, and many at once. Whoever opened it closes it.
type Device struct {
	device  tensor.Device
	name    string
	context cu.CUContext
	stream  cu.Stream // the device's own, for whoever names none

	open   sync.RWMutex // read by operations, written by Close
	closed bool
	lost   atomic.Pointer[contextLost]

	mu       sync.Mutex
	held     map[*resource]struct{} // what the CUDA driver has not been given back
	bytes    int64                  // of device memory in it
	memories int

	giving      sync.Mutex // held, inside an operation, by whoever gives back
	unreachable *unreachable
}

// Open makes a context on the device of an ordinal, from 0. ErrUnavailable without
// a device; fault.ErrInvalidArgument for an ordinal that there is none of.
func Open(ordinal int) (*Device, error) {
	if why := Unavailable(); why != "" {
		return nil, fmt.Errorf("%w: %s", ErrUnavailable, why)
	}
	if n := Count(); ordinal < 0 || ordinal >= n {
		return nil, fault.New(fault.ErrInvalidArgument, "open CUDA device %d: there are %d, counted from 0", ordinal, n)
	}
	d := &Device{
		device:      tensor.Device(fmt.Sprintf("cuda:%d", ordinal)),
		held:        map[*resource]struct{}{},
		unreachable: newUnreachable(),
	}
	if err := d.start(ordinal); err != nil {
		return nil, d.failed(err, "open")
	}
	go d.janitor()
	return d, nil
}

// start makes the context and the device's own stream.
func (d *Device) start(ordinal int) error {
	id, err := cu.GetDevice(ordinal)
	if err != nil {
		return err
	}
	if d.name, err = id.Name(); err != nil {
		return err
	}
	if d.context, err = makeContext(id); err != nil {
		return err
	}
	err = current(d.context, func() (err error) {
		d.stream, err = cu.MakeStream(cu.NonBlocking)
		return err
	})
	if err == nil {
		return nil
	}
	if d.stream != (cu.Stream{}) { // and yet it failed
		err = errors.Join(err, current(d.context, d.stream.Destroy))
	}
	return errors.Join(err, d.context.Destroy())
}

// Name returns what the CUDA driver calls the device.
func (d *Device) Name() string { return d.name }

// Device returns "cuda:" and the ordinal.
func (d *Device) Device() tensor.Device { return d.device }

// String describes it: "cuda:0 (NVIDIA H200)".
func (d *Device) String() string { return fmt.Sprintf("%s (%s)", d.device, d.name) }

// Info returns the bytes of device memory that are free and that there are, by the
// CUDA driver's own counters, which see every process.
func (d *Device) Info() (free, total int64, err error) {
	err = d.do(func() (err error) {
		free, total, err = cu.MemInfo()
		return err
	})
	return free, total, d.failed(err, "memory info")
}

// Allocated returns the bytes and the number of this Device's allocations of
// device memory, by our own count. What is unreachable and was not given back yet
// counts.
func (d *Device) Allocated() (bytes int64, count int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.bytes, d.memories
}

// Synchronize waits for all work on the device, of every stream.
func (d *Device) Synchronize() error { return d.failed(d.do(cu.Synchronize), "synchronize") }

// Close waits for the operations in flight, gives everything back, and ends the
// context. Memory that was still owned and could be reached is a *LeakError; it is
// gone all the same, and its use is ErrClosed from now on. Streams, events and
// modules hold no memory of the caller's and go without a word. Closing twice is
// ErrClosed.
func (d *Device) Close() error {
	collection := d.reclaim() // what merely was not collected yet is no leak
	if errors.Is(collection, ErrContextLost) {
		collection = nil // it is said below
	}
	d.open.Lock()
	defer d.open.Unlock()
	if d.closed {
		return d.failed(ErrClosed, "close")
	}
	d.closed = true
	leaks := d.leaks()
	var err error
	if lost := d.lost.Load(); lost != nil {
		err = lost // nothing can be given back, and all for the same reason
		d.forgetAll()
	} else {
		err = current(d.context, d.giveBackAll)
	}
	if ended := d.context.Destroy(); err == nil {
		err = ended
	}
	return errors.Join(leaks, d.failed(err, "close"), collection, d.unreachable.stop())
}

// leaks lists the memory that has owners yet.
func (d *Device) leaks() error {
	e := &LeakError{Device: d.device}
	for r := range d.held {
		if r.kind.leaks() && r.life.held() {
			e.Leaks = append(e.Leaks, Leak{Kind: string(r.kind), Address: r.address, Bytes: r.bytes})
		}
	}
	if len(e.Leaks) == 0 {
		return nil
	}
	slices.SortFunc(e.Leaks, func(a, b Leak) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Address, b.Address))
	})
	return e
}

// forgetAll empties the device of what ends with its context.
func (d *Device) forgetAll() {
	d.mu.Lock()
	defer d.mu.Unlock()
	clear(d.held)
	d.bytes, d.memories = 0, 0
}

// giveBackAll empties the device. The context is current and nobody else is there.
func (d *Device) giveBackAll() error {
	err := cu.Synchronize()
	for r := range d.held {
		if failed := d.forget(r); err == nil {
			err = failed
		}
	}
	if failed := d.stream.Destroy(); err == nil {
		err = failed
	}
	return err
}

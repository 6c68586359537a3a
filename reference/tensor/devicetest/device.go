package devicetest

import (
	"fmt"
	"runtime"
	"sync"

	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/tensor"
)

// poison is what fresh memory holds.
const poison = 0xA5

// A Device allocates memory out of the host's reach. It may be used from many
// goroutines.
type Device struct {
	name     tensor.Device
	capacity int

	mu    sync.Mutex
	next  uintptr
	live  int // bytes
	calls map[Call]int
	fail  map[Call]failure
}

// A Call is something that a device does and that can fail.
type Call string

// The calls, as in tensor.Memory and tensor.Allocator.
const (
	Allocate Call = "allocate"
	ReadAt   Call = "read"
	WriteAt  Call = "write"
	CopyFrom Call = "copy"
)

type failure struct {
	at  int
	err error
}

// New returns a device of capacity bytes.
func New(name tensor.Device, capacity int) *Device {
	return &Device{name: name, capacity: capacity, next: 0x7000_0000_0000, calls: map[Call]int{}, fail: map[Call]failure{}}
}

// Device returns its name.
func (d *Device) Device() tensor.Device { return d.name }

// InUse returns the bytes that are allocated, once those have been given back
// that nobody can reach.
func (d *Device) InUse() (int64, error) {
	for range rounds {
		collect()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return int64(d.live), nil
}

// Calls returns how often a call was made, failures included.
func (d *Device) Calls(c Call) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.calls[c]
}

// FailNext makes the nth call of a kind from now, 1 for the next, fail once.
func (d *Device) FailNext(c Call, nth int, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fail[c] = failure{d.calls[c] + nth, err}
}

// begin counts a call. The lock is held.
func (d *Device) begin(c Call) error {
	d.calls[c]++
	if f, planned := d.fail[c]; planned && f.at == d.calls[c] {
		delete(d.fail, c)
		return fmt.Errorf("%s on %s: %w", c, d.name, f.err)
	}
	return nil
}

// rounds is how often a collection is waited for. Clean-ups of one collection
// run in no order, so that one which was waited for says little of the others.
const rounds = 4

// Allocate returns nbytes bytes. Without room it collects and asks again.
func (d *Device) Allocate(nbytes int) (tensor.Memory, error) {
	if nbytes < 0 {
		return nil, fault.New(fault.ErrInvalidArgument, "allocate %d bytes on %s: at least 0", nbytes, d.name)
	}
	for round := range rounds + 1 {
		if round > 0 {
			collect()
		}
		if m, err := d.allocate(nbytes); err != nil || m != nil {
			return m, err
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return nil, fault.New(fault.ErrOutOfMemory, "allocate %d bytes on %s: %d of %d are in use", nbytes, d.name, d.live, d.capacity)
}

// allocate returns no memory and no error when there is no room.
func (d *Device) allocate(nbytes int) (tensor.Memory, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.begin(Allocate); err != nil {
		return nil, err
	}
	if nbytes > d.capacity-d.live {
		return nil, nil
	}
	m := &memory{device: d, bytes: make([]byte, nbytes), owners: &owners{n: 1, bytes: nbytes}}
	for i := range m.bytes {
		m.bytes[i] = poison
	}
	if nbytes > 0 {
		m.address = d.next
		d.next += uintptr(nbytes+511) &^ 511
	}
	d.live += nbytes
	runtime.AddCleanup(m, d.lose, m.owners)
	return m, nil
}

// lose gives back what nobody can reach.
func (d *Device) lose(o *owners) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if o.n > 0 {
		o.n = 0
		d.live -= o.bytes
	}
}

// collect runs a collection and waits for one of its clean-ups.
func collect() {
	done := make(chan struct{})
	func() {
		sentinel := new([16]byte)
		runtime.AddCleanup(sentinel, func(c chan struct{}) { close(c) }, done)
	}()
	runtime.GC()
	<-done
}

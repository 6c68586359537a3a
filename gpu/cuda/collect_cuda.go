//go:build cuda

package cuda

import (
	"errors"
	"runtime"
	"sync"
)

// An unreachable is the device memory that lost its last handle, on the way to the
// goroutine that gives it back: cleanups must not wait for a device.
type unreachable struct {
	mu      sync.Mutex
	queue   []*resource
	failure error // the first one of giving back, for Close: nobody else is there to hear it

	more, stopped chan struct{}
}

func newUnreachable() *unreachable {
	return &unreachable{more: make(chan struct{}, 1), stopped: make(chan struct{})}
}

// lose is the cleanup of a handle.
func (u *unreachable) lose(r *resource) {
	if !r.abandon() {
		return
	}
	u.mu.Lock()
	u.queue = append(u.queue, r)
	u.mu.Unlock()
	select {
	case u.more <- struct{}{}:
	default: // it was told already
	}
}

func (u *unreachable) take() []*resource {
	u.mu.Lock()
	defer u.mu.Unlock()
	list := u.queue
	u.queue = nil
	return list
}

func (u *unreachable) stop() error {
	close(u.stopped)
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.failure
}

// janitor gives back what became unreachable, until the device is closed.
func (d *Device) janitor() {
	u := d.unreachable
	for {
		select {
		case <-u.stopped:
			return
		case <-u.more:
		}
		if err := d.giveBack(u.take()...); err != nil && !errors.Is(err, ErrContextLost) {
			u.mu.Lock()
			u.failure = errors.Join(u.failure, err)
			u.mu.Unlock()
		}
	}
}

// reclaim runs a collection and gives back all device memory that is unreachable.
// It does not wait for cleanups, which run beside each other and in no order: a
// handle's weak pointer is empty as soon as the collection found it unreachable.
// What others are about to give back it gives back for them, and waits for those
// that are at it, so that all of it is free when reclaim returns.
func (d *Device) reclaim() error {
	if _, count := d.Allocated(); count > 0 {
		runtime.GC()
	}
	return d.giveBackList(d.ended())
}

// ended lists the device memory that nobody can use any more.
func (d *Device) ended() (list []*resource) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for r := range d.held {
		if r.kind == deviceMemory && (r.life.ended() || r.handle.Value() == nil && r.expire()) {
			list = append(list, r)
		}
	}
	return list
}

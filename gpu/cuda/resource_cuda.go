//go:build cuda

package cuda

import (
	"errors"
	"fmt"
	"slices"
	"weak"

	"gorgonia.org/cu"
)

// A kind is what a resource is, as messages name it.
type kind string

const (
	deviceMemory kind = "device memory"
	pinnedMemory kind = "pinned memory"
	aStream      kind = "stream"
	anEvent      kind = "event"
	aModule      kind = "module"
)

// leaks reports whether to forget one is a leak: it holds bytes.
func (k kind) leaks() bool { return k == deviceMemory || k == pinnedMemory }

// A resource is one thing that the CUDA driver made and wants back. The handles
// that callers hold point to it; it does not point back, or no handle would ever
// become unreachable.
type resource struct {
	life
	kind    kind
	address uintptr
	bytes   int
	free    func() error         // with the context current, once; nil when it has no bytes
	handle  weak.Pointer[Memory] // of device memory
}

// own makes a resource with one owner and has the device know it. The context is
// current.
func (d *Device) own(k kind, address uintptr, bytes int, free func() error, handle weak.Pointer[Memory]) *resource {
	r := &resource{life: life{owners: 1}, kind: k, address: address, bytes: bytes, free: free, handle: handle}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.held[r] = struct{}{}
	if k == deviceMemory {
		d.bytes, d.memories = d.bytes+int64(bytes), d.memories+1
	}
	return r
}

// has reports whether a resource was not given back yet.
func (d *Device) has(r *resource) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, held := d.held[r]
	return held
}

// forget gives a resource back to the CUDA driver, if the device still has it. The
// context is current and its work done.
func (d *Device) forget(r *resource) error {
	d.mu.Lock()
	_, held := d.held[r]
	if held && r.kind == deviceMemory {
		d.bytes, d.memories = d.bytes-int64(r.bytes), d.memories-1
	}
	delete(d.held, r)
	d.mu.Unlock()
	if !held {
		return nil
	}
	return r.free()
}

// giveBack returns resources that nobody owns or uses to the CUDA driver. Work
// that is queued may use them, so it waits for that, as the CUDA driver does itself
// when it frees memory. What a closed device had is gone already.
func (d *Device) giveBack(list ...*resource) error {
	list = slices.DeleteFunc(list, func(r *resource) bool { return r.free == nil })
	if len(list) == 0 {
		return nil
	}
	return d.giveBackList(list)
}

// giveBackList is giveBack also when the list is empty: it returns after those that
// were giving back when it began.
func (d *Device) giveBackList(list []*resource) error {
	err := d.do(func() error {
		d.giving.Lock()
		defer d.giving.Unlock()
		err := cu.Synchronize()
		for _, r := range list {
			if failed := d.forget(r); err == nil {
				err = failed
			}
		}
		return err
	})
	if errors.Is(err, ErrClosed) {
		return nil
	}
	what := fmt.Sprintf("%d allocations", len(list))
	if len(list) == 1 {
		what = string(list[0].kind)
	}
	return d.failed(err, "give back "+what)
}

// release takes an owner away, and gives the resource back after the last.
func (d *Device) release(r *resource, operation string) error {
	last, err := r.release()
	if err != nil {
		return d.failed(err, operation)
	}
	if last {
		return d.giveBack(r)
	}
	return nil
}

// using runs an operation on resources of this device, none of which is given back
// before it ends.
func (d *Device) using(operation func() string, f func() error, list ...*resource) error {
	for i, r := range list {
		if err := r.use(); err != nil {
			return errors.Join(d.failed(err, operation()+": "+string(r.kind)), d.doneWith(list[:i]))
		}
	}
	err := d.do(f)
	if err != nil {
		err = d.failed(err, operation())
	}
	if late := d.doneWith(list); late != nil {
		return errors.Join(err, late)
	}
	return err
}

// doneWith ends the use of resources. The last owner of one may have left
// meanwhile.
func (d *Device) doneWith(list []*resource) error {
	var errs []error
	for _, r := range list {
		if r.done() {
			errs = append(errs, d.giveBack(r))
		}
	}
	return errors.Join(errs...)
}

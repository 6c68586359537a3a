//go:build cuda

package cuda

import (
	"errors"
	"fmt"
	"runtime"

	"gorgonia.org/cu"

	"github.com/statespec/statespec/reference/fault"
)

// do runs one operation with the device's context current. A context belongs to an
// operating system's thread, so the goroutine keeps its thread meanwhile.
//
// Operations of one device run side by side: the CUDA driver takes calls from many
// threads, and one that waits for its stream must not hold up the others. Only
// Close is alone, and waits for those in flight. Operations do not nest: with a
// Close between them the inner one would wait for ever.
func (d *Device) do(f func() error) error {
	d.open.RLock()
	defer d.open.RUnlock()
	if d.closed {
		return ErrClosed
	}
	if lost := d.lost.Load(); lost != nil {
		return lost
	}
	return current(d.context, f)
}

// current runs f with a context current on this goroutine's thread.
func current(context cu.CUContext, f func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := cu.PushCurrentCtx(context); err != nil {
		return err
	}
	err := f()
	if _, popped := cu.PopCurrentCtx(); err == nil {
		err = popped
	}
	return err
}

// failed words an error with the operation that it is of. The first one that says
// that the context is lost is kept, and is what every operation says from then on.
func (d *Device) failed(err error, operation string) error {
	if err == nil {
		return nil
	}
	if err = named(err); errors.Is(err, cu.OutOfMemory) && !errors.Is(err, fault.ErrOutOfMemory) {
		err = fmt.Errorf("%w: %w", fault.ErrOutOfMemory, err)
	}
	var lost *contextLost
	if sticky(err) && !errors.As(err, &lost) {
		first := &contextLost{operation: operation, cause: err}
		if !d.lost.CompareAndSwap(nil, first) {
			first = d.lost.Load()
		}
		err = first
	}
	return fmt.Errorf("%s: %s: %w", d.device, operation, err)
}

// result is the CUDA driver's code as cu's type, which cu does not export: the
// first argument only names it.
func result[T interface {
	~int
	error
}](success T, code int) error {
	if T(code) == success {
		return nil
	}
	return T(code)
}

// makeContext makes a context that is current nowhere. How the host waits is the
// CUDA driver's choice: it spins where that costs no other thread, which is
// shortest for the many small copies.
func makeContext(id cu.Device) (cu.CUContext, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	context, err := id.MakeContext(cu.SchedAuto)
	if err != nil {
		return context, err
	}
	// It was made current on this thread as well.
	if _, err := cu.PopCurrentCtx(); err != nil {
		return context, errors.Join(err, context.Destroy())
	}
	return context, nil
}

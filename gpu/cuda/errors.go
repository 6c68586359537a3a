package cuda

import (
	"errors"
	"fmt"

	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/tensor"
)

// The ways in which a device refuses. Each is matched with errors.Is; bad sizes,
// ranges and arguments are fault.ErrInvalidArgument.
var (
	// ErrUnavailable: there is no CUDA device; the message says why.
	ErrUnavailable = errors.New("no CUDA device")

	// ErrClosed: the device was closed, and everything on it went with it.
	ErrClosed = errors.New("device closed")

	// ErrReleased: the last owner gave it back before.
	ErrReleased = errors.New("released before")

	// ErrContextLost: a fault on the device ended the context and all that lay in
	// it. No call of this process reaches the device again; it takes a new one.
	ErrContextLost = errors.New("CUDA context lost")
)

// An OutOfMemoryError says that a device had no room, also after everything
// unreachable was given back. It is a fault.ErrOutOfMemory, and keeps the CUDA
// driver's own error.
type OutOfMemoryError struct {
	Device tensor.Device
	Asked  int   // bytes
	Free   int64 // bytes, by the CUDA driver's counter, when it failed
	Total  int64 // bytes
	Cause  error
}

// Error gives the sizes. Free may exceed what was asked: memory fragments.
func (e *OutOfMemoryError) Error() string {
	return fmt.Sprintf("%s: out of memory: asked for %d bytes, %d of %d are free: %v",
		e.Device, e.Asked, e.Free, e.Total, e.Cause)
}

// Unwrap gives the kind and the CUDA driver's error.
func (e *OutOfMemoryError) Unwrap() []error { return []error{fault.ErrOutOfMemory, e.Cause} }

// A contextLost is the first error that showed the loss. It is what every later
// operation returns too.
type contextLost struct {
	operation string
	cause     error
}

func (e *contextLost) Error() string {
	return fmt.Sprintf("%v: %v, seen at: %s; the device needs a new process", ErrContextLost, e.cause, e.operation)
}

func (e *contextLost) Unwrap() []error { return []error{ErrContextLost, e.cause} }

// A LeakError lists what was still held when a device was closed. It was given
// back all the same.
type LeakError struct {
	Device tensor.Device
	Leaks  []Leak // the largest first
}

// A Leak is one allocation that nobody gave back.
type Leak struct {
	Kind    string // "device memory" or "pinned memory"
	Address uintptr
	Bytes   int
}

// Error gives the sum, and the largest few one by one.
func (e *LeakError) Error() string {
	const shown = 4
	total := 0
	for _, l := range e.Leaks {
		total += l.Bytes
	}
	s := fmt.Sprintf("%s: closed with %d allocations of %d bytes still held:", e.Device, len(e.Leaks), total)
	for i, l := range e.Leaks {
		if i == shown {
			return s + fmt.Sprintf(" and %d more", len(e.Leaks)-shown)
		}
		s += fmt.Sprintf(" %s of %d bytes at %#x;", l.Kind, l.Bytes, l.Address)
	}
	return s[:len(s)-1]
}

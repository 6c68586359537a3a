package artefact

import (
	"errors"
	"runtime"
	"runtime/debug"
)

// ErrFault is that a mapped file was cut or could not be read.
var ErrFault = errors.New("it became shorter, or could not be read, while it was mapped")

// A Mapping is memory that a file stands behind.
type Mapping interface {
	Covers(address uintptr) bool
	// Cut reports whether the file has become shorter than the mapping.
	Cut() bool
}

// Guard calls a function that reads mapped memory. A file that another process
// cuts meanwhile ends a program that touches what is gone; here it is a FaultError.
// Every other panic stays one.
func Guard(read func() error, from ...any) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		for i, f := range from {
			if m, mapped := f.(Mapping); mapped && faulted(r, m) {
				err = &FaultError{Of: i}
				return
			}
		}
		panic(r)
	}()
	return read()
}

// faulted reports whether a panic is of a mapping. Not every system tells the
// address; that the file is too short by now tells as much.
func faulted(r any, m Mapping) bool {
	if fault, ok := r.(interface{ Addr() uintptr }); ok && m.Covers(fault.Addr()) {
		return true
	}
	_, ok := r.(runtime.Error)
	return ok && m.Cut()
}

// A FaultError is an ErrFault, and says of which of Guard's sources.
type FaultError struct{ Of int }

func (e *FaultError) Error() string { return ErrFault.Error() }
func (e *FaultError) Unwrap() error { return ErrFault }

// Package fault holds the kinds of refusal that the reference manager knows,
// and the error that carries one. A refusal says what was asked and what was
// there; its kind is for errors.Is. What a refusal means for a caller is said
// where it is returned, not here.
package fault

import (
	"errors"
	"fmt"
)

// The kinds. Each is matched with errors.Is; none is ever returned bare.
var (
	ErrNotAllocated     = errors.New("not allocated")     // read or written before Allocate
	ErrNotResident      = errors.New("not resident")      // was there, and has been evicted
	ErrNotReady         = errors.New("not ready")         // usable, and too little has been committed yet
	ErrNotFound         = errors.New("not found")         // no object of that name
	ErrOverRead         = errors.New("over-read")         // more than the bound can ever retain
	ErrInvalidArgument  = errors.New("invalid argument")  // no state of the object would make it right
	ErrShapeMismatch    = errors.New("shape mismatch")    // another shape than is there
	ErrTypeMismatch     = errors.New("type mismatch")     // another dtype or Go type than is there
	ErrNotViewable      = errors.New("not viewable")      // no strides can express it: it needs a copy
	ErrNotAddressable   = errors.New("not addressable")   // the host cannot reach that memory
	ErrOutOfMemory      = errors.New("out of memory")     // the device has no room, after a collection either
	ErrSource           = errors.New("source failed")     // an iterated source ended in an error
	ErrAdmissionRefused = errors.New("admission refused") // a new session at the cap, under the refuse policy
	ErrSessionLost      = errors.New("session lost")      // continued, and no longer retained
	ErrConfig           = errors.New("invalid config")    // a deploy config that cannot be used
)

// An Error is one refusal: its kinds, most telling first, and the sentence.
type Error struct {
	Kinds   []error
	Message string
}

// New returns a refusal of one kind. The format says what was asked, then,
// after a colon, what was there: `view last 3 of "out": ring retains 2`.
func New(kind error, format string, args ...any) error {
	return &Error{Kinds: []error{kind}, Message: fmt.Sprintf(format, args...)}
}

// Also returns a refusal that is of two kinds at once, as reading an evicted
// buffer is both not resident and not allocated.
func Also(kind, other error, format string, args ...any) error {
	return &Error{Kinds: []error{kind, other}, Message: fmt.Sprintf(format, args...)}
}

// Because returns a refusal of a kind that keeps its cause for errors.Is.
func Because(kind, cause error, format string, args ...any) error {
	return &Error{Kinds: []error{kind, cause}, Message: fmt.Sprintf(format, args...)}
}

// Error returns the sentence; the kind is not repeated in it.
func (e *Error) Error() string { return e.Message }

// Unwrap gives the kinds to errors.Is and errors.As.
func (e *Error) Unwrap() []error { return e.Kinds }

package spec

import (
	"errors"
	"fmt"
)

// A Kind is why a subject refused. It is an error, so that a spec can say
// Expect(err).To(MatchError(spec.OverRead)).
type Kind string

const (
	NotAllocated     Kind = "not_allocated"
	NotReady         Kind = "not_ready" // read before it was written, captured in part
	NotFound         Kind = "not_found"
	OverRead         Kind = "over_read"
	InvalidArgument  Kind = "invalid_argument"
	ShapeMismatch    Kind = "shape_mismatch"
	TypeMismatch     Kind = "type_mismatch" // another dtype or object kind than is there
	Immutable        Kind = "immutable"     // an edit that the language has no way to make
	AdmissionRefused Kind = "admission_refused"
	SessionLost      Kind = "session_lost"
	OutOfMemory      Kind = "out_of_memory"
	Unsupported      Kind = "unsupported" // by the subject or its language: this case is unclaimed
	Raised           Kind = "error"       // the implementation raised, cause unknown: a refusal like the others
	Internal         Kind = "internal"    // the driver's own failure: never a refusal
)

// Kinds lists every kind, in the order of the protocol document.
func Kinds() []Kind {
	return []Kind{NotAllocated, NotReady, NotFound, OverRead, InvalidArgument, ShapeMismatch, TypeMismatch,
		Immutable, AdmissionRefused, SessionLost, OutOfMemory, Unsupported, Raised, Internal}
}

func (k Kind) Error() string { return string(k) }

// Error is a refusal: its kind, the implementation's own type and words.
type Error struct {
	Kind    Kind   `json:"kind"`
	Type    string `json:"type,omitempty"`
	Message string `json:"message"`
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Kind, e.Message) }

// GomegaString is what a failed assertion shows: the error, not its fields.
func (e *Error) GomegaString() string { return e.Error() }

// Is makes errors.Is(err, kind) ask for the kind.
func (e *Error) Is(target error) bool { k, ok := target.(Kind); return ok && k == e.Kind }

// Refuse makes an *Error of a kind.
func Refuse(k Kind, format string, args ...any) error {
	return &Error{Kind: k, Message: fmt.Sprintf(format, args...)}
}

// KindOf is the kind of an error: its own, or [Raised] for an error that names
// none. It is empty for nil.
func KindOf(err error) Kind {
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	if k, ok := errors.AsType[Kind](err); ok {
		return k
	}
	return Raised
}

// IsRefusal says whether an error is the implementation's refusal, rather than
// an operation that it does not have or a failure of the driver.
func IsRefusal(err error) bool {
	switch KindOf(err) {
	case "", Unsupported, Internal, Immutable:
		return false
	}
	return true
}

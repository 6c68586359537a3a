package subject

import (
	"errors"
	"fmt"

	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/spec"
)

// kinds are the port's words for the library's errors, the more particular
// first.
var kinds = []struct {
	err  error
	kind spec.Kind
}{
	{fault.ErrOverRead, spec.OverRead},
	{fault.ErrAdmissionRefused, spec.AdmissionRefused},
	{fault.ErrSessionLost, spec.SessionLost},
	{fault.ErrNotAllocated, spec.NotAllocated},
	{fault.ErrNotReady, spec.NotReady},
	{fault.ErrNotResident, spec.NotAllocated},
	{fault.ErrNotFound, spec.NotFound},
	{fault.ErrShapeMismatch, spec.ShapeMismatch},
	{fault.ErrTypeMismatch, spec.TypeMismatch},
	{fault.ErrInvalidArgument, spec.InvalidArgument},
	{fault.ErrOutOfMemory, spec.OutOfMemory},
	{fault.ErrConfig, spec.InvalidArgument},
}

// told is an error of the library as the port tells it.
func told(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*spec.Error](err); ok {
		return err
	}
	for _, k := range kinds {
		if errors.Is(err, k.err) {
			return &spec.Error{Kind: k.kind, Type: fmt.Sprintf("%T", err), Message: err.Error()}
		}
	}
	return &spec.Error{Kind: spec.Raised, Type: fmt.Sprintf("%T", err), Message: err.Error()}
}

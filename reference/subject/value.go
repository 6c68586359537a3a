package subject

import (
	"errors"

	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/tensor"
	"github.com/statespec/statespec/spec"
)

// valueHandle holds a value as plain Go has it:
//
//	none, bool, int, float, text   nil, bool, int64, float64, string
//	tensor, array                  *tensor.Tensor, *hostArray
//	list, tuple                    *[]any, [n]any
//	map, set                       map[any]any, map[any]struct{}
//	record, instance               struct{…}, *instance
//	stored, opaque, source         object.StateObject, *opaque, *source
type valueHandle struct {
	sub *subject
	v   any
}

func (s *subject) wrap(v any) spec.Value { return &valueHandle{s, v} }

func contentOf(v spec.Value) any { return v.(*valueHandle).v }

func (h *valueHandle) Release() error { h.v = nil; return nil }

// hostArray is memory that is no tensor. Its elements are laid out as a
// tensor's, so that views of it are written once.
type hostArray struct {
	t         *tensor.Tensor
	immutable bool // borrowed from a text
}

// instance is an object of a class, with attributes.
type instance struct{ attrs map[string]any }

// opaque holds bytes in a way that no accounting can measure.
type opaque struct{ handle uintptr }

// Unmeasurable names the value for accounting.
func (o *opaque) Unmeasurable() string { return "opaque value" }

// source yields payloads, and then fails.
type source struct{ ts []*tensor.Tensor }

var errSource = errors.New("the source failed, as it was made to")

func (s *source) payloads(yield func(*tensor.Tensor, error) bool) {
	for _, t := range s.ts {
		if !yield(t, nil) {
			return
		}
	}
	yield(nil, errSource)
}

var _ object.StateObject = (*spy)(nil)

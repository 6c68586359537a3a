package subject

import (
	"errors"

	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/tensor"
)

// valueHandle holds a value as plain Go has it:
//
//	none, bool, int, float, text   nil, bool, int64, float64, string
//	tensor, array                  *tensor.Tensor, *HostArray
//	list, tuple                    *[]any, [n]any
//	map, set                       map[any]any, map[any]struct{}
//	record, instance               struct{…}, *Instance
//	stored, opaque, source         object.StateObject, *Opaque, *Source
type valueHandle struct {
	sub *Subject
	v   any
}

func (h *valueHandle) Release() error { h.v = nil; return nil }

// HostArray is memory that is no tensor. Its elements are laid out as a
// tensor's, so that views of it are written once.
type HostArray struct {
	Tensor    *tensor.Tensor
	immutable bool // borrowed from a text
}

// Instance is an object of a class, with attributes.
type Instance struct{ Attrs map[string]any }

// Opaque holds bytes in a way that no accounting can measure.
type Opaque struct{ handle uintptr }

// Unmeasurable names the value for accounting.
func (o *Opaque) Unmeasurable() string { return "opaque value" }

// Source yields payloads, and then fails.
type Source struct{ Payloads []*tensor.Tensor }

var errSource = errors.New("the source failed, as it was made to")

func (s *Source) yield(yield func(*tensor.Tensor, error) bool) {
	for _, t := range s.Payloads {
		if !yield(t, nil) {
			return
		}
	}
	yield(nil, errSource)
}

var _ object.StateObject = (*spy)(nil)

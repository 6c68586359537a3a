package subject

import (
	"fmt"
	"iter"
	"slices"

	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/tensor"
	"github.com/statespec/statespec/spec"
)

type objectHandle struct {
	sub *Subject
	o   object.StateObject
}

func (s *Subject) NewObject(want spec.ObjectSpec) (spec.Object, error) {
	o, err := s.build("object", want)
	if err != nil {
		return nil, err
	}
	return s.heldObject(o), nil
}

func (s *Subject) build(name string, want spec.ObjectSpec) (object.StateObject, error) {
	opts := slices.Clone(s.parts.Options)
	if want.Source != nil {
		opts = append(opts, object.WithSource(StateObject(want.Source)))
	}
	var made object.StateObject
	switch want.Kind {
	case spec.LatentBuffer:
		made = object.NewLatentBuffer(name, opts...)
	case spec.EncodeOnceKV:
		made = object.NewEncodeOnce(name, opts...)
	case spec.Spy:
		made = &spy{LatentBuffer: object.NewLatentBuffer(name, opts...)}
	default:
		return nil, spec.Refuse(spec.Unsupported, "no object of kind %q", want.Kind)
	}
	if s.parts.StateObject != nil {
		made = s.parts.StateObject(want.Kind, made)
	}
	return made, nil
}

func kindOf(o object.StateObject) spec.ObjectKind {
	switch o := o.(type) {
	case interface{ Kind() spec.ObjectKind }:
		return o.Kind()
	case *spy:
		return spec.Spy
	case *object.LatentBuffer:
		return spec.LatentBuffer
	case *object.EncodeOnce:
		return spec.EncodeOnceKV
	}
	return ""
}

func boundOf(b spec.Bound) (object.Bound, error) {
	units := map[spec.BoundUnit]object.Unit{spec.Unbounded: object.Unbounded, spec.Payloads: object.Payloads, spec.Frames: object.Frames}
	u, ok := units[b.Unit]
	if !ok {
		return object.Bound{}, spec.Refuse(spec.InvalidArgument, "a bound counts payloads or frames, not %q", b.Unit)
	}
	return object.Bound{Unit: u, N: b.N, Axis: b.Axis}, nil
}

func (h *objectHandle) Allocate(b spec.Bound) error {
	bound, err := boundOf(b)
	if err != nil {
		return err
	}
	return told(h.o.Allocate(bound))
}

func (h *objectHandle) Commit(vs ...spec.Value) error {
	if len(vs) == 1 {
		if src, ok := Content(vs[0]).(*Source); ok {
			return h.extend(src)
		}
	}
	ts, err := tensorsOf(vs)
	if err != nil {
		return err
	}
	return told(h.o.Commit(ts...))
}

// extend commits from a source that fails midway.
func (h *objectHandle) extend(src *Source) error {
	b, ok := h.o.(interface {
		Extend(iter.Seq2[*tensor.Tensor, error]) error
	})
	if !ok {
		return spec.Refuse(spec.Unsupported, "a %s takes no iterable", kindOf(h.o))
	}
	return told(b.Extend(src.yield))
}

func (h *objectHandle) Stage(v spec.Value) error {
	ts, err := tensorsOf([]spec.Value{v})
	if err != nil {
		return err
	}
	return told(h.o.Stage(ts[0]))
}

func (h *objectHandle) Discard() error { return told(h.o.Discard()) }

func (h *objectHandle) View(v spec.View) (spec.Value, error) {
	if v.Last != nil {
		return h.last(*v.Last)
	}
	ts, err := h.o.View(object.ViewOptions{Staged: v.Staged})
	if err != nil {
		return nil, told(err)
	}
	if kindOf(h.o) == spec.EncodeOnceKV {
		return h.sub.Wrap(ts[len(ts)-1]), nil
	}
	items := make([]any, len(ts))
	for i, t := range ts {
		items[i] = t
	}
	return h.sub.Wrap(&items), nil
}

func (h *objectHandle) last(n int) (spec.Value, error) {
	b, ok := h.o.(interface {
		Last(int) (*tensor.Tensor, error)
	})
	if !ok {
		return nil, spec.Refuse(spec.Unsupported, "a %s has no frames", kindOf(h.o))
	}
	t, err := b.Last(n)
	if err != nil {
		return nil, told(err)
	}
	return h.sub.Wrap(t), nil
}

func (h *objectHandle) Evict() (int64, error) {
	n, err := h.o.Evict()
	return n, told(err)
}

func (h *objectHandle) Reset() error { return told(h.o.Reset()) }

func (h *objectHandle) State() (spec.ObjectState, error) {
	st := spec.ObjectState{Resident: h.o.Resident(), Recomputable: h.o.Recomputable(), Len: h.o.Len(), Bytes: map[string]int64{}}
	for device, n := range h.o.BytesByDevice() {
		st.Bytes[string(device)] = n
	}
	if s, ok := h.o.(interface{ Calls() []string }); ok {
		st.Calls = s.Calls()
	}
	return st, nil
}

func (h *objectHandle) Release() error { h.o = nil; return nil }

func tensorsOf(vs []spec.Value) ([]*tensor.Tensor, error) {
	ts := make([]*tensor.Tensor, len(vs))
	for i, v := range vs {
		switch c := Content(v).(type) {
		case *tensor.Tensor:
			ts[i] = c
		case *HostArray:
			ts[i] = c.Tensor
		default:
			return nil, &spec.Error{Kind: spec.TypeMismatch, Type: fmt.Sprintf("%T", c), Message: fmt.Sprintf("payload %d is no tensor", i)}
		}
	}
	return ts, nil
}

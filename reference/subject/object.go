package subject

import (
	"fmt"
	"iter"

	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/tensor"
	"github.com/statespec/statespec/spec"
)

type objectHandle struct {
	sub *subject
	o   object.StateObject
}

func (s *subject) NewObject(want spec.ObjectSpec) (spec.Object, error) {
	o, err := s.build("object", want)
	if err != nil {
		return nil, err
	}
	return &objectHandle{s, o}, nil
}

func (s *subject) build(name string, want spec.ObjectSpec) (object.StateObject, error) {
	var opts []object.Option
	if want.Source != nil {
		opts = append(opts, object.WithSource(want.Source.(*objectHandle).o))
	}
	switch want.Kind {
	case spec.LatentBuffer:
		return object.NewLatentBuffer(name, opts...), nil
	case spec.EncodeOnceKV:
		return object.NewEncodeOnce(name, opts...), nil
	case spec.Spy:
		return &spy{LatentBuffer: object.NewLatentBuffer(name, opts...)}, nil
	}
	return nil, spec.Refuse(spec.Unsupported, "no object of kind %q", want.Kind)
}

func kindOf(o object.StateObject) spec.ObjectKind {
	switch o.(type) {
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
		if src, ok := contentOf(vs[0]).(*source); ok {
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
func (h *objectHandle) extend(src *source) error {
	b, ok := h.o.(interface {
		Extend(iter.Seq2[*tensor.Tensor, error]) error
	})
	if !ok {
		return spec.Refuse(spec.Unsupported, "a %s takes no iterable", kindOf(h.o))
	}
	return told(b.Extend(src.payloads))
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
		return h.sub.wrap(ts[len(ts)-1]), nil
	}
	items := make([]any, len(ts))
	for i, t := range ts {
		items[i] = t
	}
	return h.sub.wrap(&items), nil
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
	return h.sub.wrap(t), nil
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
	if s, ok := h.o.(*spy); ok {
		st.Calls = s.recorded()
	}
	return st, nil
}

func (h *objectHandle) Release() error { h.o = nil; return nil }

func tensorsOf(vs []spec.Value) ([]*tensor.Tensor, error) {
	ts := make([]*tensor.Tensor, len(vs))
	for i, v := range vs {
		switch c := contentOf(v).(type) {
		case *tensor.Tensor:
			ts[i] = c
		case *hostArray:
			ts[i] = c.t
		default:
			return nil, &spec.Error{Kind: spec.TypeMismatch, Type: fmt.Sprintf("%T", c), Message: fmt.Sprintf("payload %d is no tensor", i)}
		}
	}
	return ts, nil
}

package subject

import (
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/spec"
)

type sessionHandle struct {
	sub      *Subject
	s        *manager.Session
	defaults map[string]spec.Recipe
}

func (h *sessionHandle) Object(name string) (spec.Object, error) {
	o, err := h.s.Object(name)
	if err != nil {
		return nil, told(err)
	}
	return h.sub.heldObject(o), nil
}

func (h *sessionHandle) Ensure(name string, want spec.ObjectSpec) (spec.Object, error) {
	bound, err := boundOf(want.Bound)
	if err != nil {
		return nil, err
	}
	build := func() (object.StateObject, error) {
		o, err := h.sub.build(name, want)
		if err != nil {
			return nil, err
		}
		return o, o.Allocate(bound)
	}
	o, err := h.s.GetOrCreate(name, build, func(o object.StateObject) bool { return kindOf(o) == want.Kind })
	if err != nil {
		return nil, told(err)
	}
	return h.sub.heldObject(o), nil
}

func (h *sessionHandle) Put(name string, o spec.Object) error {
	return told(h.s.Put(name, StateObject(o)))
}

func (h *sessionHandle) Attr(name string) (spec.Value, error) {
	v, set := h.s.Attr(name)
	if !set {
		r, declared := h.defaults[name]
		if !declared {
			return nil, nil
		}
		fresh, err := h.sub.content(r) // of this session alone
		if err != nil {
			return nil, err
		}
		v = fresh
	}
	return h.sub.Wrap(v), nil
}

func (h *sessionHandle) SetAttr(name string, v spec.Value) error {
	if v == nil {
		h.s.ClearAttr(name)
		return nil
	}
	h.s.SetAttr(name, Content(v))
	return nil
}

func (h *sessionHandle) Contents() (spec.Contents, error) {
	h.sub.contents.RLock()
	defer h.sub.contents.RUnlock()
	c := spec.Contents{Objects: h.s.Names(), Attrs: h.s.AttrNames(), Bytes: map[string]int64{}}
	for device, n := range h.sub.bytesOfOne(h.s) {
		c.Bytes[string(device)] = n
	}
	return c, nil
}

func (h *sessionHandle) Reset() error { return told(h.s.Reset()) }

func (h *sessionHandle) Park(name string) (int64, error) {
	n, err := h.s.Park(name)
	return n, told(err)
}

func (h *sessionHandle) Unpark(name string) (int64, error) {
	n, err := h.s.Unpark(name)
	return n, told(err)
}

func (h *sessionHandle) Release() error { h.s = nil; return nil }

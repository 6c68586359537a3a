package faulty

import (
	"fmt"
	"reflect"

	"github.com/statespec/statespec/reference/account"
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
	"github.com/statespec/statespec/spec"
)

// A way leads from a session into a container: its last step.
type way struct {
	session *manager.Session
	object  object.StateObject // of the session; nil in an attribute
	name    string             // of the object or attribute

	up    *way           // the container that this one is in; nil for the session's own
	kind  spec.ValueKind // of this container
	is    any            // this container: its address, nil where it has none
	holds int            // how many things
	deep  int            // containers from here out, this one too
	at    int            // which of the things of the one that it is in, from 0
}

// in counts the containers of a kind on the way.
func (w *way) in(kind spec.ValueKind) (n int) {
	for ; w != nil; w = w.up {
		if w.kind == kind {
			n++
		}
	}
	return n
}

// A walker follows every way there is, and notes the sights at the ends.
type walker struct {
	naive
	met        map[any]bool
	sights     []sight
	unmeasured []string
}

// content walks what a session holds under one name.
func (w *walker) content(c content) {
	w.met = map[any]bool{}
	at := &way{session: c.session, object: c.object, name: c.name}
	for i, v := range c.holds {
		at := *at
		at.at = i
		w.value(&at, v)
	}
}

// value walks one value. Where is the container that it is in.
func (w *walker) value(where *way, v any) {
	switch v := v.(type) {
	case *tensor.Tensor:
		if v != nil {
			w.see(sight{way: where, t: v, st: v.Storage()})
		}
	case *tensor.Storage:
		if v != nil {
			w.see(sight{way: where, st: v})
		}
	case *subject.HostArray:
		w.see(sight{way: where, t: v.Tensor, array: v, st: v.Tensor.Storage()})
	case *subject.Opaque:
		if w.blind == nil || w.blind(where) {
			w.name(where, v.Unmeasurable())
		}
	default:
		if kind, is, things := opened(v); kind != "" {
			w.container(&way{where.session, where.object, where.name, where, kind, is, len(things), where.deep + 1, where.at}, things)
		}
	}
}

// name notes what is not measured.
func (w *walker) name(where *way, what string) {
	if what != "" {
		w.unmeasured = append(w.unmeasured, fmt.Sprintf("session %q: %s: %s", where.session.ID(), where.name, what))
	}
}

func (w *walker) see(s sight) {
	device, start, n := s.st.Span()
	s.device, s.start, s.bytes = device, start, int64(n)
	w.sights = append(w.sights, s)
}

func (w *walker) container(c *way, things []any) {
	if c.is != nil && w.met[c.is] {
		if w.again != nil && c.inside(c.is) {
			w.again(c)
		}
		return
	}
	if w.into != nil {
		if look, instead := w.into(c); !look {
			w.name(c, instead)
			return
		}
	}
	if c.is != nil {
		w.met[c.is] = true
	}
	for i, v := range things {
		in := *c
		in.at = i
		if c.kind == spec.KindMap && i%2 == 0 {
			in.kind = spec.KindMapKey
		}
		w.value(&in, v)
	}
}

// inside reports whether the way comes through a container before its end.
func (w *way) inside(is any) bool {
	for w = w.up; w != nil; w = w.up {
		if w.is == is {
			return true
		}
	}
	return false
}

// opened is what is in a container, in turn; of a map each key and its value. A
// kind of "" is no container.
func opened(v any) (kind spec.ValueKind, is any, things []any) {
	switch v := v.(type) {
	case nil:
		return "", nil, nil
	case *[]any:
		return spec.KindList, v, *v
	case map[any]any:
		for k, e := range v {
			things = append(things, k, e)
		}
		return spec.KindMap, reflect.ValueOf(v).Pointer(), things
	case map[any]struct{}:
		for k := range v {
			things = append(things, k)
		}
		return spec.KindSet, reflect.ValueOf(v).Pointer(), things
	case *subject.Instance:
		for _, e := range v.Attrs {
			things = append(things, e)
		}
		return spec.KindInstance, v, things
	case object.StateObject:
		return spec.KindStored, v, objectHolds(v)
	}
	return fixed(reflect.ValueOf(v))
}

// fixed is the things of a tuple (an array) or a record (a struct).
func fixed(v reflect.Value) (kind spec.ValueKind, is any, things []any) {
	switch v.Kind() {
	case reflect.Array:
		for i := range v.Len() {
			things = append(things, v.Index(i).Interface())
		}
		return spec.KindTuple, nil, things
	case reflect.Struct:
		for i := range v.NumField() {
			things = append(things, v.Field(i).Interface())
		}
		return spec.KindRecord, nil, things
	}
	return "", nil, nil
}

// objectHolds is what an object of an attribute names as held.
func objectHolds(o object.StateObject) (things []any) {
	if steady, ok := o.(account.Steady); ok {
		steady.Guard().Lock()
		defer steady.Guard().Unlock()
		steady.VisitHeld(func(v any) { things = append(things, v) })
	}
	return things
}

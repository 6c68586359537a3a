package manager

import (
	"reflect"

	"github.com/statespec/statespec/reference/fault"
)

// A slot is where a session keeps an attribute.
type slot interface {
	value() any // what was assigned
	held() any  // the same for the accounting: a pointer, so that nothing is copied
}

// A cell is a slot of one Go type. It is written in place, so that assigning a
// number or a struct does not allocate.
type cell[T any] struct{ v T }

func (c *cell[T]) value() any { return c.v }

func (c *cell[T]) held() any {
	if untyped, ok := any(&c.v).(*any); ok {
		return *untyped
	}
	return &c.v
}

// An Attr declares one attribute of a session: its name, its type and what it
// reads as while nobody has written it. Declare it once beside the adapter,
// one line a value; it holds no session's value itself.
//
// Two adapters that declare one name share the attribute. When they disagree
// about its type the last to write decides: to the other the attribute reads
// as its default, Lookup and Edit say ErrTypeMismatch, and Set, which assigns
// wholesale, replaces it.
type Attr[T any] struct {
	name string
	def  T
	make func() T
}

// NewAttr declares an attribute with a default. A default that is a slice or
// a map is copied for each reader, element containers included, so that no two
// sessions share it; pointers in it are not followed. For anything deeper use
// NewAttrFunc.
func NewAttr[T any](name string, def T) Attr[T] {
	if v := reflect.ValueOf(&def).Elem(); shares(v) {
		return Attr[T]{name: name, make: func() T { return copyContainers(v).Interface().(T) }}
	}
	return Attr[T]{name: name, def: def}
}

// NewAttrFunc declares an attribute whose default is made afresh for each read.
func NewAttrFunc[T any](name string, def func() T) Attr[T] { return Attr[T]{name: name, make: def} }

// Name returns the attribute's name.
func (a Attr[T]) Name() string { return a.name }

func (a *Attr[T]) fresh() T {
	if a.make != nil {
		return a.make()
	}
	return a.def
}

// Get returns what was last written, else the default.
func (a Attr[T]) Get(s *Session) T {
	s.mu.Lock()
	held, set := s.attrs[a.name]
	if c, ok := held.(*cell[T]); ok {
		v := c.v
		s.mu.Unlock()
		return v
	}
	var v T
	if set {
		v, set = held.value().(T)
	}
	s.mu.Unlock()
	if set {
		return v
	}
	return a.fresh()
}

// Set assigns the attribute wholesale.
func (a Attr[T]) Set(s *Session, v T) {
	s.mu.Lock()
	if c, ok := s.attrs[a.name].(*cell[T]); ok {
		c.v = v
	} else {
		s.assign(a.name, &cell[T]{v})
	}
	s.mu.Unlock()
}

// Clear makes the attribute read as its default again.
func (a Attr[T]) Clear(s *Session) { s.ClearAttr(a.name) }

// IsSet reports whether the attribute was written and not cleared since, with
// whatever type.
func (a Attr[T]) IsSet(s *Session) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, set := s.attrs[a.name]
	return set
}

// Lookup is Get for a caller that wants to know: whether the attribute is set,
// and ErrTypeMismatch when somebody else wrote it with another type.
func (a Attr[T]) Lookup(s *Session) (v T, set bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	held, set := s.attrs[a.name]
	if !set {
		return a.fresh(), false, nil
	}
	if c, ok := held.(*cell[T]); ok {
		return c.v, true, nil
	}
	if v, ok := held.value().(T); ok {
		return v, true, nil
	}
	return a.fresh(), true, a.mismatch("look up", held)
}

// Edit changes the value in place under the session's lock, beginning with the
// default when it is not set, so that the accounting never sees it half done.
// Change must not call the session and must not keep the pointer.
func (a Attr[T]) Edit(s *Session, change func(*T)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	held, set := s.attrs[a.name]
	c, ok := held.(*cell[T])
	if !ok {
		v, fits := a.fresh(), true
		if set {
			v, fits = held.value().(T)
		}
		if !fits {
			return a.mismatch("edit", held)
		}
		c = &cell[T]{v}
		s.assign(a.name, c)
	}
	change(&c.v)
	return nil
}

func (a *Attr[T]) mismatch(call string, held slot) error {
	return fault.New(fault.ErrTypeMismatch, "%s attribute %q as %v: it holds a %T", call, a.name, reflect.TypeFor[T](), held.value())
}

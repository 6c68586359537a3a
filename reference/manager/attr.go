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
//
// Where T is an interface, as in Attr[any], a nil value clears the attribute,
// as it does in Session.SetAttr. A nil pointer, slice or map of a type of its
// own is a value like any other.
type Attr[T any] struct {
	name      string
	def       T
	make      func() T
	nilClears bool // T is an interface
}

// NewAttr declares an attribute with a default. A default that is a slice or
// a map is copied for each reader, element containers included, so that no two
// sessions share it; pointers in it are not followed. For anything deeper use
// NewAttrFunc.
func NewAttr[T any](name string, def T) Attr[T] {
	if v := reflect.ValueOf(&def).Elem(); shares(v) {
		return NewAttrFunc(name, func() T { return copyContainers(v).Interface().(T) })
	}
	return Attr[T]{name: name, def: def, nilClears: isInterface[T]()}
}

// NewAttrFunc declares an attribute whose default is made afresh for each
// read, without the session's lock: it may read the session. In GetIn it runs
// inside Update, and may not.
func NewAttrFunc[T any](name string, def func() T) Attr[T] {
	return Attr[T]{name: name, make: def, nilClears: isInterface[T]()}
}

func isInterface[T any]() bool { return reflect.TypeFor[T]().Kind() == reflect.Interface }

// Name returns the attribute's name.
func (a Attr[T]) Name() string { return a.name }

func (a *Attr[T]) fresh() T {
	if a.make != nil {
		return a.make()
	}
	return a.def
}

// read returns what is assigned, false when that is nothing or of another
// type. The session is locked.
func (a *Attr[T]) read(s *Session) (v T, fits bool) {
	s.back(a.name)
	held := s.attrs[a.name]
	if c, ok := held.(*cell[T]); ok {
		return c.v, true
	}
	if held != nil {
		v, fits = held.value().(T)
	}
	return v, fits
}

// Get returns what was last written, else the default.
func (a Attr[T]) Get(s *Session) T {
	s.mu.Lock()
	v, fits := a.read(s)
	s.mu.Unlock()
	if fits {
		return v
	}
	return a.fresh()
}

// GetIn is Get inside Update.
func (a Attr[T]) GetIn(e *Edit) T {
	if v, fits := a.read(e.s); fits {
		return v
	}
	return a.fresh()
}

// Set assigns the attribute wholesale.
func (a Attr[T]) Set(s *Session, v T) {
	s.mu.Lock()
	a.write(s, v)
	s.mu.Unlock()
}

// SetIn is Set inside Update.
func (a Attr[T]) SetIn(e *Edit, v T) { a.write(e.s, v) }

// write assigns the attribute of a session that is locked.
func (a *Attr[T]) write(s *Session, v T) {
	if a.nilClears && any(v) == nil {
		delete(s.attrs, a.name)
		return
	}
	if c, ok := s.attrs[a.name].(*cell[T]); ok {
		c.v = v
		return
	}
	s.assign(a.name, &cell[T]{v})
}

// Clear makes the attribute read as its default again. Inside Update that is
// Edit.ClearAttr.
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
	v, fits := a.read(s)
	held := s.attrs[a.name]
	if held != nil && !fits {
		err = a.mismatch("look up", held)
	}
	s.mu.Unlock()
	if !fits {
		v = a.fresh()
	}
	return v, held != nil, err
}

// Edit changes the value in place under the session's lock, beginning with the
// default when it is not set, so that the accounting never sees it half done.
// Change must not call the session, nor count, and must not keep the pointer.
func (a Attr[T]) Edit(s *Session, change func(*T)) error {
	var def *T
	for {
		if done, err := a.edit(s, def, change); done {
			return err
		}
		def = new(a.fresh()) // without the lock, as for Get
	}
}

// edit is Edit with a default to begin with. Without one, and where one is
// needed, it is not done.
func (a *Attr[T]) edit(s *Session, def *T, change func(*T)) (done bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, fits := a.read(s)
	held := s.attrs[a.name]
	switch {
	case held != nil && !fits:
		return true, a.mismatch("edit", held)
	case held == nil && def == nil:
		return false, nil
	case held == nil:
		v = *def
	}
	c, ok := held.(*cell[T])
	if !ok {
		c = &cell[T]{v}
	}
	change(&c.v)
	switch {
	case a.nilClears && any(c.v) == nil:
		delete(s.attrs, a.name)
	case !ok:
		s.assign(a.name, c)
	}
	return true, nil
}

func (a *Attr[T]) mismatch(call string, held slot) error {
	return fault.New(fault.ErrTypeMismatch, "%s attribute %q as %v: it holds a %T", call, a.name, reflect.TypeFor[T](), held.value())
}

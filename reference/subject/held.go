package subject

import (
	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/spec"
)

// What a caller holds answers with the subject's own handle, or with what parts
// put in front of it, and knows the thing itself for when it comes back as an
// argument.
type (
	heldManager struct {
		spec.Manager
		own *managerHandle
	}
	heldSession struct {
		spec.Session
		own *sessionHandle
	}
	heldObject struct {
		spec.Object
		own *objectHandle
	}
	heldValue struct {
		spec.Value
		own *valueHandle
	}
	heldModel struct {
		spec.Model
	}
	heldState struct {
		spec.State
		own spec.State
	}
)

// TableOf is the table behind a manager of this package: one that a caller
// holds, or the one that a part was given to stand in front of.
func TableOf(m spec.Manager) Table {
	if held, ok := m.(*heldManager); ok {
		return held.own.m
	}
	return m.(*managerHandle).m
}

// SessionOf is the session behind one of this package, as of [TableOf].
func SessionOf(s spec.Session) *manager.Session {
	if held, ok := s.(*heldSession); ok {
		return held.own.s
	}
	return s.(*sessionHandle).s
}

// StateObject is the object behind one of this package, as of [TableOf], or
// behind something that a part answered with instead and that unwraps to one.
func StateObject(o spec.Object) object.StateObject {
	switch o := o.(type) {
	case *heldObject:
		return o.own.o
	case interface{ Unwrap() spec.Object }:
		return StateObject(o.Unwrap())
	}
	return o.(*objectHandle).o
}

// Content is the Go value behind a value of this package, as of [TableOf].
func Content(v spec.Value) any {
	if held, ok := v.(*heldValue); ok {
		return held.own.v
	}
	return v.(*valueHandle).v
}

// DreamZero is the state behind one of this package, as of [TableOf]; nil where
// it is another model's.
func DreamZero(s spec.State) dreamzero.State {
	if held, ok := s.(*heldState); ok {
		s = held.own
	}
	if own, ok := s.(*stateHandle); ok {
		return own.st
	}
	return nil
}

// Wrap is a Go value as one of the port.
func (s *Subject) Wrap(v any) spec.Value {
	own := &valueHandle{s, v}
	return &heldValue{front(s, s.parts.Value, spec.Value(own)), own}
}

func (s *Subject) heldManager(own *managerHandle) spec.Manager {
	return &heldManager{front(s, s.parts.Manager, spec.Manager(own)), own}
}

func (s *Subject) heldSession(own *sessionHandle) spec.Session {
	return &heldSession{front(s, s.parts.Session, spec.Session(own)), own}
}

func (s *Subject) heldObject(o object.StateObject) spec.Object {
	own := &objectHandle{s, o}
	return &heldObject{front(s, s.parts.Object, spec.Object(own)), own}
}

func (s *Subject) heldModel(own spec.Model) spec.Model {
	return &heldModel{front(s, s.parts.Model, own)}
}

func (s *Subject) heldState(own spec.State) spec.State {
	return &heldState{front(s, s.parts.State, own), own}
}

// front is what stands in front of a handle: a part, or nothing.
func front[H any](s *Subject, part func(*Subject, H) H, own H) H {
	if part == nil {
		return own
	}
	return part(s, own)
}

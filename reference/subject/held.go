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
		own *stateHandle
	}
)

// TableOf is the table behind a manager of this package.
func TableOf(m spec.Manager) Table { return m.(*heldManager).own.m }

// SessionOf is the session behind one of this package.
func SessionOf(s spec.Session) *manager.Session { return s.(*heldSession).own.s }

// StateObject is the object behind one of this package.
func StateObject(o spec.Object) object.StateObject { return o.(*heldObject).own.o }

// Content is the Go value behind a value of this package.
func Content(v spec.Value) any { return v.(*heldValue).own.v }

// DreamZero is the state behind one of this package.
func DreamZero(s spec.State) dreamzero.State { return s.(*heldState).own.st }

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

func (s *Subject) heldModel(store dreamzero.Store) spec.Model {
	own := &modelHandle{sub: s, store: store}
	return &heldModel{front(s, s.parts.Model, spec.Model(own))}
}

func (s *Subject) heldState(st dreamzero.State) spec.State {
	own := &stateHandle{sub: s, st: st}
	return &heldState{front(s, s.parts.State, spec.State(own)), own}
}

// front is what stands in front of a handle: a part, or nothing.
func front[H any](s *Subject, part func(*Subject, H) H, own H) H {
	if part == nil {
		return own
	}
	return part(s, own)
}

package faulty

import (
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec"
)

// An alteredSession stands in front of a session of the reference, as one
// holder has it, with some operations replaced by a fault.
type alteredSession struct {
	spec.Session // the reference's own
	sub          *subject.Subject

	object func(name string) (spec.Object, error)
	ensure func(name string, want spec.ObjectSpec) (spec.Object, error)
	put    func(name string, o spec.Object) error
	reset  func() error
}

// sessions is a subject whose sessions are altered, for every holder alike.
func sessions(change func(*alteredSession)) func() subject.Parts {
	return func() subject.Parts { return subject.Parts{Session: sessionsOf(change)} }
}

// sessionsOf is the part of sessions.
func sessionsOf(change func(*alteredSession)) func(*subject.Subject, spec.Session) spec.Session {
	return func(sub *subject.Subject, own spec.Session) spec.Session {
		s := &alteredSession{Session: own, sub: sub, object: own.Object, ensure: own.Ensure, put: own.Put, reset: own.Reset}
		change(s)
		return s
	}
}

func (s *alteredSession) Object(name string) (spec.Object, error) { return s.object(name) }
func (s *alteredSession) Put(name string, o spec.Object) error    { return s.put(name, o) }
func (s *alteredSession) Reset() error                            { return s.reset() }
func (s *alteredSession) Ensure(name string, want spec.ObjectSpec) (spec.Object, error) {
	return s.ensure(name, want)
}

// behind is the session that it stands in front of.
func (s *alteredSession) behind() *manager.Session { return subject.SessionOf(s.Session) }

// has is what the session has under a name, nil for nothing.
func (s *alteredSession) has(name string) spec.Object {
	o, err := s.Session.Object(name)
	if err != nil {
		return nil
	}
	return o
}

// built is a new object, allocated.
func (s *alteredSession) built(want spec.ObjectSpec) (spec.Object, error) {
	o, err := s.sub.NewObject(want)
	if err != nil {
		return nil, err
	}
	return o, o.Allocate(want.Bound)
}

// another is an object like one that is allocated and empty, of its own.
func (s *alteredSession) another(o spec.Object) (spec.Object, error) {
	switch own := subject.StateObject(o).(type) {
	case *object.LatentBuffer:
		bound, _ := own.Bound()
		units := map[object.Unit]spec.BoundUnit{object.Payloads: spec.Payloads, object.Frames: spec.Frames}
		like := spec.Bound{Unit: units[bound.Unit], N: bound.N, Axis: bound.Axis}
		return s.built(spec.ObjectSpec{Kind: spec.LatentBuffer, Bound: like})
	case *object.EncodeOnce:
		return s.built(spec.ObjectSpec{Kind: spec.EncodeOnceKV})
	}
	return o, nil // of the harness
}

// kindOf is the kind of an object of the reference, empty for one of the harness.
func kindOf(o spec.Object) spec.ObjectKind {
	switch subject.StateObject(o).(type) {
	case *object.LatentBuffer:
		return spec.LatentBuffer
	case *object.EncodeOnce:
		return spec.EncodeOnceKV
	}
	return ""
}

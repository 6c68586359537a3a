package faulty

import (
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec"
)

// A write is a call by which a caller changes a session.
type write int

const (
	setAttr write = iota
	putObject
	commitPayload
	resetSession
)

// written is a subject of which somebody stands around the writes to its
// sessions and their objects.
func written(around func(w write, do func() error) error) subject.Parts {
	return subject.Parts{
		Session: func(_ *subject.Subject, s spec.Session) spec.Session { return writtenSession{s, around} },
		Object:  func(_ *subject.Subject, o spec.Object) spec.Object { return writtenObject{o, around} },
	}
}

type writtenSession struct {
	spec.Session
	around func(write, func() error) error
}

func (s writtenSession) SetAttr(name string, v spec.Value) error {
	return s.around(setAttr, func() error { return s.Session.SetAttr(name, v) })
}

func (s writtenSession) Put(name string, o spec.Object) error {
	return s.around(putObject, func() error { return s.Session.Put(name, o) })
}

func (s writtenSession) Reset() error { return s.around(resetSession, s.Session.Reset) }

type writtenObject struct {
	spec.Object
	around func(write, func() error) error
}

func (o writtenObject) Commit(vs ...spec.Value) error {
	return o.around(commitPayload, func() error { return o.Object.Commit(vs...) })
}

// A statistician answers stats in the stead of a manager.
type statistician struct {
	spec.Manager
	stats func(spec.Manager) (spec.Stats, error)
}

func (s *statistician) Stats() (spec.Stats, error) { return s.stats(s.Manager) }

// answering is the part of a subject whose managers answer stats in another way.
func answering(stats func(spec.Manager) (spec.Stats, error)) func(*subject.Subject, spec.Manager) spec.Manager {
	return func(_ *subject.Subject, m spec.Manager) spec.Manager { return &statistician{m, stats} }
}

package faulty

import (
	"slices"
	"sync"
	"weak"

	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec"
)

// attributes holds faults of what a session carries beside its objects.
func attributes() []Fault {
	return slices.Concat(carriedTensors(), carriedContainers(), carriedScalars(), coercions(), defaultValues(),
		severalHolders(), objectsGone(), sessionEnds(), buckets(), attentionKV())
}

// fronted is a subject in front of whose sessions something stands.
func fronted(front func(*subject.Subject, spec.Session) spec.Session) func() subject.Parts {
	return func() subject.Parts { return subject.Parts{Session: front} }
}

// readsAs is a subject whose attributes read as something else than they hold.
// What an attribute holds stays the caller's own, for who counts or edits it.
func readsAs(as func(v any) any) func() subject.Parts {
	return fronted(func(s *subject.Subject, own spec.Session) spec.Session { return attrReader{own, s, as} })
}

type attrReader struct {
	spec.Session
	sub *subject.Subject
	as  func(any) any
}

func (r attrReader) Attr(name string) (spec.Value, error) {
	v, err := r.Session.Attr(name)
	if err != nil || v == nil {
		return v, err
	}
	return r.sub.Wrap(r.as(subject.Content(v))), nil
}

// holdsAs is a subject whose attributes hold something else than was assigned,
// depending on what was there before; nil is nothing.
func holdsAs(as func(before, v any) any) func() subject.Parts {
	return fronted(func(s *subject.Subject, own spec.Session) spec.Session { return attrWriter{own, s, as} })
}

type attrWriter struct {
	spec.Session
	sub *subject.Subject
	as  func(before, v any) any
}

func (w attrWriter) SetAttr(name string, v spec.Value) error {
	if v == nil {
		return w.Session.SetAttr(name, nil)
	}
	before, _ := subject.SessionOf(w.Session).Attr(name)
	return w.Session.SetAttr(name, w.sub.Wrap(w.as(before, subject.Content(v))))
}

// An attrMemory keeps something for each attribute of each session, as long as the
// session lives.
type attrMemory[T any] struct {
	making sync.Mutex

	mu sync.Mutex
	of map[weak.Pointer[manager.Session]]map[string]T
}

func (m *attrMemory[T]) get(s spec.Session, name string) (T, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, kept := m.of[weak.Make(subject.SessionOf(s))][name]
	return v, kept
}

// getOrMake returns what is kept, and keeps something first where nothing is.
func (m *attrMemory[T]) getOrMake(s spec.Session, name string, make func() T) T {
	m.making.Lock()
	defer m.making.Unlock()
	v, kept := m.get(s, name)
	if !kept {
		v = make()
		m.set(s, name, v)
	}
	return v
}

func (m *attrMemory[T]) set(s spec.Session, name string, v T) {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := weak.Make(subject.SessionOf(s))
	if m.of == nil {
		m.of = map[weak.Pointer[manager.Session]]map[string]T{}
	}
	if m.of[key] == nil {
		m.of[key] = map[string]T{}
	}
	m.of[key][name] = v
}

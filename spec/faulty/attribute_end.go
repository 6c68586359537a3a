package faulty

import (
	"slices"
	"sync"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
	"github.com/statespec/statespec/spec"
)

// objectsGone holds faults of attributes when a session's objects are evicted.
// Objects that DreamZero makes for itself are left alone.
func objectsGone() []Fault {
	return []Fault{
		{
			Name: "forgets attributes when objects are evicted", Breaks: []string{"ATT-04"},
			Parts: evictingWith(func(s *manager.Session, name string, _ any) { s.ClearAttr(name) }),
		}, {
			Name: "empties containers when objects are evicted", Breaks: []string{"ATT-04"},
			Parts: evictingWith(func(s *manager.Session, name string, v any) {
				if isList(v) {
					s.SetAttr(name, &[]any{})
				}
			}),
		}, {
			Name: "counts from zero when objects are evicted", Breaks: []string{"ATT-04"},
			Parts: evictingWith(func(s *manager.Session, name string, v any) {
				if _, is := v.(int64); is {
					s.SetAttr(name, int64(0))
				}
			}),
		}, {
			// As where an allocator gives freed pages to the next one.
			Name: "frees what an attribute still holds when objects are evicted", Breaks: []string{"ATT-04"},
			Parts: evictingWith(func(_ *manager.Session, _ string, v any) {
				if t, is := v.(*tensor.Tensor); is {
					clear(t.Storage().Bytes())
				}
			}),
		},
	}
}

// evictingWith is a subject that does something to each attribute of a session
// when an object that was found in it by name is evicted.
func evictingWith(do func(s *manager.Session, name string, v any)) func() subject.Parts {
	return fronted(func(_ *subject.Subject, own spec.Session) spec.Session { return evictingSession{own, do} })
}

type evictingSession struct {
	spec.Session
	do func(s *manager.Session, name string, v any)
}

func (e evictingSession) Object(name string) (spec.Object, error) {
	o, err := e.Session.Object(name)
	if err != nil || slices.Contains(dreamzero.Buffers(), name) {
		return o, err
	}
	return evictingObject{o, func() { eachAttr(subject.SessionOf(e.Session), e.do) }}, nil
}

type evictingObject struct {
	spec.Object
	after func()
}

// Unwrap is the object for who is handed this one.
func (e evictingObject) Unwrap() spec.Object { return e.Object }

func (e evictingObject) Evict() (int64, error) {
	n, err := e.Object.Evict()
	e.after()
	return n, err
}

func eachAttr(s *manager.Session, do func(s *manager.Session, name string, v any)) {
	for _, name := range s.AttrNames() {
		if v, set := s.Attr(name); set {
			do(s, name, v)
		}
	}
}

// sessionEnds holds faults of attributes whose session has ended.
func sessionEnds() []Fault {
	return []Fault{
		{Name: "keeps caches of an evicted session", Breaks: []string{"ATT-05"}, Parts: hoardingEvicted},
		{Name: "keeps caches of a dropped session", Breaks: []string{"ATT-05"}, Parts: hoardingDropped(isCache)},
		{Name: "keeps what a view was cut from when its session is dropped", Breaks: []string{"ATT-05"}, Parts: hoardingDropped(largerThanShown)},
		{Name: "keeps the attributes of a session that is reset", Breaks: []string{"ATT-05"}, Parts: hoardingReset},
		{
			Name: "resets a session but for its containers", Breaks: []string{"ATT-05"},
			Parts: fronted(func(_ *subject.Subject, own spec.Session) spec.Session { return keepingLists{own} }),
		},
	}
}

// A hoard is what nobody asks for any more.
type hoard struct {
	mu     sync.Mutex
	values []any
}

func (h *hoard) add(_ *manager.Session, _ string, v any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.values = append(h.values, v)
}

func (h *hoard) addCaches(s *manager.Session, name string, v any) {
	if isCache(v) {
		h.add(s, name, v)
	}
}

// hoardingEvicted keeps the caches of sessions that have left the table.
func hoardingEvicted() subject.Parts {
	return subject.Parts{Table: func(o manager.Options) (subject.Table, error) {
		m, err := manager.New(o)
		if err != nil {
			return nil, err
		}
		return &hoardingTable{Manager: m}, nil
	}}
}

type hoardingTable struct {
	*manager.Manager
	hoard hoard
}

func (t *hoardingTable) Session(id string) (*manager.Session, error) {
	var oldest *manager.Session
	if retained := t.Retained(); len(retained) > 0 {
		oldest, _ = t.Peek(retained[0])
	}
	s, err := t.Manager.Session(id)
	if err == nil && oldest != nil && !t.Contains(oldest.ID()) {
		eachAttr(oldest, t.hoard.addCaches)
	}
	return s, err
}

// hoardingDropped keeps some attributes of sessions that are dropped.
func hoardingDropped(keeps func(v any) bool) func() subject.Parts {
	return func() subject.Parts {
		var h hoard
		return subject.Parts{Manager: func(_ *subject.Subject, own spec.Manager) spec.Manager {
			return hoardingManager{own, func(s *manager.Session, name string, v any) {
				if keeps(v) {
					h.add(s, name, v)
				}
			}}
		}}
	}
}

type hoardingManager struct {
	spec.Manager
	keep func(s *manager.Session, name string, v any)
}

func (h hoardingManager) Drop(id string) (bool, error) {
	if s, retained := subject.TableOf(h.Manager).Peek(id); retained {
		eachAttr(s, h.keep)
	}
	return h.Manager.Drop(id)
}

// isCache is for a list of several things, as an encoder's cache is.
func isCache(v any) bool {
	list, is := v.(*[]any)
	return is && len(*list) > 1
}

func isList(v any) bool {
	_, is := v.(*[]any)
	return is
}

func largerThanShown(v any) bool {
	t, is := v.(*tensor.Tensor)
	return is && t.Storage().Len() > t.NumBytes()
}

// hoardingReset keeps the attributes of sessions that are reset.
func hoardingReset() subject.Parts {
	var h hoard
	return subject.Parts{Session: func(_ *subject.Subject, own spec.Session) spec.Session { return resetHoarder{own, &h} }}
}

type resetHoarder struct {
	spec.Session
	hoard *hoard
}

func (r resetHoarder) Reset() error {
	eachAttr(subject.SessionOf(r.Session), r.hoard.add)
	return r.Session.Reset()
}

// keepingLists keeps the lists of a session that is reset.
type keepingLists struct{ spec.Session }

func (c keepingLists) Reset() error {
	s, lists := subject.SessionOf(c.Session), map[string]any{}
	eachAttr(s, func(_ *manager.Session, name string, v any) {
		if isList(v) {
			lists[name] = v
		}
	})
	err := c.Session.Reset()
	for name, v := range lists {
		s.SetAttr(name, v)
	}
	return err
}

package faulty

import (
	"sync/atomic"

	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
	"github.com/statespec/statespec/spec"
)

// leaving are faults of what eviction does to the session, beside taking it out
// of the table.
func leaving() []Fault {
	touched := []string{"EVI-05", "EVI-06"}
	return []Fault{
		{
			Name: "eviction evicts the session's objects", Breaks: touched, Follows: []string{"EVI-05.writable", "EQV-14"},
			Parts: ruled(func(r *rules) { r.evicted = func(_ *table, s *manager.Session) { eachObject(s, release) } }),
		}, {
			Name: "eviction resets the session", Breaks: touched, Follows: []string{"EVI-05.writable", "EQV-14"},
			Parts: ruled(func(r *rules) { r.evicted = func(_ *table, s *manager.Session) { s.Reset() } }),
		}, {
			Name: "eviction empties the session's objects", Breaks: touched, Follows: []string{"EVI-05.writable", "EQV-14"},
			Parts: ruled(func(r *rules) {
				r.evicted = func(_ *table, s *manager.Session) {
					eachObject(s, func(o object.StateObject) { o.Allocate(object.Bound{}) })
				}
			}),
		}, {
			Name: "eviction clears the session's attributes", Breaks: []string{"EVI-05"}, Follows: []string{"EQV-14"},
			Parts: ruled(func(r *rules) { r.evicted = func(_ *table, s *manager.Session) { clearAttrs(s) } }),
		}, {
			Name: "eviction hides the session's objects", Breaks: []string{"EVI-05"},
			Parts: onceEvicted(func(s spec.Session) spec.Session { return hidden{s} }),
		},

		{
			Name: "refuses attributes of an evicted session", Breaks: []string{"EVI-05.writable"},
			Parts: onceEvicted(func(s spec.Session) spec.Session { return sealed{s, refused("an attribute of an evicted session")} }),
		}, {
			Name: "loses attributes of an evicted session", Breaks: []string{"EVI-05.writable"},
			Parts: onceEvicted(func(s spec.Session) spec.Session { return sealed{s, nil} }),
		},
		frozenBy("refuses commits to an evicted session's objects", refused("a commit to an evicted session")),
		frozenBy("loses commits to an evicted session's objects", nil),

		{
			Name: "eviction evicts what nobody holds", Breaks: []string{"EVI-06"}, Follows: []string{"EQV-14"},
			Parts: withHolders(func(r *rules, h *holders) {
				r.evicted = func(_ *table, s *manager.Session) {
					if h.of(s) == 0 {
						eachObject(s, release)
					}
				}
			}),
		}, {
			Name: "eviction evicts objects and restores them", Breaks: []string{"EVI-06"},
			Parts: ruled(func(r *rules) {
				r.evicted = func(_ *table, s *manager.Session) { eachObject(s, restored((object.StateObject).Evict)) }
			}),
		}, {
			Name: "eviction resets objects and restores them", Breaks: []string{"EVI-06"},
			Parts: ruled(func(r *rules) {
				r.evicted = func(_ *table, s *manager.Session) {
					eachObject(s, restored(func(o object.StateObject) (int64, error) { return 0, o.Reset() }))
				}
			}),
		},
	}
}

// eachObject does something to each object of a session.
func eachObject(s *manager.Session, do func(object.StateObject)) {
	for _, name := range s.Names() {
		if o, err := s.Object(name); err == nil {
			do(o)
		}
	}
}

func release(o object.StateObject) { o.Evict() }

func clearAttrs(s *manager.Session) {
	for _, name := range s.AttrNames() {
		s.ClearAttr(name)
	}
}

// restored empties a buffer and puts its payloads back.
func restored(empty func(object.StateObject) (int64, error)) func(object.StateObject) {
	return func(o object.StateObject) {
		b, ok := o.(interface{ Bound() (object.Bound, bool) })
		if !ok {
			return
		}
		bound, _ := b.Bound()
		payloads, err := o.View(object.ViewOptions{})
		if err != nil {
			return // not allocated
		}
		empty(o)
		o.Allocate(bound)
		if len(payloads) > 0 {
			o.Commit(payloads...)
		}
	}
}

// onceEvicted is a subject whose sessions are others to who holds them once they
// are not retained.
func onceEvicted(as func(spec.Session) spec.Session) func() subject.Parts {
	return watched(func(ts *tables) subject.Parts {
		return subject.Parts{Session: func(_ *subject.Subject, s spec.Session) spec.Session {
			return &lapsing{Session: s, lapsed: as(s), tables: ts, of: subject.SessionOf(s)}
		}}
	})
}

type lapsing struct {
	spec.Session
	lapsed spec.Session
	tables *tables
	of     *manager.Session
}

func (l *lapsing) now() spec.Session {
	if l.tables.retain(l.of) {
		return l.Session
	}
	return l.lapsed
}

func (l *lapsing) Object(name string) (spec.Object, error) { return l.now().Object(name) }
func (l *lapsing) SetAttr(name string, v spec.Value) error { return l.now().SetAttr(name, v) }
func (l *lapsing) Release() error                          { l.of = nil; return l.Session.Release() }

type hidden struct{ spec.Session }

func (hidden) Object(name string) (spec.Object, error) {
	return nil, spec.Refuse(spec.NotFound, "object %q: the session has none", name)
}

// sealed takes no attribute.
type sealed struct {
	spec.Session
	says error
}

func (s sealed) SetAttr(string, spec.Value) error { return s.says }

// frozenBy is a subject whose buffers take no commit once their session was
// evicted.
func frozenBy(name string, says error) Fault {
	return Fault{Name: name, Breaks: []string{"EVI-05.writable"}, Parts: func() subject.Parts {
		parts := ruled(func(r *rules) {
			r.evicted = func(_ *table, s *manager.Session) {
				eachObject(s, func(o object.StateObject) {
					if f, ok := o.(*freezing); ok {
						f.frozen.Store(true)
					}
				})
			}
		})()
		parts.StateObject = func(kind spec.ObjectKind, made object.StateObject) object.StateObject {
			if b, ok := made.(*object.LatentBuffer); ok {
				return &freezing{LatentBuffer: b, says: says}
			}
			return made
		}
		return parts
	}}
}

type freezing struct {
	*object.LatentBuffer
	frozen atomic.Bool
	says   error
}

func (f *freezing) Kind() spec.ObjectKind { return spec.LatentBuffer }

func (f *freezing) Commit(payloads ...*tensor.Tensor) error {
	if f.frozen.Load() {
		return f.says
	}
	return f.LatentBuffer.Commit(payloads...)
}

package faulty

import (
	"cmp"
	"slices"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec"
)

// recency are faults of what counts as use of a session beside asking for it.
func recency() []Fault {
	return []Fault{
		{
			Name: "membership test refreshes", Breaks: []string{"EVI-04"},
			Parts: tabled(func(o manager.Options) (subject.Table, error) {
				t, err := newTable(o, nil)
				return tested{t}, err
			}),
		},
		lookingOver("stats turns the order round", slices.Reverse),
		lookingOver("stats leaves sessions in the order of their names", func(order []*manager.Session) {
			slices.SortFunc(order, func(a, b *manager.Session) int { return cmp.Compare(a.ID(), b.ID()) })
		}),
		lookingOver("stats makes the least recent session the most recent", func(order []*manager.Session) {
			if len(order) > 0 {
				copy(order, append(slices.Clone(order[1:]), order[0]))
			}
		}),
		{
			Name: "reading an attribute refreshes the session", Breaks: []string{"EVI-04"},
			Parts: watched(func(ts *tables) subject.Parts {
				return subject.Parts{Session: func(_ *subject.Subject, s spec.Session) spec.Session {
					return &recentReader{Session: s, tables: ts, of: subject.SessionOf(s)}
				}}
			}),
		}, {
			Name: "says that work counts as use", Breaks: []string{"EVI-04", "EVI-04.adapter"},
			Parts: func() subject.Parts { return subject.Parts{Hello: func(h *spec.Hello) { h.Use = "access" }} },
		}, {
			Name: "a model's step refreshes its session", Breaks: []string{"EVI-04.adapter"},
			Parts: watched(func(ts *tables) subject.Parts {
				return subject.Parts{State: func(_ *subject.Subject, st spec.State) spec.State {
					return &stepper{State: st, tables: ts, of: subject.DreamZero(st)}
				}}
			}),
		},
	}
}

type tested struct{ *table }

func (t tested) Contains(id string) bool {
	s, retained := t.Peek(id)
	if retained {
		t.use(s)
	}
	return retained
}

// lookingOver is a table that is in another order after each look at all of it.
func lookingOver(name string, leave func(order []*manager.Session)) Fault {
	return Fault{Name: name, Breaks: []string{"EVI-04"}, Parts: tabled(func(o manager.Options) (subject.Table, error) {
		t, err := newTable(o, nil)
		return lookedOver{t, leave}, err
	})}
}

type lookedOver struct {
	*table
	leave func(order []*manager.Session)
}

// Retained is the last thing that stats asks: what it tells is how it was.
func (l lookedOver) Retained() []string {
	ids := l.table.Retained()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.leave(l.order)
	return ids
}

type recentReader struct {
	spec.Session
	tables *tables
	of     *manager.Session
}

func (r *recentReader) Attr(name string) (spec.Value, error) {
	r.tables.use(r.of)
	return r.Session.Attr(name)
}

func (r *recentReader) Release() error { r.of = nil; return r.Session.Release() }

type stepper struct {
	spec.State
	tables *tables
	of     dreamzero.State
}

func (s *stepper) Do(step spec.Step) (spec.Value, error) {
	if managed, is := s.of.(*dreamzero.Managed); is {
		s.tables.use(managed.Session())
	}
	return s.State.Do(step)
}

func (s *stepper) Release() error { s.of = nil; return s.State.Release() }

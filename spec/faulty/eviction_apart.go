package faulty

import (
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec"
)

// sideBySide are faults of several managers in one process. Specs compare
// managers that they make one after the other, so these faults show only where
// two are at work side by side.
func sideBySide() []Fault {
	return []Fault{
		{
			Name: "writes attributes of an id in earlier managers, too", Breaks: []string{"EVI-21"},
			Parts: watched(func(ts *tables) subject.Parts {
				return subject.Parts{Session: func(_ *subject.Subject, s spec.Session) spec.Session {
					all := ts.list()
					return everywhere{s, subject.SessionOf(s).ID(), all[:len(all)-1]}
				}}
			}),
		}, {
			Name: "evicts an id from every manager", Breaks: []string{"EVI-21"},
			Parts: siblings(func(o manager.Options, ts *tables) (subject.Table, error) {
				return ts.make(o, func(r *rules) {
					r.evicted = func(t *table, s *manager.Session) {
						for _, other := range ts.list() {
							if other != t {
								other.lose(s.ID())
							}
						}
					}
				})
			}),
		}, {
			Name: "counts requests for the manager made last", Breaks: []string{"EVI-21"},
			Parts: siblings(func(o manager.Options, ts *tables) (subject.Table, error) {
				t, err := ts.make(o, nil)
				return &miscredited{table: t, tables: ts}, err
			}),
		}, {
			Name: "counts bytes of managers made later", Breaks: []string{"EVI-21"},
			Parts: siblings(func(o manager.Options, ts *tables) (subject.Table, error) {
				t, err := ts.make(o, nil)
				return elder{t, ts}, err
			}),
		},
	}
}

// siblings is a subject whose tables know each other.
func siblings(make func(o manager.Options, ts *tables) (subject.Table, error)) func() subject.Parts {
	return watched(func(ts *tables) subject.Parts {
		return subject.Parts{Table: func(o manager.Options) (subject.Table, error) { return make(o, ts) }}
	})
}

type everywhere struct {
	spec.Session
	id      string
	earlier []*table
}

func (e everywhere) SetAttr(name string, v spec.Value) error {
	for _, t := range e.earlier {
		if s, retained := t.Peek(e.id); retained && v != nil {
			s.SetAttr(name, subject.Content(v))
		}
	}
	return e.Session.SetAttr(name, v)
}

// lose takes a session out of the table, without a word.
func (t *table) lose(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if at := t.find(id); at >= 0 {
		t.order = append(t.order[:at:at], t.order[at+1:]...)
	}
}

// miscredited counts what it is asked for in the table that was made last.
type miscredited struct {
	*table
	tables *tables
}

func (m *miscredited) Session(id string) (*manager.Session, error) {
	m.mu.Lock()
	before := m.counts
	s, err := m.answer(id)
	after := m.counts
	m.counts = before
	m.mu.Unlock()

	all := m.tables.list()
	last := all[len(all)-1]
	last.mu.Lock()
	defer last.mu.Unlock()
	last.counts.Hits += after.Hits - before.Hits
	last.counts.Misses += after.Misses - before.Misses
	last.counts.Evictions += after.Evictions - before.Evictions
	return s, err
}

// elder counts what younger tables retain, too.
type elder struct {
	*table
	tables *tables
}

func (e elder) Stats() manager.Stats {
	st, younger := e.table.Stats(), false
	for _, t := range e.tables.list() {
		if younger {
			r := manager.BytesOf(t.sessions()...)
			st.TotalBytes += r.Total
			for device, n := range r.ByDevice {
				st.BytesByDevice[device] += n
			}
		}
		younger = younger || t == e.table
	}
	return st
}

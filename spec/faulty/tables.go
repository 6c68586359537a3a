package faulty

import (
	"slices"
	"sync"

	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/subject"
)

// tables are all those of one subject, in the order in which they were made, for
// faults that reach from one to another or from a session to its table.
type tables struct {
	mu  sync.Mutex
	all []*table
}

// make makes a table and remembers it.
func (ts *tables) make(o manager.Options, change func(*rules)) (*table, error) {
	t, err := newTable(o, change)
	if err != nil {
		return nil, err
	}
	ts.mu.Lock()
	defer ts.mu.Unlock()
	ts.all = append(ts.all, t)
	return t, nil
}

// list is those made so far.
func (ts *tables) list() []*table {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return slices.Clone(ts.all)
}

// retain says whether one of the tables retains a session.
func (ts *tables) retain(s *manager.Session) bool {
	return slices.ContainsFunc(ts.list(), func(t *table) bool { return slices.Contains(t.sessions(), s) })
}

// use takes something for use of a session.
func (ts *tables) use(s *manager.Session) {
	for _, t := range ts.list() {
		t.use(s)
	}
}

// use makes a session the most recent, where the table retains it.
func (t *table) use(s *manager.Session) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if at := slices.Index(t.order, s); at >= 0 {
		t.refresh(at)
	}
}

// watched is a subject whose tables are known to what its parts do.
func watched(parts func(*tables) subject.Parts) func() subject.Parts {
	return func() subject.Parts {
		ts := &tables{}
		p := parts(ts)
		if p.Table == nil {
			p.Table = func(o manager.Options) (subject.Table, error) { return ts.make(o, nil) }
		}
		return p
	}
}

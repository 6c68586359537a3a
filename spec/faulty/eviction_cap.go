package faulty

import (
	"math"
	"sync/atomic"

	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/subject"
)

// tableCaps are faults of how many sessions are retained, and of what caps there
// can be.
func tableCaps() []Fault {
	return []Fault{
		{
			Name: "evicts one late", Breaks: []string{"EVI-01"}, Follows: []string{"EVI-08", "EQV-07"},
			Parts: ruled(func(r *rules) { r.full = func(t *table) bool { return len(t.order) > t.cap } }),
		}, {
			Name: "never evicts", Breaks: []string{"EVI-01"}, Follows: []string{"EVI-08", "EQV-07"},
			Met:   "the real bespoke path, which keeps every session",
			Parts: ruled(func(r *rules) { r.full = func(*table) bool { return false } }),
		}, {
			Name: "rounds its cap up to a power of two", Breaks: []string{"EVI-01"}, Follows: []string{"EVI-08", "EQV-07"},
			Parts: ruled(func(r *rules) { r.full = func(t *table) bool { return len(t.order) >= powerOfTwo(t.cap) } }),
		}, {
			Name: "evicts nobody who is held", Breaks: []string{"EVI-01", "EVI-02"},
			Parts: withHolders(func(r *rules, h *holders) { r.leaver = unheld(h, -1) }),
		}, {
			Name: "counts sessions that have left", Breaks: []string{"EVI-01"},
			Parts: over(func(m *manager.Manager) subject.Table { return crowded{m} }),
		}, {
			Name: "shows the new session before the old one has left", Breaks: []string{"EVI-01"}, Follows: []string{"EVI-13.linearizable"},
			Parts: tabled(newOverfull),
		},

		newCap("takes a cap of zero for none", "EVI-11", func(n int) (int, error) { return boundless(n == 0, n), nil }),
		newCap("takes a negative cap for none", "EVI-11", func(n int) (int, error) { return boundless(n < 0, n), nil }),
		newCap("takes a cap below one for one", "EVI-11", func(n int) (int, error) { return max(n, 1), nil }),
		newCap("calls a bad cap not found", "EVI-11.kind", func(n int) (int, error) {
			if n < 1 {
				return n, fault.New(fault.ErrNotFound, "new manager with a cap of %d sessions: there is no such cap", n)
			}
			return n, nil
		}),
	}
}

// newCap is a manager that takes its cap for another one.
func newCap(name, breaks string, as func(n int) (int, error)) Fault {
	return Fault{Name: name, Breaks: []string{breaks}, Parts: tabled(func(o manager.Options) (subject.Table, error) {
		n, err := as(o.MaxSessions)
		if err != nil {
			return nil, err
		}
		o.MaxSessions = n
		return manager.New(o)
	})}
}

// boundless is no cap where it is asked for.
func boundless(is bool, n int) int {
	if is {
		return math.MaxInt
	}
	return n
}

// powerOfTwo is the next one from n on.
func powerOfTwo(n int) int {
	p := 1
	for p < n {
		p *= 2
	}
	return p
}

// unheld is the least recent session that nobody holds, or else a place.
func unheld(h *holders, otherwise int) func(*table) int {
	return func(t *table) int {
		for at, s := range t.order {
			if h.of(s) == 0 {
				return at
			}
		}
		return otherwise
	}
}

// crowded counts all sessions that there ever were.
type crowded struct{ *manager.Manager }

func (c crowded) Stats() manager.Stats {
	st := c.Manager.Stats()
	st.Sessions = int(st.Misses - st.Drops)
	return st
}

// overfull shows in statistics what was admitted before it shows that somebody
// left for it.
type overfull struct {
	*table
	leaving atomic.Int64
	window  window
}

func newOverfull(o manager.Options) (subject.Table, error) {
	f := &overfull{}
	t, err := newTable(o, func(r *rules) { r.evicted = func(*table, *manager.Session) { f.leaving.Add(1) } })
	f.table = t
	return f, err
}

func (f *overfull) Session(id string) (*manager.Session, error) {
	s, err := f.table.Session(id)
	if f.leaving.Load() > 0 {
		f.window.open()
		f.leaving.Store(0)
	}
	return s, err
}

func (f *overfull) Stats() manager.Stats {
	st := f.table.Stats()
	st.Sessions += int(f.leaving.Load())
	f.window.pass()
	return st
}

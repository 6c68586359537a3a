package faulty

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/subject"
)

// contention are faults that one caller alone never meets: of what is done in
// two steps, between which another caller comes by.
func contention() []Fault {
	one, counters := []string{"EVI-13"}, []string{"EVI-13.counters"}
	history, admission := []string{"EVI-13.linearizable"}, []string{"EVI-18.concurrent"}
	return []Fault{
		{
			Name: "two callers of one new id get two sessions", Breaks: one, Follows: history,
			Parts: raced(false, func(c *contended, id string) (*manager.Session, error) {
				return c.inTwoSteps(id, func() *manager.Session {
					if at := c.find(id); at >= 0 {
						c.evict(at)
					}
					return c.admit(id)
				})
			}),
		}, {
			Name: "the second caller of a new id gets a session of its own", Breaks: one, Follows: history,
			Parts: raced(false, func(c *contended, id string) (*manager.Session, error) {
				return c.inTwoSteps(id, func() *manager.Session {
					if c.find(id) < 0 {
						return c.admit(id)
					}
					c.counts.Misses++
					c.counts.Evictions++ // it has left before it is there
					return manager.NewSession(id)
				})
			}),
		},

		{
			Name: "loses hits beside another caller", Breaks: counters,
			Parts: losingCounts(func(st *manager.Stats) *int64 { return &st.Hits }),
		}, {
			Name: "loses misses beside another caller", Breaks: counters,
			Parts: losingCounts(func(st *manager.Stats) *int64 { return &st.Misses }),
		}, {
			Name: "loses evictions beside another caller", Breaks: counters,
			Parts: losingCounts(func(st *manager.Stats) *int64 { return &st.Evictions }),
		},

		{
			Name: "hit does not refresh beside another caller", Breaks: history,
			Parts: raced(false, func(c *contended, id string) (*manager.Session, error) {
				defer c.enter()()
				return c.table.Session(id)
			}),
		}, {
			Name: "membership lags beside another caller", Breaks: history,
			Parts: tabled(newLagging),
		},

		{
			Name: "tells two callers that each dropped the session", Breaks: history,
			Parts: tabled(func(o manager.Options) (subject.Table, error) {
				t, err := newTable(o, nil)
				return &twiceDropped{table: t}, err
			}),
		}, {
			Name: "counts as of before beside another caller", Breaks: counters,
			Parts: tabled(func(o manager.Options) (subject.Table, error) {
				t, err := newTable(o, nil)
				return &outdated{table: t}, err
			}),
		},

		{
			Name: "admits one too many beside another caller", Breaks: admission,
			Parts: raced(true, func(c *contended, id string) (*manager.Session, error) {
				return c.inTwoSteps(id, func() *manager.Session {
					c.counts.Misses++
					c.order = append(c.order, manager.NewSession(id))
					return c.order[len(c.order)-1]
				})
			}),
		}, {
			Name: "evicts for a new session beside another caller", Breaks: admission,
			Parts: raced(true, func(c *contended, id string) (*manager.Session, error) {
				return c.inTwoSteps(id, func() *manager.Session { return c.admit(id) })
			}),
		}, {
			Name: "refuses hits beside another caller", Breaks: admission,
			Parts: raced(true, func(c *contended, id string) (*manager.Session, error) {
				defer c.enter()()
				if c.Contains(id) && c.inside.Load() > 1 {
					return nil, noPlace(id)
				}
				return c.table.Session(id)
			}),
		},
	}
}

// A contended table answers requests in another way than under one lock.
type contended struct {
	*table
	window window
	inside atomic.Int64 // callers in a request
	answer func(c *contended, id string) (*manager.Session, error)
}

func (c *contended) Session(id string) (*manager.Session, error) { return c.answer(c, named(id)) }

// raced is a subject of contended tables: those that refuse at their cap, or the
// others.
func raced(refusing bool, answer func(c *contended, id string) (*manager.Session, error)) func() subject.Parts {
	return tabled(func(o manager.Options) (subject.Table, error) {
		c := &contended{answer: answer}
		t, err := newTable(o, func(r *rules) {
			r.used = func(t *table, at int) {
				if c.inside.Load() < 2 {
					t.refresh(at)
				}
			}
		})
		if err != nil || o.RefuseNew != refusing {
			return t, err
		}
		c.table = t
		return c, nil
	})
}

// inTwoSteps looks for a session, and for a place, and admits one later: another
// caller may have looked meanwhile, too.
func (c *contended) inTwoSteps(id string, admit func() *manager.Session) (*manager.Session, error) {
	c.mu.Lock()
	s, retained := c.hit(id)
	taken := c.options.RefuseNew && len(c.order) >= c.cap
	c.mu.Unlock()
	switch {
	case retained:
		return s, nil
	case taken:
		return nil, noPlace(id)
	}
	c.window.pass()
	c.window.open()
	c.mu.Lock()
	defer c.mu.Unlock()
	return admit(), nil
}

// enter waits for another caller to enter, and returns what leaves.
func (c *contended) enter() (leave func()) {
	c.inside.Add(1)
	c.window.pass()
	c.window.open()
	return func() { c.inside.Add(-1) }
}

// losingCounts is a subject that adds to one of its counters in two steps.
func losingCounts(which func(*manager.Stats) *int64) func() subject.Parts {
	return tabled(func(o manager.Options) (subject.Table, error) {
		t, err := newTable(o, nil)
		return &forgetful{table: t, which: which}, err
	})
}

type forgetful struct {
	*table
	which  func(*manager.Stats) *int64
	window window
	count  atomic.Int64
}

func (f *forgetful) Session(id string) (*manager.Session, error) {
	f.mu.Lock()
	before := *f.which(&f.counts)
	s, err := f.answer(id)
	more := *f.which(&f.counts) - before
	f.mu.Unlock()
	if more > 0 {
		n := f.count.Load()
		f.window.pass()
		f.window.open()
		f.count.Store(n + more)
	}
	return s, err
}

func (f *forgetful) Stats() manager.Stats {
	st := f.table.Stats()
	*f.which(&st) = f.count.Load()
	return st
}

// lagging tells of membership what it was when a request was answered: one that
// ends later than another may tell what was before that.
type lagging struct {
	*table
	window window
	shown  atomic.Pointer[[]string]
}

func newLagging(o manager.Options) (subject.Table, error) {
	t, err := newTable(o, nil)
	if err != nil || o.RefuseNew {
		return t, err
	}
	return &lagging{table: t}, nil
}

func (l *lagging) Session(id string) (*manager.Session, error) {
	s, err := l.table.Session(id)
	ids := l.Retained()
	l.window.pass()
	l.window.open()
	l.shown.Store(&ids)
	return s, err
}

func (l *lagging) Contains(id string) bool {
	ids := l.shown.Load()
	return ids != nil && slices.Contains(*ids, named(id))
}

func (l *lagging) Drop(id string) bool {
	is := l.table.Drop(id)
	ids := l.Retained()
	l.shown.Store(&ids)
	return is
}

// twiceDropped says of a drop what it saw before.
type twiceDropped struct {
	*table
	window window
}

func (d *twiceDropped) Drop(id string) bool {
	retained := d.Contains(id)
	d.window.pass()
	d.window.open()
	d.table.Drop(id)
	return retained
}

// outdated shows the counters that it showed before, while somebody is in a
// request.
type outdated struct {
	*table
	window window
	inside atomic.Int64

	shown sync.Mutex
	last  manager.Stats
}

func (o *outdated) Session(id string) (*manager.Session, error) {
	o.inside.Add(1)
	defer o.inside.Add(-1)
	s, err := o.table.Session(id)
	o.window.open()
	return s, err
}

func (o *outdated) Stats() manager.Stats {
	defer o.window.pass()
	st := o.table.Stats()
	o.shown.Lock()
	defer o.shown.Unlock()
	if o.inside.Load() == 0 {
		o.last = st
	}
	st.Hits, st.Misses, st.Evictions = o.last.Hits, o.last.Misses, o.last.Evictions
	return st
}

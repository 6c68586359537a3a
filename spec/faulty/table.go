package faulty

import (
	"slices"
	"sync"

	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
)

// A table retains sessions in strict least recently used order, as plainly as
// that can be said: one list, one lock, and rules of which a fault replaces one.
// With its own rules it keeps every promise.
type table struct {
	rules
	options manager.Options

	mu     sync.Mutex
	cap    int
	order  []*manager.Session // retained, the least recently used first
	counts manager.Stats      // hits, misses, evictions and drops
}

// rules are what a table does, one thing each. They run under its lock.
type rules struct {
	// named is the id that a request means.
	named func(id string) string

	// used is told that the session at a place in the order was asked for.
	used func(t *table, at int)

	// full says whether one has to leave before another comes, and leaver which:
	// its place in the order, or -1 for none.
	full   func(t *table) bool
	leaver func(t *table) int

	// evicted is told of a session that has left.
	evicted func(t *table, s *manager.Session)

	// made is the session of an id that is not retained.
	made func(t *table, id string) *manager.Session

	// atCap answers a request for a new session where it should be refused.
	atCap func(t *table, id string) (*manager.Session, error)

	// dropped ends a session that was dropped and has left.
	dropped func(t *table, s *manager.Session)
}

// lru are the rules of the reference.
func lru() rules {
	return rules{
		named:   named,
		used:    (*table).refresh,
		full:    func(t *table) bool { return len(t.order) >= t.cap },
		leaver:  func(*table) int { return 0 },
		evicted: func(*table, *manager.Session) {},
		made:    func(_ *table, id string) *manager.Session { return manager.NewSession(id) },
		atCap:   func(_ *table, id string) (*manager.Session, error) { return nil, noPlace(id) },
		dropped: func(_ *table, s *manager.Session) { s.Reset() },
	}
}

// named turns a missing id into the default one.
func named(id string) string {
	if id == "" {
		return manager.DefaultID
	}
	return id
}

// newTable makes an empty table, some of whose rules are changed.
func newTable(o manager.Options, change func(*rules)) (*table, error) {
	if o.MaxSessions < 1 {
		return nil, fault.New(fault.ErrInvalidArgument, "new manager with a cap of %d sessions: at least 1", o.MaxSessions)
	}
	t := &table{rules: lru(), options: o, cap: o.MaxSessions}
	if change != nil {
		change(&t.rules)
	}
	return t, nil
}

// ruled is a subject with other rules. They are changed for each manager anew,
// so what they remember is one manager's.
func ruled(change func(*rules)) func() subject.Parts {
	return tabled(func(o manager.Options) (subject.Table, error) { return newTable(o, change) })
}

// tabled is a subject with another table.
func tabled(make func(manager.Options) (subject.Table, error)) func() subject.Parts {
	return func() subject.Parts { return subject.Parts{Table: make} }
}

// over is a subject with something in front of the reference's own table.
func over(front func(*manager.Manager) subject.Table) func() subject.Parts {
	return tabled(func(o manager.Options) (subject.Table, error) {
		m, err := manager.New(o)
		if err != nil {
			return nil, err
		}
		return front(m), nil
	})
}

func (t *table) Session(id string) (*manager.Session, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.answer(id)
}

// answer answers a request for a session. Like its parts, it is for who has the
// lock.
func (t *table) answer(id string) (*manager.Session, error) {
	id = t.named(id)
	if s, retained := t.hit(id); retained {
		return s, nil
	}
	if t.options.RefuseNew && len(t.order) >= t.cap {
		return t.atCap(t, id)
	}
	return t.admit(id), nil
}

func noPlace(id string) error {
	return fault.New(fault.ErrAdmissionRefused, "session %q: every place is taken, and new ones are refused", id)
}

// hit finds a session and uses it.
func (t *table) hit(id string) (*manager.Session, bool) {
	at := t.find(id)
	if at < 0 {
		return nil, false
	}
	t.counts.Hits++
	t.used(t, at)
	return t.order[t.find(id)], true
}

// admit makes a session, for which others leave where there is no place.
func (t *table) admit(id string) *manager.Session {
	for t.full(t) {
		at := t.leaver(t)
		if at < 0 {
			break
		}
		t.evict(at)
	}
	s := t.made(t, id)
	t.order = append(t.order, s)
	t.counts.Misses++
	return s
}

func (t *table) evict(at int) {
	s := t.order[at]
	t.order = slices.Delete(t.order, at, at+1)
	t.counts.Evictions++
	t.evicted(t, s)
}

// refresh makes the session at a place the most recent.
func (t *table) refresh(at int) {
	s := t.order[at]
	t.order = append(slices.Delete(t.order, at, at+1), s)
}

func (t *table) find(id string) int {
	return slices.IndexFunc(t.order, func(s *manager.Session) bool { return s.ID() == id })
}

func (t *table) Continue(id string) (*manager.Session, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s, retained := t.hit(t.named(id)); retained {
		return s, nil
	}
	return nil, fault.New(fault.ErrSessionLost, "continue session %q: it is not retained", id)
}

func (t *table) Peek(id string) (*manager.Session, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := t.find(t.named(id))
	if at < 0 {
		return nil, false
	}
	return t.order[at], true
}

func (t *table) Contains(id string) bool {
	_, retained := t.Peek(id)
	return retained
}

func (t *table) Drop(id string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := t.find(t.named(id))
	if at < 0 {
		return false
	}
	s := t.order[at]
	t.order = slices.Delete(t.order, at, at+1)
	t.counts.Drops++
	t.dropped(t, s)
	return true
}

func (t *table) RaiseCap(n int) (bool, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.raise(n)
}

func (t *table) raise(n int) (bool, error) {
	switch {
	case n < 1:
		return false, fault.New(fault.ErrInvalidArgument, "raise cap to %d: at least 1", n)
	case n <= t.cap:
		return false, nil
	}
	t.cap = n
	return true, nil
}

func (t *table) ByteBudget() (int64, bool) {
	if t.options.ByteBudget == nil {
		return 0, false
	}
	return *t.options.ByteBudget, true
}

func (t *table) Free(device tensor.Device, n int64) ([]manager.Freed, error) {
	return manager.FreeOf(t.sessions(), device, n)
}

// sessions are those retained, the least recently used first.
func (t *table) sessions() []*manager.Session {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.order)
}

func (t *table) Retained() (ids []string) {
	for _, s := range t.sessions() {
		ids = append(ids, s.ID())
	}
	return ids
}

// Stats counts bytes when it has let the table go.
func (t *table) Stats() manager.Stats {
	t.mu.Lock()
	st, retained := t.counts, slices.Clone(t.order)
	st.Sessions, st.MaxSessions = len(retained), t.cap
	t.mu.Unlock()
	r := manager.BytesOf(retained...)
	st.TotalBytes, st.BytesByDevice, st.Unmeasured = r.Total, r.ByDevice, r.Unmeasured
	return st
}

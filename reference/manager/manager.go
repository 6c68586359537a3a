package manager

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/statespec/statespec/reference/account"
	"github.com/statespec/statespec/reference/fault"
)

// DefaultID is the session of a request that names none.
const DefaultID = "default"

// Options configure a Manager.
type Options struct {
	MaxSessions int    // sessions retained, at least 1; package config resolves the usual 64
	RefuseNew   bool   // at the cap refuse a new session instead of evicting one
	ByteBudget  *int64 // recorded, not enforced

	// ConsistentStats makes the bytes of Stats one cut over all sessions. Who
	// writes to any of them waits until the last is counted, so it is not the
	// usual way.
	ConsistentStats bool

	// Logger is told what happened to sessions, at debug level: admitted,
	// evicted, refused, dropped. Nil is silence.
	Logger *slog.Logger
}

// A Manager is the table of retained sessions: strict least recently used
// order, where getting or continuing a session is the only use. It is safe for
// concurrent use.
type Manager struct {
	refuse     bool
	consistent bool
	budget     *int64
	log        *slog.Logger
	walker     atomic.Pointer[account.Walker] // with its room, between two counts

	mu          sync.Mutex
	table       *simplelru.LRU[string, *Session]
	maxSessions int
	counts      counters
}

// counters are exact: misses − evictions − drops is what is retained.
type counters struct{ hits, misses, evictions, drops int64 }

// New returns an empty Manager. A cap below 1 is ErrInvalidArgument.
func New(opts Options) (*Manager, error) {
	if opts.MaxSessions < 1 {
		return nil, fault.New(fault.ErrInvalidArgument, "new manager with a cap of %d sessions: at least 1", opts.MaxSessions)
	}
	table, err := simplelru.NewLRU[string, *Session](opts.MaxSessions, nil)
	if err != nil {
		return nil, fault.Because(fault.ErrInvalidArgument, err, "new manager: %v", err)
	}
	m := &Manager{refuse: opts.RefuseNew, consistent: opts.ConsistentStats, log: opts.Logger, table: table, maxSessions: opts.MaxSessions}
	if opts.ByteBudget != nil {
		m.budget = new(*opts.ByteBudget)
	}
	if m.log == nil {
		m.log = slog.New(slog.DiscardHandler)
	}
	return m, nil
}

// named turns the empty id into the default session's.
func named(id string) string {
	if id == "" {
		return DefaultID
	}
	return id
}

// Session returns the session of an id and makes it the most recently used. An
// id that is not retained gets a fresh session, for which at the cap the least
// recently used one leaves the table; under RefuseNew the new one is
// ErrAdmissionRefused instead, and nothing changes. Ids compare byte for byte;
// the empty id is DefaultID.
func (m *Manager) Session(id string) (*Session, error) {
	id = named(id)
	m.mu.Lock()
	if s, retained := m.table.Get(id); retained {
		m.counts.hits++
		m.mu.Unlock()
		return s, nil
	}
	return m.admit(id)
}

// admit makes a session. It is called with the lock, and gives it back.
func (m *Manager) admit(id string) (*Session, error) {
	var evicted string
	full := m.table.Len() >= m.maxSessions
	if full {
		if m.refuse {
			n := m.maxSessions
			m.mu.Unlock()
			if m.tells() {
				m.log.Debug("session refused", "session", id, "max_sessions", n)
			}
			return nil, fault.New(fault.ErrAdmissionRefused, "session %q: %d of %d sessions are retained, and new ones are refused", id, n, n)
		}
		evicted, _, _ = m.table.RemoveOldest()
		m.counts.evictions++
	}
	s := NewSession(id)
	m.table.Add(id, s)
	m.counts.misses++
	m.mu.Unlock()
	if m.tells() {
		if full {
			m.log.Debug("session evicted", "session", evicted, "for", id)
		}
		m.log.Debug("session admitted", "session", id)
	}
	return s, nil
}

// tells reports whether anybody hears what is logged, before arguments are
// made for it.
func (m *Manager) tells() bool { return m.log.Enabled(context.Background(), slog.LevelDebug) }

// Peek returns the session of an id when it is retained. It is no use of the
// session and counts nothing.
func (m *Manager) Peek(id string) (*Session, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.table.Peek(named(id))
}

// Continue is Session for a caller that expects state: an id that is not
// retained is ErrSessionLost, and nothing changes.
func (m *Manager) Continue(id string) (*Session, error) {
	id = named(id)
	m.mu.Lock()
	defer m.mu.Unlock()
	s, retained := m.table.Get(id)
	if !retained {
		return nil, fault.New(fault.ErrSessionLost, "continue session %q: it is not retained", id)
	}
	m.counts.hits++
	return s, nil
}

// Contains reports whether an id is retained. It is no use of the session.
func (m *Manager) Contains(id string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.table.Contains(named(id))
}

// Len returns the number of sessions retained.
func (m *Manager) Len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.table.Len()
}

// Retained returns the ids retained, the least recently used first.
func (m *Manager) Retained() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.table.Keys()
}

// Drop ends a session: it leaves the table, its objects are reset and its
// attributes cleared, also for whoever holds it. It reports whether the id was
// retained, and is no eviction. The reset runs without the manager's lock.
func (m *Manager) Drop(id string) bool {
	id = named(id)
	m.mu.Lock()
	s, retained := m.table.Peek(id)
	if retained {
		m.table.Remove(id)
		m.counts.drops++
	}
	m.mu.Unlock()
	if !retained {
		return false
	}
	if err := s.Reset(); err != nil {
		m.log.Warn("session dropped, but not all of it was reset", "session", id, "err", err)
	} else {
		m.log.Debug("session dropped", "session", id)
	}
	return true
}

// RaiseCap raises the cap and reports whether it changed. It is never
// lowered; a cap below 1 is ErrInvalidArgument.
func (m *Manager) RaiseCap(n int) (bool, error) {
	if n < 1 {
		return false, fault.New(fault.ErrInvalidArgument, "raise cap to %d: at least 1", n)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if n <= m.maxSessions {
		return false, nil
	}
	m.table.Resize(n)
	m.maxSessions = n
	return true, nil
}

// ByteBudget returns the recorded budget in bytes, false when none was given.
func (m *Manager) ByteBudget() (int64, bool) {
	if m.budget == nil {
		return 0, false
	}
	return *m.budget, true
}

package faulty

import (
	"sync"

	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec"
)

// holders counts how often each session is held, for faults to which that
// matters: no promise of a table depends on it.
type holders struct {
	mu sync.Mutex
	n  map[*manager.Session]int // those that somebody holds
}

// of is how often a session is held.
func (h *holders) of(s *manager.Session) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.n[s]
}

func (h *holders) add(s *manager.Session, n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.n == nil {
		h.n = map[*manager.Session]int{}
	}
	if h.n[s] += n; h.n[s] <= 0 {
		delete(h.n, s)
	}
}

// forget forgets who holds a session.
func (h *holders) forget(s *manager.Session) { h.add(s, -h.of(s)) }

// front counts a holder until it lets go.
func (h *holders) front(_ *subject.Subject, s spec.Session) spec.Session {
	h.add(subject.SessionOf(s), 1)
	return h.releasing(nil, s)
}

// releasing is front where the table has counted the holder.
func (h *holders) releasing(_ *subject.Subject, s spec.Session) spec.Session {
	of := subject.SessionOf(s)
	return &oneHolder{Session: s, release: sync.OnceFunc(func() { h.add(of, -1); of = nil })}
}

type oneHolder struct {
	spec.Session
	release func()
}

func (h *oneHolder) Release() error {
	h.release()
	return h.Session.Release()
}

// withHolders is a subject with other rules of its table, which may ask who is held.
func withHolders(change func(*rules, *holders)) func() subject.Parts {
	return func() subject.Parts {
		h := &holders{}
		parts := ruled(func(r *rules) { change(r, h) })()
		parts.Session = h.front
		return parts
	}
}

package manager

import (
	"cmp"
	"slices"

	"github.com/statespec/statespec/reference/account"
	"github.com/statespec/statespec/reference/tensor"
)

// Stats is what a manager counts at one moment. Sessions and counters are one
// cut; the bytes are of those sessions, each at the moment it was walked or,
// under Options.ConsistentStats, all at one moment. A session that is held but
// not retained here, and a state object that only another object leads to, are
// counted as they are at a moment of their own.
type Stats struct {
	Sessions    int
	MaxSessions int
	Hits        int64
	Misses      int64
	Evictions   int64
	Drops       int64

	TotalBytes    int64 // the sum of BytesByDevice
	BytesByDevice map[tensor.Device]int64
	Unmeasured    []string // what is held and could not be counted, sorted
}

// Map returns the figures under the names of the document: sessions,
// max_sessions, hits, misses, evictions, total_nbytes, and nbytes:<device>.
func (s Stats) Map() map[string]int64 {
	m := map[string]int64{
		"sessions":     int64(s.Sessions),
		"max_sessions": int64(s.MaxSessions),
		"total_nbytes": s.TotalBytes,
		"hits":         s.Hits,
		"misses":       s.Misses,
		"evictions":    s.Evictions,
	}
	for device, n := range s.BytesByDevice {
		m["nbytes:"+string(device)] = n
	}
	return m
}

// Stats counts the retained sessions and what they keep alive, memory shared
// between sessions once. It is no use of any session. The table is locked only
// to list them; each is walked under its own lock. Strings, lone numbers and
// maps from such to such (map[string]float64) count nothing and are not named
// in Unmeasured: what is counted is storages and host arrays.
func (m *Manager) Stats() Stats {
	m.mu.Lock()
	sessions := m.table.Values()
	stats := Stats{Sessions: len(sessions), MaxSessions: m.maxSessions,
		Hits: m.counts.hits, Misses: m.counts.misses, Evictions: m.counts.evictions, Drops: m.counts.drops}
	m.mu.Unlock()

	w := m.walker.Swap(nil)
	if w == nil { // the first count, or another one is under way
		w = account.NewWalker()
	}
	if m.consistent {
		walkTogether(w, sessions)
	} else {
		for _, s := range sessions {
			w.WalkRoot(s)
		}
	}
	r := w.Report()
	m.walker.Store(w)
	stats.TotalBytes, stats.BytesByDevice, stats.Unmeasured = r.Total, r.ByDevice, r.Unmeasured
	return stats
}

// BytesOf returns what sessions keep alive together, shared memory once: one
// cut over all of them, as under Options.ConsistentStats. No two share an id.
func BytesOf(sessions ...*Session) account.Report {
	w := account.NewWalker()
	walkTogether(w, slices.Clone(sessions))
	return w.Report()
}

// walkTogether walks sessions that are all kept still until the last is done,
// with the objects met in any of them. They are locked in the order of their
// ids, the same for every caller: no two sessions of one call share an id.
func walkTogether(w *account.Walker, sessions []*Session) {
	slices.SortFunc(sessions, func(a, b *Session) int { return cmp.Compare(a.id, b.id) })
	still := func() {
		for _, s := range sessions {
			s.mu.Lock()
			defer s.mu.Unlock()
		}
		account.WalkTogether(w, sessions, func(s *Session) { s.walkStill(w) })
	}
	still()
	w.WalkMet()
}

// WalkHeld lets a value that holds a manager be counted: its sessions are.
func (m *Manager) WalkHeld(w *account.Walker) {
	m.mu.Lock()
	sessions := slices.Values(m.table.Values())
	m.mu.Unlock()
	for s := range sessions {
		w.Later(s)
	}
}

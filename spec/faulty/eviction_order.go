package faulty

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/subject"
)

// order are faults of who goes first, and of what a hit changes about that.
func order() []Fault {
	return []Fault{
		{
			Name: "evicts the most recent", Breaks: []string{"EVI-02"}, Follows: []string{"EVI-08", "EQV-07"},
			Parts: ruled(func(r *rules) { r.leaver = func(t *table) int { return len(t.order) - 1 } }),
		}, {
			Name: "evicts the second least recent", Breaks: []string{"EVI-02"}, Follows: []string{"EVI-08", "EQV-07"},
			Parts: ruled(func(r *rules) { r.leaver = func(t *table) int { return min(1, len(t.order)-1) } }),
		}, {
			Name: "evicts the first by name", Breaks: []string{"EVI-02"}, Follows: []string{"EVI-08", "EQV-07"},
			Parts: ruled(func(r *rules) { r.leaver = least(func(s *manager.Session) string { return s.ID() }) }),
		}, {
			Name: "evicts any session", Breaks: []string{"EVI-02"}, Follows: []string{"EVI-08", "EQV-07"},
			Parts: func() subject.Parts {
				r := rand.New(rand.NewPCG(1, 2)) // under the lock of one table; of several, one after the other
				return ruled(func(rs *rules) { rs.leaver = func(t *table) int { return r.IntN(len(t.order)) } })()
			},
		}, {
			Name: "evicts the largest", Breaks: []string{"EVI-02"}, Follows: []string{"EQV-07"},
			Parts: ruled(func(r *rules) { r.leaver = least(func(s *manager.Session) int64 { return -s.Bytes().Total }) }),
		}, {
			Name: "evicts the smallest", Breaks: []string{"EVI-02"}, Follows: []string{"EQV-07"},
			Parts: ruled(func(r *rules) { r.leaver = least(func(s *manager.Session) int64 { return s.Bytes().Total }) }),
		}, {
			Name: "evicts who is not held first", Breaks: []string{"EVI-02"},
			Parts: sparing,
		},

		{
			Name: "hit does not refresh", Breaks: []string{"EVI-03"}, Follows: []string{"EVI-08", "EQV-07"},
			Parts: ruled(func(r *rules) { r.used = func(*table, int) {} }),
		}, {
			Name: "hit refreshes in a full table only", Breaks: []string{"EVI-03"}, Follows: []string{"EVI-08"},
			Parts: ruled(func(r *rules) {
				r.used = func(t *table, at int) {
					if len(t.order) >= t.cap {
						t.refresh(at)
					}
				}
			}),
		}, {
			Name: "hit refreshes a session once", Breaks: []string{"EVI-03"}, Follows: []string{"EVI-08", "EQV-07"},
			Parts: ruled(func(r *rules) {
				done := map[string]bool{}
				r.used = func(t *table, at int) {
					if id := t.order[at].ID(); !done[id] {
						done[id] = true
						t.refresh(at)
					}
				}
				r.evicted = func(_ *table, s *manager.Session) { delete(done, s.ID()) }
			}),
		}, {
			Name: "every other hit refreshes", Breaks: []string{"EVI-03"}, Follows: []string{"EVI-08", "EQV-07"},
			Parts: ruled(func(r *rules) {
				r.used = func(t *table, at int) {
					if t.counts.Hits%2 == 0 {
						t.refresh(at)
					}
				}
			}),
		}, {
			Name: "hit moves a session up by one place", Breaks: []string{"EVI-03"}, Follows: []string{"EVI-08", "EQV-07"},
			Parts: ruled(func(r *rules) {
				r.used = func(t *table, at int) {
					if at+1 < len(t.order) {
						t.order[at], t.order[at+1] = t.order[at+1], t.order[at]
					}
				}
			}),
		}, {
			Name: "hit makes a session the least recent", Breaks: []string{"EVI-03"}, Follows: []string{"EVI-08", "EQV-07"},
			Parts: ruled(func(r *rules) {
				r.used = func(t *table, at int) {
					s := t.order[at]
					t.order = slices.Insert(slices.Delete(t.order, at, at+1), 0, s)
				}
			}),
		},

		{
			Name: "gives a hit a second chance instead", Breaks: []string{"EVI-03"}, Follows: []string{"EVI-08", "EQV-07"},
			Parts: ruled(secondChance),
		}, {
			Name: "evicts the least often used", Breaks: []string{"EVI-03"}, Follows: []string{"EVI-08", "EQV-07"},
			Parts: ruled(leastOften),
		}, {
			Name: "evicts two where one would do", Breaks: []string{"EVI-08"}, Follows: []string{"EQV-07"},
			Parts: ruled(func(r *rules) {
				leaving := false
				r.full = func(t *table) bool {
					again := leaving && len(t.order) > 1
					leaving = len(t.order) >= t.cap
					return leaving || again
				}
			}),
		}, {
			Name: "shows the most recent first", Breaks: []string{"EVI-08"},
			Parts: tabled(func(o manager.Options) (subject.Table, error) {
				t, err := newTable(o, nil)
				return backToFront{t}, err
			}),
		}, {
			Name: "evicts out of turn from a large table", Breaks: []string{"EVI-08"}, Follows: []string{"EQV-07"},
			Parts: ruled(func(r *rules) {
				r.leaver = func(t *table) int {
					if t.cap >= 32 && t.counts.Evictions%4 == 3 {
						return 1
					}
					return 0
				}
			}),
		},
	}
}

// least is where the session is of which something is least; of several the
// least recent.
func least[T cmp.Ordered](of func(*manager.Session) T) func(*table) int {
	return func(t *table) int {
		s := slices.MinFunc(t.order, func(a, b *manager.Session) int { return cmp.Compare(of(a), of(b)) })
		return slices.Index(t.order, s)
	}
}

// sparing evicts who is held only when everybody is. A caller holds a session
// from within the table on, or who is quick would find that nobody does.
func sparing() subject.Parts {
	h := &holders{}
	parts := ruled(func(r *rules) {
		r.leaver = unheld(h, 0)
		r.used = func(t *table, at int) { h.add(t.order[at], 1); t.refresh(at) }
		r.made = func(_ *table, id string) *manager.Session {
			s := manager.NewSession(id)
			h.add(s, 1)
			return s
		}
		r.evicted = func(_ *table, s *manager.Session) { h.forget(s) }
		r.dropped = func(_ *table, s *manager.Session) { h.forget(s); s.Reset() }
	})()
	parts.Session = h.releasing
	return parts
}

// secondChance evicts in the order of admission, and passes over a session once
// for the hits that it had: a clock.
func secondChance(r *rules) {
	again := map[string]bool{}
	r.used = func(t *table, at int) { again[t.order[at].ID()] = true }
	r.leaver = func(t *table) int {
		for again[t.order[0].ID()] {
			again[t.order[0].ID()] = false
			t.refresh(0)
		}
		return 0
	}
	r.evicted = func(_ *table, s *manager.Session) { delete(again, s.ID()) }
}

// leastOften evicts the session that had the fewest hits, of several the least
// recent.
func leastOften(r *rules) {
	hits := map[string]int{}
	r.used = func(t *table, at int) { hits[t.order[at].ID()]++; t.refresh(at) }
	r.leaver = least(func(s *manager.Session) int { return hits[s.ID()] })
	r.evicted = func(_ *table, s *manager.Session) { delete(hits, s.ID()) }
}

type backToFront struct{ *table }

func (b backToFront) Retained() []string {
	ids := b.table.Retained()
	slices.Reverse(ids)
	return ids
}

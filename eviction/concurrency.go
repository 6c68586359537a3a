package eviction

import (
	"fmt"
	"slices"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// concurrency is several callers of one manager at once.
func concurrency(open Open) {
	It("gives concurrent callers of one new id one session", Promise("EVI-13"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		ids := names(16)
		races(8, func(int) (int, int) {
			m := manager(s, len(ids))
			threads := [][]op.Call{asking(m, ids, len(ids)), asking(m, ids, len(ids)), asking(m, ids, len(ids))}
			race := Must(s.Race(threads...))
			h := newHistory(s, threads, race)
			for _, id := range ids {
				if callers := h.of(id); callers.instances() > 1 {
					Fail(fmt.Sprintf("concurrent requests for %q = %d sessions, want one:\n%v", id, callers.instances(), callers))
				}
			}
			return op.Overlaps(race), len(h)
		})
	})

	// One at a time the counters are another row's to ask: where they are not
	// exact then, nothing is asked here.
	It("counts concurrent misses and evictions exactly", Promise("EVI-13.counters"), func(ctx SpecContext) {
		ids := names(240)
		apart := load{cap: 4, ids: [][]string{ids[:80], ids[80:160], ids[160:]}}
		apart.expectCounted(open.Subject(ctx), "hits", "misses", "evictions")
	})

	It("counts concurrent hits exactly", Promise("EVI-13.counters"), func(ctx SpecContext) {
		ids := names(4)
		round := slices.Repeat(ids, 30)
		load{cap: 8, retained: ids, ids: [][]string{round, round, round}}.expectCounted(open.Subject(ctx), "hits", "misses", "evictions")
	})

	It("counts each concurrent request once, as a hit or a miss", Promise("EVI-13.counters"), func(ctx SpecContext) {
		ids := names(6)
		mixed := load{cap: 2, ids: [][]string{slices.Repeat(ids, 20), slices.Repeat(ids[1:], 24), slices.Repeat(ids[2:], 30)}}
		mixed.expectCounted(open.Subject(ctx), "hits and misses")
	})
}

// load is what several callers ask of a manager, each a list of ids, when some
// sessions are retained already.
type load struct {
	cap      int
	retained []string
	ids      [][]string
}

// expectCounted compares counters after concurrent requests with counters after
// the same ones, one at a time.
func (l load) expectCounted(s *op.Client, counters ...string) {
	GinkgoHelper()
	few := load{cap: 2, ids: [][]string{{"a", "a", "b", "c", "c", "a"}}} // of which some hit, and some evict
	few.alone(s)
	races(4, func(int) (int, int) {
		want := l.alone(s)
		got, race := l.count(s, l.ids)
		for _, c := range counters {
			Expect(got[c]).To(Equal(want[c]), "%s after %d concurrent requests at a cap of %d; one at a time: %v", c, len(race[0])*len(race), l.cap, want)
		}
		return op.Overlaps(race), len(race[0]) * len(race)
	})
}

// alone is the counters after the same requests, one at a time. It ends the spec
// where they are those of no table of the cap.
func (l load) alone(s *op.Client) tally {
	GinkgoHelper()
	ids := slices.Concat(l.ids...)
	t, _ := l.count(s, [][]string{ids})
	evictions, told := t["evictions"]
	if t["hits and misses"] != int64(len(l.retained)+len(ids)) || told && evictions != max(0, t["misses"]-int64(l.cap)) {
		CannotTell("after %d requests at a cap of %d, one at a time, no table counts %v", len(l.retained)+len(ids), l.cap, t)
	}
	return t
}

// count runs lists of requests on a new manager, and returns its counters.
func (l load) count(s *op.Client, ids [][]string) (tally, [][]op.Event) {
	GinkgoHelper()
	m := manager(s, l.cap)
	visit(m, l.retained...)
	threads := make([][]op.Call, len(ids))
	for i, list := range ids {
		threads[i] = asking(m, list, len(list))
	}
	race := Must(s.Race(threads...))
	for i, events := range race {
		for j, e := range events {
			Expect(e.Err).NotTo(HaveOccurred(), "session(%q), request %d of thread %d", ids[i][j], j, i)
		}
	}
	t := tallied(m, "hits", "misses", "evictions")
	t["hits and misses"] = t["hits"] + t["misses"]
	return t, race
}

// races runs a race so many times, then a few more until enough calls overlapped,
// and many more until any did: a race in which nothing did proves nothing. More
// than a few are run for a second at most: on a busy machine a race takes a
// hundred times as long. A race returns how many of its calls overlapped, and of
// how many that counts. The sessions that races answer with are held until the
// subject is closed.
func races(times int, race func(n int) (overlapped, of int)) {
	GinkgoHelper()
	const enough, few, many = 20, 30, 200
	n, overlapped, calls := 0, 0, 0
	began := time.Now()
	more := func() bool {
		wanted := n < times && (n < few || time.Since(began) < time.Second)
		return wanted || overlapped < enough && n < few || overlapped == 0 && n < many
	}
	for ; more(); n++ {
		o, of := race(n)
		overlapped, calls = overlapped+o, calls+of
	}
	if overlapped == 0 {
		CannotTell("none of %d calls in %d races overlapped with another thread's", calls, n)
	}
	Note("%d of %d calls in %d races overlapped with another thread's", overlapped, calls, n)
}

// during counts the events in which some of other threads began or ended. One
// that lasts for longer, on a thread that waits for its turn, changes nothing
// under them.
func during(events []op.Event, others ...[]op.Event) (n int) {
	all := slices.Concat(others...)
	for _, e := range events {
		in := func(t time.Duration) bool { return e.Start < t && t < e.End }
		if slices.ContainsFunc(all, func(f op.Event) bool { return in(f.Start) || in(f.End) }) {
			n++
		}
	}
	return n
}

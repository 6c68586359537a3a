package eviction

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
)

// A simulated manager looks a session up at one moment of a call, and counts what
// came of it at others: one count is not in step with the next. That is allowed,
// so no history of it may be found wrong.
func TestAManagerThatCountsALittleLaterIsRight(t *testing.T) {
	figures := []tracked{
		{"hits", history.hits, counting("hits")},
		{"misses", history.misses, counting("misses")},
		{"evictions", func(h history) []change { return h.evictions(2) }, counting("evictions")},
	}
	for seed := range uint64(300) {
		h := simulate(rand.New(rand.NewPCG(seed, 0)), []string{"session", "session", "session", "stats"})
		for _, f := range figures {
			if got := judged(f.model, f.operations(h)); got != porcupine.Ok {
				t.Fatalf("seed %d: %s = %s, want %s:\n%v", seed, f.name, got, porcupine.Ok, h)
			}
		}
		h = simulate(rand.New(rand.NewPCG(seed, 1)), []string{"session", "session", "stats", "drop"})
		sessions := tracked{"sessions", history.comings, filling("sessions", 2)}
		if got := judged(sessions.model, sessions.operations(h)); got != porcupine.Ok {
			t.Fatalf("seed %d: sessions = %s, want %s:\n%v", seed, got, porcupine.Ok, h)
		}
		h = simulate(rand.New(rand.NewPCG(seed, 2)), []string{"session", "session", "contains", "drop", "continue"})
		for name, r := range map[string]rule{"strictly": strictly(2), "loosely": loosely} {
			if got := judged(model(r), h.operations()); got != porcupine.Ok {
				t.Fatalf("seed %d: judged %s = %s, want %s:\n%v", seed, name, got, porcupine.Ok, h)
			}
		}
	}
}

// simulate makes a history of a manager with a cap of 2.
func simulate(r *rand.Rand, methods []string) (h history) {
	looks := []time.Duration{} // when each call looks at the table
	for thread := range callers {
		var now time.Duration
		for range 8 {
			c := call{thread: thread, method: methods[r.IntN(len(methods))], id: names(4)[r.IntN(4)]}
			c.start = now + 2 + time.Duration(r.IntN(40))
			c.end = c.start + 1 + time.Duration(r.IntN(60))
			now = c.end
			h, looks = append(h, c), append(looks, within(r, c))
		}
	}
	counted := map[string][]time.Duration{}
	retained, last := table{}, 0
	for _, i := range inOrder(looks) {
		c := &h[i]
		at := retained.find(c.id)
		switch {
		case c.method == "contains":
			c.is = at >= 0
		case c.method == "drop":
			c.is = at >= 0
			retained = retained.without(c.id)
		case c.method == "stats":
			c.counts = map[string]int64{"sessions": int64(len(retained.entries))}
		case at >= 0:
			c.instance = retained.entries[at].instance
			retained = retained.with(entry{c.id, c.instance})
			counted["hits"] = append(counted["hits"], within(r, *c))
		case c.method == "session":
			last++
			c.instance = last
			counted["misses"] = append(counted["misses"], within(r, *c))
			if retained = retained.with(entry{c.id, last}); len(retained.entries) > 2 {
				retained.entries = retained.entries[1:]
				c := call{start: looks[i], end: c.end} // not before it is known that one is due
				counted["evictions"] = append(counted["evictions"], within(r, c))
			}
		}
	}
	for _, c := range h {
		for _, name := range []string{"hits", "misses", "evictions"} {
			if at := within(r, c); c.method == "stats" {
				before := slices.DeleteFunc(slices.Clone(counted[name]), func(t time.Duration) bool { return t > at })
				c.counts[name] = int64(len(before))
			}
		}
	}
	slices.SortStableFunc(h, func(a, b call) int { return int(a.start - b.start) })
	return h
}

// within is a moment of a call.
func within(r *rand.Rand, c call) time.Duration {
	return c.start + time.Duration(r.Int64N(int64(c.end-c.start)+1))
}

// inOrder are the indices of times, the earliest first.
func inOrder(times []time.Duration) []int {
	order := make([]int, len(times))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return int(times[i] - times[j]) })
	return order
}

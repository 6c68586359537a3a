package eviction

import (
	"math/rand/v2"
	"slices"

	. "github.com/onsi/ginkgo/v2"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// talk is what callers say to a manager, at once or alone. Talks are short and
// many: what goes wrong goes wrong within a few calls, a checker is quick with
// them, and a reader too.
type talk struct {
	name     string // of its pictures
	cap, ids int
	each     int      // calls of a thread
	methods  []string // one of them for each call, by lot
}

// callers is how many talk at once: two that disagree, and one that sees it.
const callers = 3

// together is the k-th such talk of the run's seed with a new manager: its
// history, and how many of its calls overlapped with another caller's.
func (t talk) together(s *op.Client, k int) (h history, overlapped int) {
	GinkgoHelper()
	return t.with(s, k, callers)
}

// alone is twice as much of one caller.
func (t talk) alone(s *op.Client, k int) history {
	GinkgoHelper()
	t.each *= 2 * callers
	h, _ := t.with(s, k, 1)
	return h
}

func (t talk) with(s *op.Client, k, callers int) (h history, overlapped int) {
	GinkgoHelper()
	m, lists := manager(s, t.cap), make([][]op.Call, callers)
	r := rand.New(rand.NewPCG(uint64(GinkgoRandomSeed()), uint64(k)))
	for i := range lists {
		for range t.each {
			lists[i] = append(lists[i], t.say(m, t.methods[r.IntN(len(t.methods))], names(t.ids)[r.IntN(t.ids)]))
		}
	}
	race := Must(s.Race(lists...))
	h = newHistory(s, lists, race)
	if slices.Contains(t.methods, "stats") {
		h = h.concluded(m, names(t.ids))
	}
	return h, op.Overlaps(race)
}

// again is the calls of a history once more, by one caller of a new manager, in
// the order in which they began.
func (t talk) again(s *op.Client, h history) history {
	GinkgoHelper()
	m, calls := manager(s, t.cap), make([]op.Call, len(h))
	for i, c := range h {
		calls[i] = t.say(m, c.method, c.id)
	}
	return newHistory(s, [][]op.Call{calls}, Must(s.Race(calls)))
}

func (t talk) say(m spec.Manager, method, id string) op.Call {
	switch method {
	case "session":
		return op.GetSession(m, id)
	case "contains":
		return op.IsRetained(m, id)
	case "drop":
		return op.DropSession(m, id)
	case "continue":
		return op.ContinueSession(m, id)
	case "stats":
		return op.ReadStats(m)
	}
	panic("no method " + method)
}

// concluded adds what a manager counts when all is over, and how many sessions it
// retains then.
func (h history) concluded(m spec.Manager, ids []string) history {
	GinkgoHelper()
	at, counts, in := h.last(), Must(m.Stats()).Counts, retained(m, ids...)
	return append(h,
		call{start: at + 1, end: at + 2, method: "stats", counts: counts},
		call{start: at + 3, end: at + 4, method: "contained", counts: map[string]int64{"sessions": int64(len(in))}})
}

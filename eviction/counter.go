package eviction

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

// tally is what stats counts of requests. A figure that it does not give is
// absent.
type tally map[string]int64

// tallied reads some of a manager's counters.
func tallied(m spec.Manager, names ...string) tally {
	GinkgoHelper()
	counts, t := Must(m.Stats()).Counts, tally{}
	for _, n := range names {
		if v, ok := counts[n]; ok {
			t[n] = v
		}
	}
	return t
}

// counter is what stats counts. Only the session asked for last is asked for
// again, which every table retains: which other one goes is not asked here.
func counter(open Open) {
	counters := []string{"hits", "misses", "evictions"}

	It("counts hits, misses and evictions exactly", Promise("EVI-10"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m := manager(s, 2)
		Expect(tallied(m, counters...)).To(Equal(tally{"hits": 0, "misses": 0, "evictions": 0}), "before any request")
		var hits, misses int64
		ids := []string{"a", "b", "c", "d", "e"}
		for _, id := range ids {
			visit(m, id, id, id)
			misses, hits = misses+1, hits+2
			evictions := misses - int64(len(retained(m, ids...)))
			Expect(tallied(m, counters...)).To(Equal(tally{"hits": hits, "misses": misses, "evictions": evictions}),
				"after three requests for each session from a to %s, at a cap of 2", id)
		}
	})

	It("counts no look at the table", Promise("EVI-10"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m := manager(s, 4)
		visit(m, "a", "b", "b")
		for range 3 {
			retained(m, "a", "b", "absent")
			Must(m.Stats())
		}
		want := tally{"hits": 1, "misses": 2, "evictions": 0}
		Expect(tallied(m, counters...)).To(Equal(want), "after requests for a, b and b, then membership tests and stats")
	})

	// A manager may count continuations apart.
	It("takes a continuation for a hit or for none", Promise("EVI-10"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Needs(s, spec.CanContinue)
		m := manager(s, 2)
		visit(m, "a", "a")
		for range 3 {
			LetGo(Must(m.Continue("a")))
		}
		Expect(tallied(m, counters...)).To(Or(
			Equal(tally{"hits": 1, "misses": 1, "evictions": 0}),
			Equal(tally{"hits": 4, "misses": 1, "evictions": 0}),
		), "after two requests for a, which was then continued three times")
	})

	It("counts on when there are many", Promise("EVI-10"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		const many = 300
		m, ids := manager(s, 3), names(many)
		for _, id := range ids {
			visit(m, id, id)
		}
		evictions := int64(many - len(retained(m, ids...)))
		Expect(tallied(m, counters...)).To(Equal(tally{"hits": many, "misses": many, "evictions": evictions}),
			"after two requests for each of %d sessions, at a cap of 3", many)
	})

	It("has misses less evictions equal what is retained", Promise("EVI-10"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		for _, n := range []int{1, 3} {
			m, ids := manager(s, n), names(n+2)
			for _, id := range append(ids, ids...) {
				visit(m, id)
			}
			t := tallied(m, counters...)
			Expect(t["misses"]-t["evictions"]).To(BeEquivalentTo(len(retained(m, ids...))), "misses less evictions, against sessions retained; %v", t)
		}
	})

	It("has misses less evictions and drops equal what is retained", Promise("EVI-10"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Needs(s, spec.CanDrop)
		m := manager(s, 2)
		visit(m, "a", "b", "c")
		Must(m.Drop("absent"))
		dropped(m, "c")
		Must(m.Drop("c"))
		visit(m, "c", "c")
		dropped(m, "c")
		t := tallied(m, counters...)
		Expect(t["misses"]-t["evictions"]-2).To(BeEquivalentTo(len(retained(m, "a", "b", "c"))),
			"misses less evictions less 2 drops, against sessions retained; %v", t)
		Expect(t["hits"]).To(BeEquivalentTo(1), "hits: c was asked for again once while it was retained")
	})
}

// dropped drops a session. Whether a drop drops is another row's to ask.
func dropped(m spec.Manager, id string) {
	GinkgoHelper()
	Must(m.Drop(id))
	if Must(m.Contains(id)) {
		CannotTell("%q was dropped and is retained", id)
	}
}

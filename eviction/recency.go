package eviction

import (
	"fmt"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// recency is who goes first, and what makes a session the most recent.
func recency(open Open) {
	leastRecent(open)
	hit(open)
	noUse(open)
}

func leastRecent(open Open) {
	It("gives up the session that was not used for longest", Promise("EVI-02"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		ids := []string{"m", "z", "a", "q", "b", "y", "c"} // in no order of their own
		for _, n := range []int{1, 2, 3} {
			for k := n + 2; k <= len(ids); k++ {
				m := manager(s, n)
				visit(m, ids[:k]...)
				expectLatest(m, ids[:k])
			}
		}
	})

	// What a session holds and who holds it is no part of how recent it is.
	for _, large := range []string{"old", "middle", "new"} {
		It(fmt.Sprintf("gives up the least recent session when the %s one holds most", large), Promise("EVI-02"), func(ctx SpecContext) {
			s := open.Subject(ctx)
			m := manager(s, 3)
			ids := []string{"old", "middle", "new", "newer", "newest"}
			for _, id := range ids {
				held := Must(m.Session(id))
				if id == large {
					write(s, held, "mark", 64<<10)
				}
				LetGo(held)
			}
			expectLatest(m, ids)
		})
	}

	It("gives up the least recent session though it alone is held", Promise("EVI-02"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m := manager(s, 2)
		Must(m.Session("held"))
		visit(m, "free", "new", "newer")
		expectLatest(m, []string{"held", "free", "new", "newer"})
	})
}

// expectLatest finds the latest of some sessions retained, which were asked for
// once each, in this order. How many these are is not asked.
func expectLatest(m spec.Manager, ids []string) {
	GinkgoHelper()
	got := retained(m, ids...)
	if len(got) == 0 || len(got) == len(ids) {
		CannotTell("retained of %q = %q: no choice was made", ids, got)
	}
	Expect(got).To(Equal(ids[len(ids)-len(got):]), "retained of %q, asked for once each in this order", ids)
}

func hit(open Open) {
	It("makes a session that was asked for the most recent", Promise("EVI-03"), func(ctx SpecContext) {
		expectRefreshed(open.Subject(ctx), 3, trace{"a", "b", "c", "a"}, trace{"a", "b", "c", "b"}, trace{"a", "b", "c", "c"})
	})

	It("makes a session the most recent before the table is full", Promise("EVI-03"), func(ctx SpecContext) {
		expectRefreshed(open.Subject(ctx), 4, trace{"a", "b", "a"}, trace{"a", "b", "c", "a"})
	})

	It("makes a session the most recent at every hit", Promise("EVI-03"), func(ctx SpecContext) {
		expectRefreshed(open.Subject(ctx), 3, trace{"a", "b", "a", "b", "a"}, trace{"a", "b", "a", "c", "a"}, trace{"a", "b", "c", "a", "b", "a"})
	})
}

// noUse compares with the same requests without what must not count as use, so
// that it asks nothing of the order itself.
func noUse(open Open) {
	nothing := func(spec.Manager) {}

	It("does not take a membership test for use", Promise("EVI-04"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		test := func(m spec.Manager) { retained(m, "a", "absent", "a") }
		expectSame(func() []string { return left(s, test) }, func() []string { return left(s, nothing) },
			"retained after a, b and c, a membership test of a, then d and e")
	})

	It("does not take stats for use", Promise("EVI-04"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		// A walk that uses each session it meets may leave the order as it was,
		// or turn it round; with a hit before it, neither goes unseen.
		hit := func(m spec.Manager) { visit(m, "a") }
		look := func(m spec.Manager) { hit(m); Must(m.Stats()); Must(m.Stats()) }
		expectSame(func() []string { return left(s, look) }, func() []string { return left(s, hit) },
			"retained after a, b, c and a again, stats, then d and e")
		once := func(m spec.Manager) { Must(m.Stats()) }
		expectSame(func() []string { return left(s, once) }, func() []string { return left(s, nothing) },
			"retained after a, b and c, stats, then d and e")
	})

	// What the work leaves in a is there in either case, of which the other has
	// it done before b and c come: a table may look at what sessions hold.
	It("takes work on a held session for use exactly as declared", Promise("EVI-04"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		between := nothing
		switch use := s.Hello().Use; use {
		case "lookup":
		case "access":
			between = func(m spec.Manager) { visit(m, "a") }
		default:
			Unclaimed("what counts as use is declared as %q, neither lookup nor access", use)
		}
		kind := stateKinds(s)[0]
		toil := func(a spec.Session) {
			mark(s, a, 7)
			markOf(a)
			content(filled(s, a, kind, 1))
		}
		expectSame(
			func() []string {
				return leftHolding(s, func(spec.Session) {}, func(_ spec.Manager, a spec.Session) { toil(a) })
			},
			func() []string { return leftHolding(s, toil, func(m spec.Manager, _ spec.Session) { between(m) }) },
			"retained after a, b and c, work on a, then d and e; declared: %s", s.Hello().Use)
	})
}

// left is what a manager of three retains of a to e, when something is done
// between c and d.
func left(s *op.Client, between func(spec.Manager)) []string {
	GinkgoHelper()
	return leftHolding(s, func(spec.Session) {}, func(m spec.Manager, _ spec.Session) { between(m) })
}

// leftHolding is left by who holds a, and does something with it at once, too.
func leftHolding(s *op.Client, first func(spec.Session), between func(spec.Manager, spec.Session)) []string {
	GinkgoHelper()
	m := manager(s, 3)
	a := Must(m.Session("a"))
	first(a)
	visit(m, "b", "c")
	between(m, a)
	visit(m, "d", "e")
	return retained(m, "a", "b", "c", "d", "e")
}

// expectSame compares what two new managers retain. Where they do not retain the
// same each time, the manager chooses anew, and nothing is known.
func expectSame(retains, due func() []string, what string, args ...any) {
	GinkgoHelper()
	what = fmt.Sprintf(what, args...)
	got, want := retains(), due()
	if slices.Equal(got, want) {
		return
	}
	for range 8 {
		if !slices.Equal(retains(), got) || !slices.Equal(due(), want) {
			CannotTell("%s: not the same each time", what)
		}
	}
	Expect(got).To(Equal(want), what)
}

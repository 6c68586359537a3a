package eviction

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// capacity is how many sessions are retained, and what caps there can be.
func capacity(open Open) {
	It("never retains more sessions than the cap", Promise("EVI-01"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		for _, n := range []int{1, 2, 3, 64} {
			m, ids := manager(s, n), names(n+3)
			for i, id := range ids {
				visit(m, id)
				if i >= n-1 {
					expectWithin(m, n, ids)
				}
			}
		}
	})

	It("never retains more sessions than the cap when all of them are held", Promise("EVI-01"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		for _, n := range []int{1, 3} {
			m, ids := manager(s, n), names(n+3)
			for _, id := range append(ids, ids...) {
				Must(m.Session(id))
				expectWithin(m, n, ids)
			}
		}
	})

	It("never retains more sessions than the cap when several callers ask at once", Promise("EVI-01"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Needs(s, spec.CanRace)
		const n = 3
		races(5, func(int) (int, int) {
			m, ids := manager(s, n), names(2*n)
			race := Must(s.Race(asking(m, ids, 60), asking(m, ids[n:], 60), looking(m, 60)))
			stats := race[2]
			for _, e := range stats {
				Do(e.Err)
				if _, said := e.Stats.Counts["sessions"]; !said && e.Stats.Retained == nil {
					Unclaimed("stats does not say how many sessions are retained")
				}
				Expect(e.Stats.Sessions()).To(BeNumerically("<=", n), "sessions, in stats during concurrent requests")
				Expect(len(e.Stats.Retained)).To(BeNumerically("<=", n), "retained, in stats during concurrent requests")
			}
			expectWithin(m, n, ids)
			return during(stats, race[0], race[1]), len(stats)
		})
	})

	It("cannot have a cap of zero or less", Promise("EVI-11"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		for _, n := range []int{0, -1, -64} {
			_, err := s.NewManager(spec.ManagerSpec{Cap: new(n)})
			Expect(Refused(err)).To(BeTrue(), "new_manager(cap %d) = a manager, want a refusal", n)
		}
	})

	It("says that a cap of zero or less is an invalid argument", Promise("EVI-11.kind"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		for _, n := range []int{0, -1} {
			_, err := s.NewManager(spec.ManagerSpec{Cap: new(n)})
			if !Refused(err) {
				CannotTell("new_manager(cap %d) is not refused", n)
			}
			Expect(err).To(BeRefusedAs(spec.InvalidArgument), "new_manager(cap %d)", n)
		}
	})
}

// expectWithin counts the sessions retained, in both ways that there are.
func expectWithin(m spec.Manager, n int, ids []string) {
	GinkgoHelper()
	in := retained(m, ids...)
	Expect(len(in)).To(BeNumerically("<=", n), "contained: %q, at a cap of %d", in, n)
	Expect(Must(m.Stats()).Sessions()).To(BeNumerically("<=", n), "sessions, in stats")
}

// asking is a list of n requests for sessions, round and round some ids.
func asking(m spec.Manager, ids []string, n int) []op.Call {
	calls := make([]op.Call, n)
	for i := range calls {
		calls[i] = op.GetSession(m, ids[i%len(ids)])
	}
	return calls
}

// looking is a list of n requests for statistics.
func looking(m spec.Manager, n int) []op.Call {
	calls := make([]op.Call, n)
	for i := range calls {
		calls[i] = op.ReadStats(m)
	}
	return calls
}

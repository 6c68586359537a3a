package eviction

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// raise is a cap that changes in use. [raise-cap]
func raise(open Open) {
	It("retains as many sessions as a raised cap", Promise("EVI-17"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m, ids := manager(s, 2), names(6)
		visit(m, ids[:3]...)
		gone(m, ids[0])
		before := retained(m, ids...)
		Expect(m.RaiseCap(4)).To(BeTrue(), "the cap of 2, raised to 4")
		Expect(retained(m, ids...)).To(Equal(before), "retained when the cap was raised, against before")

		for more := range 4 {
			expectSame(
				func() []string {
					m := manager(s, 2)
					visit(m, ids[:3]...)
					gone(m, ids[0])
					Must(m.RaiseCap(4))
					visit(m, ids[3:3+more]...)
					return retained(m, ids...)
				},
				func() []string {
					made := manager(s, 4)
					visit(made, ids[1:3+more]...)
					return retained(made, ids...)
				},
				"retained after a cap of 2 was raised to 4 and %d more sessions, against one made with it", more)
		}
	})

	It("leaves sessions as they were when the cap is raised", Promise("EVI-17"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m := manager(s, 1)
		mark(s, Must(m.Session("a")), 1)
		Expect(m.RaiseCap(2)).To(BeTrue(), "the cap of 1, raised to 2")
		Expect(markOf(Must(m.Session("a")))).To(Equal(1), "the mark of the session that was retained when the cap was raised")
	})

	It("never lowers the cap", Promise("EVI-17.lower"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		for _, n := range []int{3, 2, 1} {
			expectCapKept(s, n, func(m spec.Manager) {
				// A refusal says no less clearly that nothing changed.
				if changed, err := m.RaiseCap(n); !Refused(err) {
					Expect(changed).To(BeFalse(), "raise_cap(%d) at a cap of 3, changed", n)
				}
			})
		}
	})

	It("refuses to raise the cap to zero or less", Promise("EVI-17.non-positive"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		for _, n := range []int{0, -1, -64} {
			expectCapKept(s, n, func(m spec.Manager) {
				_, err := m.RaiseCap(n)
				Expect(Refused(err)).To(BeTrue(), "raise_cap(%d), refused", n)
			})
		}
	})
}

// expectCapKept compares a manager of three whose cap was not raised to n with
// one on which nobody tried.
func expectCapKept(s *op.Client, n int, try func(spec.Manager)) {
	GinkgoHelper()
	ids := names(6)
	for _, more := range []int{0, 3} {
		retains := func(try func(spec.Manager)) []string {
			GinkgoHelper()
			m := manager(s, 3)
			visit(m, ids[:3]...)
			try(m)
			visit(m, ids[3:3+more]...)
			return retained(m, ids...)
		}
		expectSame(
			func() []string { return retains(try) },
			func() []string { return retains(func(spec.Manager) {}) },
			"retained after raise_cap(%d) at a cap of 3 and %d more sessions, against no raise", n, more)
	}
}

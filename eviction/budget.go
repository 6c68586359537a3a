package eviction

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

// budget is the byte budget: recorded, not enforced.
func budget(open Open) {
	It("evicts nothing for a byte budget", Promise("EVI-09"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		// With places to spare: how many there are at a cap is not asked here.
		kind, ids := stateKinds(s)[0], names(4)
		kept(s, 8, ids)
		m := Must(s.NewManager(spec.ManagerSpec{Cap: new(8), ByteBudget: new(int64(1)), Attrs: Attrs("mark")}))
		for i, id := range ids {
			session := Must(m.Session(id))
			write(s, session, "mark", 4096)
			LetGo(filled(s, session, kind, 1), session)
			Must(m.Stats()) // where a budget would be looked at
			Expect(retained(m, ids[:i+1]...)).To(Equal(ids[:i+1]), "retained at a cap of 8 and a byte budget of 1")
		}
		grown := Must(m.Session(ids[1]))
		write(s, grown, "mark", 8192)
		Must(m.Stats())
		Expect(retained(m, ids...)).To(Equal(ids), "retained at a byte budget of 1, after a session grew")
	})

	It("tells the byte budget that it was given", Promise("EVI-20"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		for _, n := range []int64{1, 64 * 603 << 20, 1 << 50} {
			m := Must(s.NewManager(spec.ManagerSpec{Cap: new(1), ByteBudget: &n}))
			Expect(Must(m.Stats()).ByteBudget).To(HaveValue(Equal(n)), "byte budget of a new manager")
			visit(m, "a", "b")
			Expect(Must(m.Stats()).ByteBudget).To(HaveValue(Equal(n)), "byte budget after an eviction")
		}
	})

	It("keeps the byte budgets of two managers apart", Promise("EVI-20"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		one := Must(s.NewManager(spec.ManagerSpec{Cap: new(1), ByteBudget: new(int64(1000))}))
		Must(s.NewManager(spec.ManagerSpec{Cap: new(1), ByteBudget: new(int64(2000))}))
		Expect(Must(one.Stats()).ByteBudget).To(HaveValue(Equal(int64(1000))), "byte budget, after another manager was given 2000")
	})
}

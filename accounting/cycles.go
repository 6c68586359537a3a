package accounting

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

func cycles(open Open) {
	It("counts once what is in a list that contains itself", Promise("ACC-14.cycle"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Holds(s, spec.KindList)
		m, a := retained(s)
		l := containing(s, spec.KindList, storage(s, big))
		Do(a.SetAttr("x", l))
		edit(l, spec.Append(l)) // and lets go of it

		Expect(m.Stats()).To(CountBytes(big), "a list of a tensor of %d bytes and of the list itself", big)
	})

	It("counts once what is in a map that contains itself", Promise("ACC-14.cycle"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Holds(s, spec.KindMap)
		m, a := retained(s)
		table := containing(s, spec.KindMap, storage(s, big))
		Do(a.SetAttr("x", table))
		edit(table, spec.Append(table)) // and lets go of it

		Expect(m.Stats()).To(CountBytes(big), "a map of a tensor of %d bytes and of the map itself", big)
	})

	It("counts once what is in two lists that contain each other", Promise("ACC-14.cycle"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Holds(s, spec.KindList)
		m, a := retained(s)
		l := containing(s, spec.KindList, storage(s, big))
		owner := Must(s.Make(spec.List(l)))
		Do(a.SetAttr("x", owner))
		edit(l, spec.Append(owner))
		LetGo(l)

		Expect(m.Stats()).To(CountBytes(big), "a list of a list of a tensor of %d bytes and of the first list", big)
	})
}

func depth(open Open) {
	DescribeTable("counts or names what is deep inside nested lists,", Promise("ACC-14.deep"),
		func(ctx SpecContext, deep int) {
			var log warnings
			s := open.In(ctx, spec.Process{Log: log.add})
			Holds(s, spec.KindList)
			m, a := retained(s)
			t := storage(s, big)
			give(a, "x", Must(s.Make(spec.Nest(deep, t))))
			LetGo(t)
			give(a, "y", storage(s, medium))

			st, err := m.Stats()
			Expect(err).NotTo(HaveOccurred(), "stats of a session with %d nested lists", deep)
			if named := len(st.Unmeasured)+len(log.said) > 0; named {
				Expect(st).To(Or(CountBytes(medium), CountBytes(big+medium)), "%d bytes inside %d lists that were named as not measured, beside %d", big, deep, medium)
			} else {
				Expect(st).To(CountBytes(big+medium), "%d bytes inside %d lists, named neither in the answer nor in a warning, beside %d", big, deep, medium)
			}
		},
		Entry("1,000 of them", 1000),
		Entry("10,000 of them", 10_000),
	)
}

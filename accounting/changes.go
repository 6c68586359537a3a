package accounting

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

func changes(open Open) {
	It("counts a value in the place of the one that it replaced", Promise("ACC-09"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m, a := retained(s)
		give(a, "x", storage(s, 1000))
		give(a, "y", storage(s, 7))
		Must(m.Stats()) // counted, so that there is something to forget
		give(a, "x", storage(s, 52))

		Expect(m.Stats()).To(CountBytes(59), "52 bytes in the place of 1000, beside 7")
	})

	It("counts a cleared attribute no more", Promise("ACC-09"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m, a := retained(s)
		give(a, "x", storage(s, 1000))
		give(a, "y", storage(s, 7))
		Must(m.Stats())
		Do(a.SetAttr("x", nil))

		Expect(m.Stats()).To(CountBytes(7), "what is left beside 1000 bytes that were cleared")
	})

	It("counts a payload in the place of the one that it replaced", Promise("ACC-09"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		asked := 0
		for _, k := range kinds(s) {
			if k.Appends {
				continue
			}
			asked++
			m, a := retained(s)
			o := Must(a.Ensure("kept", spec.ObjectSpec{Kind: k.Kind}))
			for _, n := range []int{700, 1000} {
				payload := storage(s, n)
				Do(o.Commit(payload))
				LetGo(payload)
			}

			// Less than both together: an object that owns its memory may have
			// room for more than the newer.
			Expect(count(m)).To(BeNumerically("<", 1700), "stats of a %s whose 700 bytes were replaced by 1000", k.Kind)
		}
		if asked == 0 {
			Unclaimed("no kind of state object that replaces")
		}
	})
}

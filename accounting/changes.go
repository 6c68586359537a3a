package accounting

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "github.com/statespec/statespec/spec/suite"
)

func changes(open Open) {
	It("counts a value in the place of the one that it replaced", Promise("ACC-09"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m, a := retained(s)
		give(a, "x", storage(s, big))
		give(a, "y", storage(s, small))
		Must(m.Stats()) // counted, so that there is something to forget
		give(a, "x", storage(s, medium))

		Expect(m.Stats()).To(CountBytes(medium+small), "%d bytes in the place of %d, beside %d", medium, big, small)
	})

	It("counts a cleared attribute no more", Promise("ACC-09"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m, a := retained(s)
		give(a, "x", storage(s, big))
		give(a, "y", storage(s, small))
		Must(m.Stats())
		Do(a.SetAttr("x", nil))

		Expect(m.Stats()).To(CountBytes(small), "what is left beside %d bytes that were cleared", big)
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
			o := Must(a.Ensure("kept", Roomy(k)))
			for _, n := range []int{medium, big} {
				payload := frame(s, n)
				Do(o.Commit(payload))
				LetGo(payload)
			}

			// Less than both together: an object that owns its memory may have
			// room for more than the newer.
			Expect(count(m)).To(BeNumerically("<", medium+big), "stats of a %s whose %d bytes were replaced by %d", k.Kind, medium, big)
		}
		if asked == 0 {
			Unclaimed("no kind of state object that replaces")
		}
	})
}

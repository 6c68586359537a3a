package accounting

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

func buckets(open Open) {
	It("counts bytes that are only in attributes", Promise("ACC-06"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m, a := empty(s)
		give(a, "x", storage(s, 1000))
		give(a, "y", storage(s, 52))

		Expect(m.Stats()).To(CountBytes(1052), "two attributes of 1000 and 52 bytes, and no object")
	})

	It("counts elements of an attribute by their width", Promise("ACC-06"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m, a := empty(s)
		give(a, "x", Must(s.Make(spec.Tensor("bfloat16", 1, 26))))
		give(a, "y", Must(s.Make(spec.Tensor("float32", 1, 250))))
		give(a, "z", storage(s, 7))

		Expect(m.Stats()).To(CountBytes(1059), "26 elements of 2 bytes, 250 of 4, 7 of 1")
	})

	It("counts bytes that are only in state objects", Promise("ACC-06.object"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		for _, k := range kinds(s) {
			m, a := empty(s)
			o := Must(a.Ensure("kept", spec.ObjectSpec{Kind: k.Kind}))
			payload := storage(s, 1000)
			Do(o.Commit(payload))
			LetGo(payload)

			// An object that owns its memory may have room for more.
			Expect(count(m)).To(BeNumerically(">=", 1000), "stats of a %s that holds a payload of 1000 bytes", k.Kind)
		}
	})
}

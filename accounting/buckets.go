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
		give(a, "x", storage(s, big))
		give(a, "y", storage(s, medium))

		Expect(m.Stats()).To(CountBytes(big+medium), "two attributes of %d and %d bytes, and no object", big, medium)
	})

	It("counts elements of an attribute by their width", Promise("ACC-06"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m, a := empty(s)
		give(a, "x", Must(s.Make(spec.Tensor("bfloat16", 1, small/2))))
		give(a, "y", Must(s.Make(spec.Tensor("float32", 1, medium/4))))
		give(a, "z", storage(s, big))

		Expect(m.Stats()).To(CountBytes(small+medium+big), "%d elements of 2 bytes, %d of 4, %d of 1", small/2, medium/4, big)
	})

	It("counts bytes that are only in state objects", Promise("ACC-06.object"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		for _, k := range kinds(s) {
			m, a := empty(s)
			o := Must(a.Ensure("kept", Roomy(k)))
			payload := frame(s, big)
			Do(o.Commit(payload))
			LetGo(payload)

			// An object that owns its memory may have room for more.
			Expect(count(m)).To(BeNumerically(">=", big), "stats of a %s that holds a payload of %d bytes", k.Kind, big)
		}
	})
}

package accounting

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

func nothing(open Open) {
	It("adds nothing for storages of zero bytes", Promise("ACC-15"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m, a := retained(s)
		give(a, "x", Must(s.Make(spec.Tensor("uint8", 1, 0))))
		give(a, "y", Must(s.Make(spec.Tensor("float32", 1, 3, 0))))

		Expect(m.Stats()).To(CountBytes(0), "two tensors without an element")
	})

	DescribeTable("hides nothing behind storages of zero bytes, stored", Promise("ACC-15"),
		func(ctx SpecContext, order func(none, one, other spec.Value) []spec.Value) {
			s := open.Subject(ctx)
			m, a := retained(s)
			none, one, other := Must(s.Make(spec.Tensor("uint8", 1, 0))), storage(s, big), storage(s, medium)
			for i, v := range order(none, one, other) {
				give(a, []string{"x", "y", "z"}[i], v)
			}

			Expect(m.Stats()).To(CountBytes(big+medium), "%d and %d bytes, and a tensor without an element", big, medium)
		},
		Entry("in front", func(none, one, other spec.Value) []spec.Value { return []spec.Value{none, one, other} }),
		Entry("between", func(none, one, other spec.Value) []spec.Value { return []spec.Value{one, none, other} }),
		Entry("behind", func(none, one, other spec.Value) []spec.Value { return []spec.Value{one, other, none} }),
	)

	It("tells host arrays apart beside empty ones", Promise("ACC-15"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Holds(s, spec.KindArray)
		m, a := retained(s)
		give(a, "x", emptyArray(s))
		give(a, "y", emptyArray(s))
		give(a, "z", array(s))

		Expect(m.Stats()).To(CountBytes(arrayBytes), "two host arrays without an element, and one of %d bytes", arrayBytes)
	})
}

func emptyArray(s *op.Client) spec.Value {
	GinkgoHelper()
	return Must(s.Make(spec.Tensor("uint8", 1, 0).AsHostArray()))
}

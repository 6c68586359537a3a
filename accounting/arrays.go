package accounting

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

func arrays(open Open) {
	It("counts a host array as its memory", Promise("ACC-12"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Holds(s, spec.KindArray)
		m, a := retained(s)
		give(a, "x", array(s))

		Expect(m.Stats()).To(CountBytes(800), "an array of 800 bytes")
	})

	DescribeTable("counts a view of a host array as the whole array:", Promise("ACC-12"),
		func(ctx SpecContext, view func(whole spec.Value) spec.Recipe) {
			s := open.Subject(ctx)
			Holds(s, spec.KindArray)
			m, a := retained(s)
			whole := array(s)
			give(a, "x", Must(s.Make(view(whole))))
			LetGo(whole)

			Expect(m.Stats()).To(CountBytes(800), "a view of an array of 800 bytes that nobody else holds")
		},
		Entry("52 bytes of it", func(whole spec.Value) spec.Recipe { return spec.Narrow(whole, 1, 300, 52) }),
		Entry("its transpose", func(whole spec.Value) spec.Recipe { return spec.Transpose(whole, 0, 1) }),
		Entry("the whole, broadcast to 9 rows", func(whole spec.Value) spec.Recipe { return spec.Expand(whole, 9, 800) }),
	)

	It("counts a host array once that has two views", Promise("ACC-12"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Holds(s, spec.KindArray)
		m, a := retained(s)
		whole := array(s)
		give(a, "x", Must(s.Make(spec.Narrow(whole, 1, 300, 52))))
		give(a, "y", Must(s.Make(spec.Narrow(whole, 1, 400, 7))))
		LetGo(whole)

		Expect(m.Stats()).To(CountBytes(800), "52 and 7 bytes of one array of 800")
	})

	It("counts a host array that was exported from a tensor as the tensor's storage", Promise("ACC-12.export"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Holds(s, spec.KindArray)
		m, a := retained(s)
		t := storage(s, 1000)
		give(a, "x", Must(s.Make(spec.Borrow("export", t, 0, 1000))))
		LetGo(t)

		Expect(m.Stats()).To(CountBytes(1000), "an array over a tensor of 1000 bytes that nobody else holds")
	})

	It("counts a tensor once beside the host array that was exported from it", Promise("ACC-12.export"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Holds(s, spec.KindArray)
		m, a := retained(s)
		t := storage(s, 1000)
		give(a, "x", Must(s.Make(spec.Borrow("export", t, 0, 1000))))
		give(a, "y", t)

		Expect(m.Stats()).To(CountBytes(1000), "a tensor of 1000 bytes, and an array over it")
	})

	It("counts a host array over an immutable buffer as the buffer", Promise("ACC-12.buffer"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Holds(s, spec.KindArray)
		m, a := retained(s)
		give(a, "x", Must(s.Make(spec.Borrow("buffer", nil, 0, 800))))

		Expect(m.Stats()).To(CountBytes(800), "an array over received bytes, 800 of them")
	})

	It("counts a tensor over part of a host array as the part or more", Promise("ACC-12.part-of-array"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Holds(s, spec.KindArray)
		m, a := retained(s)
		whole := array(s)
		give(a, "x", Must(s.Make(spec.Borrow("part-of-array", whole, 400, 352))))
		LetGo(whole)

		Expect(count(m)).To(And(BeNumerically(">=", 352), BeNumerically("<=", 800)),
			"stats of a tensor over 352 bytes of an array of 800 that it keeps alive")
	})

	It("counts what is beside a host array over a mapped file", Promise("ACC-12.mapped-file"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Holds(s, spec.KindArray)
		m, a := retained(s)
		give(a, "x", Must(s.Make(spec.Borrow("mapped-file", nil, 0, 4096))))
		give(a, "y", storage(s, 52))

		Expect(m.Stats()).To(Or(CountBytes(52), CountBytes(4096+52)), "a mapped file of 4096 bytes, counted or not, beside 52")
	})
}

// array is a host array of one row of 800 bytes.
func array(s *op.Client) spec.Value {
	GinkgoHelper()
	return Must(s.Make(spec.Tensor("uint8", 1, 1, 800).AsHostArray()))
}

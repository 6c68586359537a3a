package accounting

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

func arrays(open Open) {
	It("counts a host array as its memory", Promise("ACC-12"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Holds(s, spec.KindArray)
		m, a := retained(s)
		give(a, "x", array(s))

		Expect(m.Stats()).To(CountBytes(arrayBytes), "an array of %d bytes", arrayBytes)
	})

	DescribeTable("counts a view of a host array as the whole array:", Promise("ACC-12"),
		func(ctx SpecContext, view func(whole spec.Value) spec.Recipe) {
			s := open.Subject(ctx)
			Holds(s, spec.KindArray)
			m, a := retained(s)
			whole := array(s)
			give(a, "x", Must(s.Make(view(whole))))
			told := kept(whole, place{a, "x"})
			LetGo(whole)

			expectBytes(m, arrayBytes, told, "a view of an array of %d bytes that nobody else holds", arrayBytes)
		},
		Entry("some of its rows", func(whole spec.Value) spec.Recipe { return spec.Narrow(whole, 0, 30, 2) }),
		Entry("one column, which is no run of bytes", func(whole spec.Value) spec.Recipe { return spec.Narrow(whole, 1, 7, 1) }),
		Entry("its transpose", func(whole spec.Value) spec.Recipe { return spec.Transpose(whole, 0, 1) }),
		Entry("the whole, broadcast to 9 of it", func(whole spec.Value) spec.Recipe { return spec.Expand(whole, 9, 64, 40) }),
	)

	It("counts a host array once that has two views", Promise("ACC-12"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Holds(s, spec.KindArray)
		m, a := retained(s)
		whole := array(s)
		give(a, "x", Must(s.Make(spec.Narrow(whole, 0, 3, 5))))
		give(a, "y", Must(s.Make(spec.Narrow(whole, 1, 7, 2))))
		told := kept(whole, place{a, "x"}, place{a, "y"})
		LetGo(whole)

		expectBytes(m, arrayBytes, told, "5 rows and 2 columns of one array of %d bytes", arrayBytes)
	})

	It("counts a host array that was exported from a tensor as the tensor's storage", Promise("ACC-12.export"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Holds(s, spec.KindArray)
		m, a := retained(s)
		t := exportable(s)
		give(a, "x", Must(s.Make(spec.Borrow("export", t, 0, big))))
		told := kept(t, place{a, "x"})
		LetGo(t)

		expectBytes(m, big, told, "an array over a tensor of %d bytes that nobody else holds", big)
	})

	It("counts a tensor once beside the host array that was exported from it", Promise("ACC-12.export"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Holds(s, spec.KindArray)
		m, a := retained(s)
		t := exportable(s)
		give(a, "x", Must(s.Make(spec.Borrow("export", t, 0, big))))
		Do(a.SetAttr("y", t))
		told := kept(t, place{a, "x"}, place{a, "y"})
		LetGo(t)

		expectBytes(m, big, told, "a tensor of %d bytes, and an array over it", big)
	})

	It("counts a host array over an immutable buffer as the buffer", Promise("ACC-12.buffer"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Holds(s, spec.KindArray)
		m, a := retained(s)
		give(a, "x", Must(s.Make(spec.Borrow("buffer", nil, 0, arrayBytes))))

		Expect(m.Stats()).To(CountBytes(arrayBytes), "an array over received bytes, %d of them", arrayBytes)
	})

	It("counts a tensor over part of a host array as the part or more", Promise("ACC-12.part-of-array"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Holds(s, spec.KindArray)
		m, a := retained(s)
		whole := array(s)
		give(a, "x", Must(s.Make(spec.Borrow("part-of-array", whole, 2*small, small))))
		LetGo(whole)

		Expect(count(m)).To(And(BeNumerically(">=", small), BeNumerically("<=", arrayBytes)),
			"stats of a tensor over %d bytes of an array of %d that it keeps alive", small, arrayBytes)
	})

	It("counts what is beside a host array over a mapped file", Promise("ACC-12.mapped-file"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Holds(s, spec.KindArray)
		m, a := retained(s)
		file := Must(s.Make(spec.Borrow("mapped-file", nil, 0, 4096)))
		if made := Bits(file); made.Kind != spec.KindArray || len(made.Bytes) != 4096 {
			CannotTell("make: the subject made %s of a mapped file of 4096 bytes", Outline(made))
		}
		give(a, "x", file)
		give(a, "y", storage(s, medium))

		Expect(m.Stats()).To(Or(CountBytes(medium), CountBytes(4096+medium)), "a mapped file of 4096 bytes, counted or not, beside %d", medium)
	})
}

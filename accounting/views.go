package accounting

import (
	. "github.com/onsi/ginkgo/v2"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// A pair is two views of a sheet's storage.
type pair func(s *op.Client, base spec.Value) (one, other spec.Value)

// of makes a pair of two recipes.
func of(one, other func(base spec.Value) spec.Recipe) pair {
	return func(s *op.Client, base spec.Value) (spec.Value, spec.Value) {
		GinkgoHelper()
		return Must(s.Make(one(base))), Must(s.Make(other(base)))
	}
}

func rows(from, n int) func(spec.Value) spec.Recipe {
	return func(base spec.Value) spec.Recipe { return spec.Narrow(base, 0, from, n) }
}

func views(open Open) {
	DescribeTable("counts a storage once when a list holds two views of it, in either order:", Promise("ACC-03"),
		func(ctx SpecContext, views pair) {
			s := open.Subject(ctx)
			Holds(s, spec.KindList)
			for _, reverse := range []bool{false, true} {
				m, a := retained(s)
				base := sheet(s)
				one, other := views(s, base)
				if reverse {
					one, other = other, one
				}
				give(a, "x", Must(s.Make(spec.List(one, other))))
				told := kept(base, place{a, "x"})
				LetGo(one, other, base)

				expectBytes(m, big, told, "views of one storage of %d bytes, reversed: %t", big, reverse)
			}
		},
		Entry("overlapping slices", of(rows(0, 28), rows(20, 28))),
		Entry("disjoint slices", of(rows(0, 18), rows(30, 18))),
		Entry("a slice and the whole", of(rows(30, 2), spec.Alias)),
		Entry("the whole and its transpose", of(spec.Alias, func(v spec.Value) spec.Recipe { return spec.Transpose(v, 0, 1) })),
		Entry("the whole and the same as another dtype", of(spec.Alias, func(v spec.Value) spec.Recipe { return spec.Retype(v, "float32") })),
		Entry("the whole and the same in another shape", of(spec.Alias, func(v spec.Value) spec.Recipe { return spec.Reshape(v, big) })),
		Entry("a slice and a row broadcast to 5000 rows", pair(broadcast)),
	)
}

// broadcast is the last row as 5000 rows, beside the row before it.
func broadcast(s *op.Client, base spec.Value) (one, other spec.Value) {
	GinkgoHelper()
	row := Must(s.Make(spec.Narrow(base, 0, 47, 1)))
	defer LetGo(row)
	return Must(s.Make(spec.Expand(row, 5000, 96))), Must(s.Make(spec.Narrow(base, 0, 46, 1)))
}

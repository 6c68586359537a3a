package accounting

import (
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// permutations are the orders in which three things can be stored.
var permutations = [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}

func orders(open Open) {
	DescribeTable("comes to the same in whatever order aliases were stored,", Promise("ACC-13"),
		func(ctx SpecContext, store func(s *op.Client, a spec.Session, views [3]spec.Value)) {
			s := open.Subject(ctx)
			var first int64
			for i, p := range permutations {
				m, a := retained(s)
				base := sheet(s)
				views := [3]spec.Value{
					Must(s.Make(spec.Narrow(base, 0, 0, 2))),
					Must(s.Make(spec.Narrow(base, 0, 30, 13))),
					Must(s.Make(spec.Transpose(base, 0, 1))),
				}
				store(s, a, [3]spec.Value{views[p[0]], views[p[1]], views[p[2]]})
				LetGo(base, views[0], views[1], views[2])

				if got := count(m); i == 0 {
					first = got
				} else {
					Expect(got).To(Equal(first), "stats of a slice of 2 rows, one of 13 and the whole of 48, stored in order %v, and before in %v", p, permutations[0])
				}
			}
		},
		Entry("in attributes of the same names", func(_ *op.Client, a spec.Session, views [3]spec.Value) {
			for i, name := range []string{"x", "y", "z"} {
				Do(a.SetAttr(name, views[i]))
			}
		}),
		Entry("in attributes that are written in turn", func(_ *op.Client, a spec.Session, views [3]spec.Value) {
			for i, name := range []string{"z", "x", "y"} {
				Do(a.SetAttr(name, views[i]))
			}
		}),
		Entry("in one list", func(s *op.Client, a spec.Session, views [3]spec.Value) {
			Holds(s, spec.KindList)
			give(a, "x", Must(s.Make(spec.List(views[:]...))))
		}),
	)

	overlap(open)
}

// overlap asks about memory that several things wrap, each of them at an
// address of its own.
func overlap(open Open) {
	DescribeTable("counts the overlap once of", Promise("ACC-13.overlap"),
		func(ctx SpecContext, beside bool, parts ...[2]int) {
			s := open.Subject(ctx)
			Holds(s, spec.KindArray, spec.KindList)
			for _, reverse := range []bool{false, true} {
				m, a := retained(s)
				whole := array(s)
				var held []spec.Value
				for _, p := range parts {
					held = append(held, wrapping(s, whole, p))
				}
				wrapped := handles(held)
				if beside {
					held = append(held, whole)
				}
				if reverse {
					slices.Reverse(held)
				}
				give(a, "x", Must(s.Make(spec.List(held...))))
				told := kept(whole, place{a, "x"})
				LetGo(append(wrapped, whole)...)

				expectBytes(m, arrayBytes, told, "parts %v of an array of %d bytes, beside the array: %t, reversed: %t", parts, arrayBytes, beside, reverse)
			}
		},
		Entry("two tensors over parts of a host array", alone, [2]int{0, 1600}, [2]int{960, 1600}),
		Entry("three tensors over parts of a host array", alone, [2]int{0, 1024}, [2]int{512, 1024}, [2]int{1280, 1280}),
		Entry("a tensor over the beginning of a host array, and the array", besideIt, [2]int{0, 256}),
		Entry("a tensor over the end of a host array, and the array", besideIt, [2]int{1280, 1280}),
		Entry("a tensor over all of a host array, and the array", besideIt, [2]int{0, arrayBytes}),
		Entry("tensors over both ends of a host array, and the array", besideIt, [2]int{0, 256}, [2]int{2048, 512}),
	)
}

// Whether the host array that is wrapped is held as well.
const alone, besideIt = false, true

// wrapping is a tensor over a part of a host array: its start and length.
func wrapping(s *op.Client, whole spec.Value, part [2]int) spec.Value {
	GinkgoHelper()
	return Must(s.Make(spec.Borrow("part-of-array", whole, part[0], part[1])))
}

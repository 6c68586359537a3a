package accounting

import (
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

func storages(open Open) {
	DescribeTable("counts what keeps a storage of 1000 bytes alive as 1000:", Promise("ACC-02"),
		func(ctx SpecContext, slice func(s *op.Client, base spec.Value) spec.Value) {
			s := open.Subject(ctx)
			m, a := retained(s)
			base := sheet(s)
			give(a, "x", slice(s, base))
			LetGo(base)

			Expect(m.Stats()).To(CountBytes(1000), "the slice keeps the whole storage alive, though nobody else does")
		},
		Entry("two rows, of 40 bytes", func(s *op.Client, base spec.Value) spec.Value {
			return Must(s.Make(spec.Narrow(base, 0, 30, 2)))
		}),
		Entry("one column, of 50 bytes", func(s *op.Client, base spec.Value) spec.Value {
			return Must(s.Make(spec.Narrow(base, 1, 7, 1)))
		}),
		Entry("a slice of a slice, of 3 bytes", func(s *op.Client, base spec.Value) spec.Value {
			rows := Must(s.Make(spec.Narrow(base, 0, 10, 30)))
			defer LetGo(rows)
			row := Must(s.Make(spec.Narrow(rows, 0, 5, 1)))
			defer LetGo(row)
			return Must(s.Make(spec.Narrow(row, 1, 2, 3)))
		}),
	)

	It("counts a slice in a state object as what the object keeps alive", Promise("ACC-02"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		for _, k := range kinds(s) {
			By("a " + string(k.Kind))
			m, a := empty(s)
			o := Must(a.Ensure("kept", spec.ObjectSpec{Kind: k.Kind}))
			tag := "behind a slice in a " + string(k.Kind)
			base := Must(s.Make(spec.Tensor("uint8", 1, 50, 20).Tracked(tag)))
			rows := Must(s.Make(spec.Narrow(base, 0, 30, 2)))
			Do(o.Commit(rows))
			LetGo(rows, base)

			due := int64(40)
			if k.Keeps == "reference" || lives(s, tag) {
				due = 1000
			}
			got := count(m)
			if got == 0 {
				CannotTell("stats = 0 bytes for a %s that holds some", k.Kind) // ACC-06.object asks that
			}
			Expect(got).To(BeNumerically(">=", due), "stats of a %s to which a slice of 40 bytes out of 1000 was committed, keeps: %s",
				k.Kind, k.Keeps)
		}
	})
}

// lives says whether a tracked storage is still there. A subject that cannot
// look says no.
func lives(s *op.Client, tag string) bool {
	GinkgoHelper()
	return slices.Contains(s.Hello().Can, spec.CanCollect) && slices.Contains(Must(s.Memory()).Alive, tag)
}

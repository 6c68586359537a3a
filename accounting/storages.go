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
	DescribeTable("counts what keeps a whole storage alive as the whole:", Promise("ACC-02"),
		func(ctx SpecContext, slice func(s *op.Client, base spec.Value) spec.Value) {
			s := open.Subject(ctx)
			m, a := retained(s)
			base := sheet(s)
			give(a, "x", slice(s, base))
			told := kept(base, place{a, "x"})
			LetGo(base)

			expectBytes(m, big, told, "the slice keeps the whole storage of %d bytes alive, though nobody else does", big)
		},
		Entry("two rows, of 192 bytes", func(s *op.Client, base spec.Value) spec.Value {
			return Must(s.Make(spec.Narrow(base, 0, 30, 2)))
		}),
		Entry("one column, of 48 bytes", func(s *op.Client, base spec.Value) spec.Value {
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
			o := Must(a.Ensure("kept", Roomy(k)))
			tag := "behind a slice in a " + string(k.Kind)
			base := Must(s.Make(spec.Tensor("uint8", 1, 48, 96).Tracked(tag)))
			rows := Must(s.Make(spec.Narrow(base, 0, 30, 2)))
			Do(o.Commit(rows))
			LetGo(rows, base)

			due := int64(2 * 96)
			if k.Keeps == "reference" || lives(s, tag) {
				due = big
			}
			got := count(m)
			if got == 0 {
				CannotTell("stats = 0 bytes for a %s that holds some", k.Kind) // ACC-06.object asks that
			}
			Expect(got).To(BeNumerically(">=", due), "stats of a %s to which a slice of %d bytes out of %d was committed, keeps: %s",
				k.Kind, 2*96, big, k.Keeps)
		}
	})
}

// lives says whether a tracked storage is still there. A subject that cannot
// look says no.
func lives(s *op.Client, tag string) bool {
	GinkgoHelper()
	return slices.Contains(s.Hello().Can, spec.CanCollect) && slices.Contains(Must(s.Memory()).Alive, tag)
}

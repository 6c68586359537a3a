package objects

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

func allocation(open Open) {
	It("is not resident when new, and once allocated is usable and empty", Promise("OBJ-01"), func(ctx SpecContext) {
		each(open.Subject(ctx), func(k kind) {
			k.holding(payload(k.s, 1)) // another, with a content that must not show here

			o := k.object()
			Expect(Must(o.State()).Resident).To(BeFalse(), "%s: a new object is not resident", k)

			works(o.Allocate(k.widest()), "%s: allocate", k)
			Expect(k.startsEmpty(o)).To(BeEmpty(), "%s: what is shown after allocate, before any commit", k)
			Expect(Must(o.State()).Resident).To(Equal(k.Resident == "allocate"),
				"%s: resident after allocate, declared resident from %s", k, k.Resident)

			works(o.Commit(payload(k.s, 2)), "%s: commit after allocate", k)
			Expect(Must(o.State()).Resident).To(BeTrue(), "%s: resident after the first commit", k)
		})
	})

	It("starts over when allocated again, or refuses and stays as it was", Promise("OBJ-09"), func(ctx SpecContext) {
		each(open.Subject(ctx), func(k kind) {
			p, q := payload(k.s, 1), payload(k.s, 2)
			o := k.holding(p, q)
			if Refused(o.Allocate(k.widest())) {
				Expect(k.shows(o)).To(ConsistOf(k.due(p, q)), "%s: what a refused allocate left", k)
				return
			}
			Expect(k.startsEmpty(o)).To(BeEmpty(), "%s: what is shown after the second allocate", k)
		})
	})

	It("takes the bound of the second allocate, or refuses and keeps the first", Promise("OBJ-09"), func(ctx SpecContext) {
		each(open.Subject(ctx), func(k kind) {
			first, second := spec.Bound{Unit: spec.Payloads, N: 3}, spec.Bound{Unit: spec.Payloads, N: 2}
			o := k.allocated(first)
			due := second
			if Refused(o.Allocate(second)) {
				due = first
			}
			// What a bound of N means is OBJ-04's to ask: here it is whatever it
			// means to another object.
			fresh := k.allocated(due)
			for _, p := range payloads(k.s, 5) {
				Do(o.Commit(p))
				Do(fresh.Commit(p))
			}
			Expect(k.shows(o)).To(Equal(k.shows(fresh)), "%s: what is retained of five commits, against an object allocated at %d alone", k, due.N)
		}, appends, bounded(spec.Payloads))
	})
}

// startsEmpty is what an object shows before its first commit. A replacing kind
// has nothing to show then, and may say so by refusing.
func (k kind) startsEmpty(o spec.Object) []string {
	GinkgoHelper()
	if k.Appends {
		return k.shows(o)
	}
	return k.remains(o)
}

func negativeBounds(open Open) {
	units := []TableEntry{Entry("in payloads", spec.Payloads), Entry("in frames", spec.Frames)}

	DescribeTable("refuses a negative bound and stays unallocated", Promise("OBJ-10"), func(ctx SpecContext, unit spec.BoundUnit) {
		each(open.Subject(ctx), func(k kind) {
			o := k.object()
			before := Must(o.State()).Resident
			err := o.Allocate(spec.Bound{Unit: unit, N: -1})
			if k.without(err) {
				return
			}
			Expect(err).To(BeRefused(), "%s: allocate with a bound of -1", k)
			Expect(Must(o.State()).Resident).To(Equal(before), "%s: resident after an allocate that was refused", k)
		}, bounded(unit))
	}, units)

	DescribeTable("refuses a negative bound and keeps its content", Promise("OBJ-10"), func(ctx SpecContext, unit spec.BoundUnit) {
		each(open.Subject(ctx), func(k kind) {
			o := k.allocated(spec.Bound{Unit: unit, N: 3})
			Do(o.Commit(payloads(k.s, 3)...))
			before := k.shows(o)
			if len(before) == 0 {
				k.cannotTell("three commits at a bound of 3 left no content that could be lost")
				return
			}

			Expect(o.Allocate(spec.Bound{Unit: unit, N: -1})).To(BeRefused(), "%s: allocate with a bound of -1", k)
			Expect(k.remains(o)).To(Equal(before), "%s: what an allocate that was refused left", k)
		}, appends, bounded(unit))
	}, units)

	It("refuses a negative bound and keeps its own", Promise("OBJ-10"), func(ctx SpecContext) {
		each(open.Subject(ctx), func(k kind) {
			o := k.allocated(spec.Bound{Unit: spec.Payloads, N: 2})
			untouched := k.allocated(spec.Bound{Unit: spec.Payloads, N: 2})
			Expect(o.Allocate(spec.Bound{Unit: spec.Payloads, N: -1})).To(BeRefused(), "%s: allocate with a bound of -1", k)
			for _, p := range payloads(k.s, 4) {
				works(o.Commit(p), "%s: commit after an allocate that was refused", k)
				Do(untouched.Commit(p))
			}
			Expect(k.shows(o)).To(Equal(k.shows(untouched)), "%s: what is retained of four commits at the bound of 2 that it had", k)
		}, appends, bounded(spec.Payloads))
	})

	DescribeTable("calls a negative bound an invalid argument", Promise("OBJ-10.kind"), func(ctx SpecContext, unit spec.BoundUnit) {
		each(open.Subject(ctx), func(k kind) {
			err := k.object().Allocate(spec.Bound{Unit: unit, N: -1})
			if !Refused(err) {
				k.cannotTell("a bound of -1 was not refused")
				return
			}
			Expect(err).To(BeRefusedAs(spec.InvalidArgument), "%s: allocate with a bound of -1", k)
		}, bounded(unit))
	}, units)
}

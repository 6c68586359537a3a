package objects

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

// smallBounds are a bound of one and of none. Payloads are of one frame each, so
// that both units mean the same.
func smallBounds(open Open) {
	units := []TableEntry{Entry("in payloads", spec.Payloads), Entry("in frames", spec.Frames)}

	DescribeTable("keeps the newest payload alone at a bound of one", Promise("OBJ-11"), func(ctx SpecContext, unit spec.BoundUnit) {
		each(open.Subject(ctx), func(k kind) {
			o := k.allocated(spec.Bound{Unit: unit, N: 1})
			for i, p := range payloads(k.s, 3) {
				Do(o.Commit(p))
				Expect(k.shows(o)).To(Equal(lines(p)), "%s: the view after %d commits at a bound of one", k, i+1)
			}
		}, appends, bounded(unit))
	}, units)

	DescribeTable("keeps nothing at a bound of zero, or refuses it", Promise("OBJ-11.zero"), func(ctx SpecContext, unit spec.BoundUnit) {
		each(open.Subject(ctx), func(k kind) {
			o := k.object()
			if Refused(o.Allocate(spec.Bound{Unit: unit, N: 0})) {
				return
			}
			for _, p := range payloads(k.s, 3) {
				Refused(o.Commit(p)) // a buffer that keeps nothing may take nothing
			}
			Expect(k.remains(o)).To(BeEmpty(), "%s: the view after 3 commits at a bound of zero", k)
			Expect(Must(o.State()).Total()).To(BeZero(), "%s: bytes after 3 commits at a bound of zero", k)
		}, appends, bounded(unit))
	}, units)
}

// extends are commits of several payloads at once.
func extends(open Open) {
	DescribeTable("keeps the last N of an extend that is longer than its bound", Promise("OBJ-12"), func(ctx SpecContext, before, extend int) {
		each(open.Subject(ctx), func(k kind) {
			const n = 3
			ps := payloads(k.s, before+extend)
			o := k.allocated(spec.Bound{Unit: spec.Payloads, N: n})
			for _, p := range ps[:before] {
				Do(o.Commit(p))
			}
			Do(o.Commit(ps[before:]...))
			Expect(k.shows(o)).To(Equal(lines(ps[len(ps)-n:]...)),
				"%s: the view after an extend by %d at a bound of %d that held %d", k, extend, n, before)
		}, appends, bounded(spec.Payloads))
	},
		Entry("when it was empty", 0, 4),
		Entry("when it held one", 1, 5),
		Entry("when it was full", 3, 8),
	)

	It("says that the source of an extend failed, and leaves what is declared", Promise("OBJ-12.iterable"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		declared := s.Hello().Extend
		// The source has no payload after its failure: all is what it yielded.
		left, known := map[string]int{"none": 0, "prefix": 2, "all": 2}[declared]
		if !known {
			Unclaimed("not declared what a source that fails midway leaves: %q", declared)
		}
		each(s, func(k kind) {
			ps := payloads(s, 3)
			o := k.holding(ps[0])
			err := o.Commit(Must(s.Make(spec.FailAfter(ps[1:]...))))
			if spec.KindOf(err) == spec.Unsupported {
				k.lacks("%s", err.Error())
				return
			}
			Expect(err).To(BeRefused(), "%s: an extend whose source failed after 2 payloads", k)
			Expect(k.shows(o)).To(ConsistOf(lines(ps[:1+left]...)), "%s: the view after the failure, declared to leave %q", k, declared)
		}, appends)
	})
}

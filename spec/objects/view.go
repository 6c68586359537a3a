package objects

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

// views are what a reader gets, and what it can do with it.
func views(open Open) {
	DescribeTable("keeps its content when a reader", Promise("OBJ-13"),
		func(ctx SpecContext, changes func([]spec.Value) []spec.Edit) {
			each(open.Subject(ctx), func(k kind) {
				ps := payloads(k.s, 3)
				o := k.holding(ps...)
				before := k.shows(o)
				got := Must(o.View(spec.View{}))
				for _, e := range changes(ps) {
					if err := got.Edit(e); spec.KindOf(err) != spec.Immutable { // else a reader can do nothing
						Do(err)
					}
				}
				Expect(k.shows(o)).To(Equal(before), "%s: the view after its reader changed an earlier one", k)
			}, lists)
		},
		Entry("empties the list that it got", func([]spec.Value) []spec.Edit {
			return []spec.Edit{spec.Clear()}
		}),
		Entry("appends to the list that it got", func(ps []spec.Value) []spec.Edit {
			return []spec.Edit{spec.Append(ps[0])}
		}),
		Entry("reorders the list that it got", func(ps []spec.Value) []spec.Edit {
			return []spec.Edit{spec.Replace(0, ps[2]), spec.Replace(2, ps[0])}
		}),
	)

	keptViews(open)
}

// keptViews are views that a reader holds on to.
func keptViews(open Open) {
	It("leaves a view its bits through later commits, or until the next one", Promise("OBJ-22"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		each(s, func(k kind) {
			for _, b := range k.everyBound(2) {
				o, bystander := k.allocated(b), k.allocated(b)
				Do(o.Commit(payload(s, 1)))
				Do(o.Commit(payload(s, 2)))
				got := Must(o.View(spec.View{}))
				due := lines(got)

				Must(o.State())
				LetGo(Must(o.View(spec.View{})))
				for seed := range uint64(3) {
					Do(bystander.Commit(payload(s, 3+seed)))
				}
				LetGo(Must(bystander.View(spec.View{})))
				Expect(lines(got)).To(Equal(due), "%s, %s: a view, after reads, and commits to another object", k, unit(b))
				if s.Hello().Views != "always" {
					continue
				}
				for seed := range uint64(3) {
					Do(o.Commit(payload(s, 6+seed)))
					Expect(lines(got)).To(Equal(due), "%s, %s: a view, after %d commits", k, unit(b), seed+1)
				}
			}
		})
	})

	It("leaves the last frames that were read their bits through later commits", Promise("OBJ-22"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		each(s, func(k kind) {
			o := k.allocated(spec.Bound{Unit: spec.Frames, N: 2})
			Do(o.Commit(payload(s, 1), payload(s, 2)))
			got := Must(o.View(spec.View{Last: new(2)}))
			due := lines(got)
			LetGo(Must(o.View(spec.View{Last: new(1)})))
			Expect(lines(got)).To(Equal(due), "%s: the last two frames, after the last one was read", k)
			if s.Hello().Views != "always" {
				return
			}
			for seed := range uint64(3) {
				Do(o.Commit(payload(s, 3+seed)))
				Expect(lines(got)).To(Equal(due), "%s: the last two frames, after %d commits", k, seed+1)
			}
		}, appends, bounded(spec.Frames))
	})

	It("leaves a view its bits when it is evicted", Promise("OBJ-22"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		if s.Hello().Views != "always" {
			Unclaimed("declared: a view keeps its bits %s", s.Hello().Views)
		}
		each(s, func(k kind) {
			for _, b := range k.everyBound(2) {
				o := k.allocated(b)
				Do(o.Commit(payload(s, 1)))
				got := Must(o.View(spec.View{}))
				due := lines(got)
				Must(o.Evict())
				Expect(lines(got)).To(Equal(due), "%s, %s: a view, after evict", k, unit(b))
			}
		})
	})
}

// everyBound is the widest bound of the kind, and one of n in each unit.
func (k kind) everyBound(n int) []spec.Bound {
	bs := []spec.Bound{k.widest()}
	for _, u := range k.Bounds {
		if u != spec.Unbounded {
			bs = append(bs, spec.Bound{Unit: u, N: n})
		}
	}
	return bs
}

package objects

import (
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

// staging is what becomes of a payload that is kept aside. A kind that is
// declared to do nothing with it has to do nothing with it.
func staging(open Open) {
	It("does not show a staged payload as committed", Promise("OBJ-14"), func(ctx SpecContext) {
		each(open.Subject(ctx), func(k kind) {
			p := payload(k.s, 1)
			o := k.holding(p)
			if !k.has(o.Stage(payload(k.s, 2))) {
				return
			}
			Expect(k.shows(o)).To(Equal(lines(p)), "%s: the view with a payload staged", k)
		})
	})

	It("does not show staged payloads before the first commit", Promise("OBJ-14"), func(ctx SpecContext) {
		each(open.Subject(ctx), func(k kind) {
			o := k.allocated(k.widest())
			for i, p := range payloads(k.s, 3) {
				if !k.has(o.Stage(p)) {
					return
				}
				Expect(k.startsEmpty(o)).To(BeEmpty(), "%s: the view with %d payloads staged and none committed", k, i+1)
			}
		})
	})

	discards(open)
	promotes(open)

	It("keeps what is staged when it is evicted", Promise("OBJ-15"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		can := func(c spec.Capability) bool { return slices.Contains(s.Hello().Can, c) }
		each(s, func(k kind) {
			switch {
			case can(spec.CanPromote):
				k.promotesAfterEvict()
			case can(spec.CanCollect) && k.Keeps == "reference":
				k.holdsAfterEvict()
			default:
				k.lacks("nothing to see a staged payload by: neither %s, nor %s and references", spec.CanPromote, spec.CanCollect)
			}
		}, stages)
	})
}

func discards(open Open) {
	It("keeps its content through discard", Promise("OBJ-14.discard"), func(ctx SpecContext) {
		each(open.Subject(ctx), func(k kind) {
			p := payload(k.s, 1)
			o := k.holding(p)
			if !k.has(o.Stage(payload(k.s, 2))) || !k.has(o.Discard()) {
				return
			}
			Expect(k.shows(o)).To(Equal(lines(p)), "%s: the view after discard", k)
		})
	})

	It("has nothing to promote after discard", Promise("OBJ-14.discard"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Needs(s, spec.CanPromote)
		each(s, func(k kind) {
			p := payload(s, 1)
			o := k.holding(p)
			if !k.has(o.Stage(payload(s, 2))) || !k.has(o.Discard()) {
				return
			}
			Refused(o.Commit()) // where nothing is staged, promotion may be refused
			Expect(k.shows(o)).To(Equal(lines(p)), "%s: the view after discard and a commit without a payload", k)
		})
	})

	It("lets go of a staged payload at discard", Promise("OBJ-14.discard"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Needs(s, spec.CanCollect)
		each(s, func(k kind) {
			k.letsGo("staged", "discard", func(o spec.Object, p spec.Value) bool { return k.has(o.Stage(p)) }, spec.Object.Discard)
		})
	})
}

func promotes(open Open) {
	It("promotes what is staged by a commit without a payload, or does nothing where that is declared", Promise("OBJ-16"), func(ctx SpecContext) {
		each(open.Subject(ctx), func(k kind) {
			p, staged := payload(k.s, 1), payload(k.s, 2)
			o := k.holding(p)
			if !k.has(o.Stage(staged)) {
				return
			}
			if !k.Staging {
				Refused(o.Commit()) // where nothing is staged, promotion may be refused
				Expect(k.shows(o)).To(Equal(lines(p)), "%s: the view after stage and a commit without a payload, declared to stage nothing", k)
				return
			}
			works(o.Commit(), "%s: commit without a payload", k)
			Expect(k.shows(o)).To(ConsistOf(k.due(p, staged)), "%s: the view after promotion", k)
		})
	})

	It("promotes what is staged to what a commit of it would have come to, in every bound", Promise("OBJ-16"), func(ctx SpecContext) {
		each(open.Subject(ctx), func(k kind) {
			for _, b := range k.everyBound(4) {
				p, staged := payload(k.s, 1), payload(k.s, 2)
				o, plain := k.allocated(b), k.allocated(b)
				Do(o.Commit(p))
				Do(o.Stage(staged))
				works(o.Commit(), "%s, %s: commit without a payload", k, unit(b))
				Refused(o.Commit()) // where nothing is staged any more, promotion may be refused
				Do(plain.Commit(p))
				Do(plain.Commit(staged))
				Expect(k.shows(o)).To(Equal(k.shows(plain)), "%s, %s: the view after promotion, against that of the same payload committed", k, unit(b))
			}
		}, stages)
	})

	It("promotes what is staged once", Promise("OBJ-16"), func(ctx SpecContext) {
		each(open.Subject(ctx), func(k kind) {
			p, staged, later := payload(k.s, 1), payload(k.s, 2), payload(k.s, 3)
			o := k.holding(p)
			Do(o.Stage(staged))
			Do(o.Commit())
			Do(o.Commit(later))
			Refused(o.Commit()) // where nothing is staged, promotion may be refused
			Expect(k.shows(o)).To(ConsistOf(k.due(p, staged, later)), "%s: the view after promotion, a commit, and another without a payload", k)
		}, stages)
	})

	It("shows what is staged to a view that includes it, and to no other", Promise("OBJ-16.view"), func(ctx SpecContext) {
		each(open.Subject(ctx), func(k kind) {
			p, staged := payload(k.s, 1), payload(k.s, 2)
			o := k.holding(p)
			if !k.has(o.Stage(staged)) {
				return
			}
			due := k.due(p, staged)
			if !k.Staging {
				due = lines(p)
			}
			v, err := o.View(spec.View{Staged: true})
			if k.Staging || !spec.IsRefusal(err) { // with nothing staged, it may be refused
				if !k.has(err) {
					return
				}
				Expect(k.told(v)).To(ConsistOf(due), "%s: the view that includes what is staged, staging declared: %t", k, k.Staging)
			}
			Expect(k.shows(o)).To(Equal(lines(p)), "%s: the view that does not", k)
		})
	})
}

// promotesAfterEvict asks whether what was staged before evict can be promoted
// after it. Allocate comes between where the kind needs it to; a kind whose
// allocate itself drops what is staged cannot be asked in this way.
func (k kind) promotesAfterEvict() {
	GinkgoHelper()
	staged := payload(k.s, 2)
	o := k.holding(payload(k.s, 1))
	Do(o.Stage(staged))
	Must(o.Evict())
	if Refused(o.Commit()) || len(k.remains(o)) == 0 {
		Do(o.Allocate(k.widest()))
		Refused(o.Commit())
		if len(k.remains(o)) == 0 && !k.stagesThroughAllocate() {
			k.cannotTell("allocate, which has to come before promotion, drops what is staged")
			return
		}
	}
	Expect(k.remains(o)).To(Equal(lines(staged)), "%s: the view after evict and promotion of what had been staged before", k)
}

// stagesThroughAllocate says whether allocate leaves what is staged.
func (k kind) stagesThroughAllocate() bool {
	GinkgoHelper()
	o := k.allocated(k.widest())
	Do(o.Stage(payload(k.s, 1)))
	return !Refused(o.Allocate(k.widest())) && !Refused(o.Commit()) && len(k.remains(o)) == 1
}

// holdsAfterEvict asks whether the storage of a staged payload lives after evict.
func (k kind) holdsAfterEvict() {
	GinkgoHelper()
	const tag = "staged"
	staged := Must(k.s.Make(spec.Tensor("float32", 2, 1, 2, 3).Tracked(tag)))
	o := k.holding(payload(k.s, 1))
	Do(o.Stage(staged))
	LetGo(staged)
	Must(o.Evict())
	Expect(Must(k.s.Memory()).Alive).To(ContainElement(tag), "%s: storages alive after evict", k)
}

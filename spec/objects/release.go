package objects

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

// release is how an object gives up what it holds.
func release(open Open) {
	resets(open)
	evicts(open)

	It("can be evicted and reset when it is not allocated, which comes to nothing", Promise("OBJ-08"), func(ctx SpecContext) {
		each(open.Subject(ctx), func(k kind) {
			for _, a := range k.absent() {
				o, name := a.Object, a.how
				Expect(Must(o.Evict())).To(BeZero(), "%s, %s: bytes freed by evict", k, name)
				Expect(Must(o.State()).Total()).To(BeZero(), "%s, %s: bytes after evict", k, name)
				works(o.Reset(), "%s, %s: reset", k, name)
				Expect(Must(o.Evict())).To(BeZero(), "%s, %s: bytes freed by evict after reset", k, name)
				Expect(Must(o.State()).Total()).To(BeZero(), "%s, %s: bytes after reset", k, name)
			}
		})
	})
}

func resets(open Open) {
	It("is neither resident nor holds a byte after reset", Promise("OBJ-05"), func(ctx SpecContext) {
		each(open.Subject(ctx), func(k kind) {
			o, counted := k.full()
			works(o.Reset(), "%s: reset", k)
			Expect(Must(o.State()).Resident).To(BeFalse(), "%s: resident after reset", k)
			Expect(Must(o.State()).Total()).To(BeZero(), "%s: bytes after reset", k)
			k.tellsBytes(counted)
		})
	})

	It("has forgotten its content when it is allocated after reset", Promise("OBJ-05"), func(ctx SpecContext) {
		each(open.Subject(ctx), func(k kind) {
			o, _ := k.full()
			Do(o.Reset())
			works(o.Allocate(k.widest()), "%s: allocate after reset", k)
			Expect(k.startsEmpty(o)).To(BeEmpty(), "%s: what is shown after reset and allocate", k)
		})
	})

	It("has forgotten what was staged when it is allocated after reset", Promise("OBJ-05"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Needs(s, spec.CanStage, spec.CanPromote)
		each(s, func(k kind) {
			o, _ := k.full()
			if !k.has(o.Stage(payload(s, 9))) {
				return
			}
			Do(o.Reset())
			Do(o.Allocate(k.widest()))
			Refused(o.Commit()) // where nothing is staged, promotion may be refused
			Expect(k.startsEmpty(o)).To(BeEmpty(), "%s: what a commit without a payload promoted after reset", k)
		})
	})

	It("keeps no storage alive after reset", Promise("OBJ-05"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Needs(s, spec.CanCollect)
		each(s, func(k kind) { k.letsGo("committed", "reset", committing, spec.Object.Reset) })
	})

	// Of kinds too that are declared to do nothing with what is staged: they may
	// keep it all the same.
	It("keeps no staged storage alive after reset", Promise("OBJ-05"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Needs(s, spec.CanStage, spec.CanCollect)
		each(s, func(k kind) {
			k.letsGo("staged", "reset", func(o spec.Object, p spec.Value) bool { return k.has(o.Stage(p)) }, spec.Object.Reset)
		})
	})
}

func evicts(open Open) {
	It("is neither resident nor holds a byte after evict", Promise("OBJ-06"), func(ctx SpecContext) {
		each(open.Subject(ctx), func(k kind) {
			o, counted := k.full()
			works(Error(o.Evict()), "%s: evict", k)
			Expect(Must(o.State()).Resident).To(BeFalse(), "%s: resident after evict", k)
			Expect(Must(o.State()).Total()).To(BeZero(), "%s: bytes after evict", k)
			k.tellsBytes(counted)
		})
	})

	It("keeps no storage alive after evict", Promise("OBJ-06"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Needs(s, spec.CanCollect)
		each(s, func(k kind) {
			k.letsGo("committed", "evict", committing, func(o spec.Object) error { return Error(o.Evict()) })
		})
	})

	It("returns from evict the bytes that it no longer reports", Promise("OBJ-06.bytes"), func(ctx SpecContext) {
		each(open.Subject(ctx), func(k kind) {
			o, counted := k.full()
			if !k.tellsBytes(counted) {
				return
			}
			before, freed := Must(o.State()).Total(), Must(o.Evict())
			// That it has freed all of them is OBJ-06's to ask.
			Expect(freed).To(Equal(before-Must(o.State()).Total()), "%s: bytes that evict returned, of %d reported before it", k, before)
		})
	})

	It("does not return from evict the bytes of what stays staged", Promise("OBJ-06.bytes"), func(ctx SpecContext) {
		each(open.Subject(ctx), func(k kind) {
			o, counted := k.full()
			if !k.tellsBytes(counted) {
				return
			}
			staged := payload(k.s, 3)
			Do(o.Stage(staged))
			LetGo(staged)
			before, freed, after := Must(o.State()).Total(), Must(o.Evict()), Must(o.State()).Total()
			if after == 0 {
				return // staged bytes are not counted, or did not stay: OBJ-15's to ask
			}
			Expect(freed).To(Equal(before-after), "%s: bytes that evict returned, of %d reported before it and %d after it", k, before, after)
		}, stages)
	})
}

// committing gives an object a payload.
func committing(o spec.Object, p spec.Value) bool {
	GinkgoHelper()
	Do(o.Commit(p))
	return true
}

// large is a payload beside which nothing counts that comes and goes by itself
// between two readings of an allocator's counter.
const large = 1 << 20

// letsGo asks of a payload on each device that nothing is left of it when the
// object that was given it alone has ended: neither its own storage nor, as far
// as the allocator counts, a copy that the object made.
func (k kind) letsGo(given, after string, give func(spec.Object, spec.Value) bool, end func(spec.Object) error) {
	GinkgoHelper()
	for _, d := range k.s.Hello().Devices {
		tag := fmt.Sprint(k, " ", given, " on ", d)
		o := k.allocated(k.widest())
		before, counted := Must(k.s.Memory()).Allocated[d]
		p := Must(k.s.Make(spec.Tensor("uint8", 1, 1, large).On(d).Tracked(tag)))
		has := give(o, p)
		LetGo(p)
		if !has {
			return
		}
		works(end(o), "%s: %s", k, after)
		left := Must(k.s.Memory())
		Expect(left.Alive).NotTo(ContainElement(tag), "%s: storages alive after %s", k, after)
		if counted {
			Expect(left.Allocated[d]-before).To(BeNumerically("<", large/2),
				"%s: bytes more than before that the allocator of %s counts after %s, of %d %s", k, d, after, large, given)
		}
		LetGo(o) // only now: the object's own end is no evict
	}
}

// full is a resident object that holds bytes which nothing else holds, and
// whether it reports any.
func (k kind) full() (o spec.Object, counted bool) {
	GinkgoHelper()
	ps := payloads(k.s, 2)
	o = k.holding(ps...)
	LetGo(ps[0], ps[1])
	state := Must(o.State())
	if !state.Resident {
		CannotTell("%s: not resident after two commits, before it is to give anything up", k)
	}
	return o, state.Total() > 0
}

// tellsBytes passes the kind over unless it reported bytes of a content: a figure
// that is always zero does not say that nothing is left.
func (k kind) tellsBytes(counted bool) bool {
	if !counted {
		k.cannotTell("no bytes are reported of a content of two payloads")
	}
	return counted
}

// absent is an object that is not allocated, and how it came to that.
type absent struct {
	spec.Object
	how string
}

// absent lists them: new ones, and those that evict and reset have emptied. Where
// one of these left something, that is OBJ-05's or OBJ-06's to ask.
func (k kind) absent() []absent {
	GinkgoHelper()
	evicted, reset := k.holding(payload(k.s, 1)), k.holding(payload(k.s, 1))
	Must(evicted.Evict())
	Do(reset.Reset())
	all := []absent{{k.object(), "new"}}
	for _, o := range []absent{{evicted, "evicted"}, {reset, "reset"}} {
		if state := Must(o.State()); !state.Resident && state.Total() == 0 {
			all = append(all, o)
		}
	}
	return all
}

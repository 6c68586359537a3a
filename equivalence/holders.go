package equivalence

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// holders is what somebody sees who holds a session's state while the session
// leaves.
func holders(open Open) {
	for _, limit := range []int{1, 3} {
		It(fmt.Sprintf("shows a holder the same after its session was evicted, at a cap of %d", limit), Promise("EQV-14"), func(ctx SpecContext) {
			s := open.Subject(ctx)
			h := &held{s: s, o: options{cap: limit}}
			h.expectSame(func() {
				for i := range limit {
					h.m.open(visitorName(i)).letGo()
				}
				h.m.needsEvicted("held")
			})
		})
	}

	It("shows a holder the same while its evicted session has come back for another", Promise("EQV-14"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		h := &held{s: s, o: options{cap: 1}}
		h.expectSame(func() { h.evict(); h.comeBack() })
	})

	It("shows a holder the same after its session was closed", Promise("EQV-14.close"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		h := &held{s: s}
		h.expectSame(func() { h.m.end("held") })
	})

	It("shows a holder the same after its session was closed and opened again", Promise("EQV-14.close"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		h := &held{s: s}
		h.expectSame(func() { h.m.end("held"); h.work(h.m.open("held")) })
	})

	It("shows a holder the same after its evicted session came back and was closed", Promise("EQV-14.close"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		h := &held{s: s, o: options{cap: 1}}
		h.before = func() { h.evict(); h.comeBack() }
		h.expectSame(func() { h.m.end("held") })
	})
}

// held is a session that is held while something happens to it.
type held struct {
	s      *op.Client
	o      options
	m      model  // of the pair that is asked
	before func() // what happens to it in the controls as well
}

// expectSame asks that what somebody holds shows the same on both paths after
// something happened, and goes on alike.
func (h *held) expectSame(happening func()) {
	GinkgoHelper()
	after := func(p *pair) { GinkgoHelper(); p.table(); p.goOn(latentDType(h.s)) }
	pairs := func() *pair { GinkgoHelper(); h.m = both(h.s, h.o); return h.m.open("held") }
	expectUnlikeControls(pairs, func(p *pair) {
		p.take(busy(latentDType(h.s))...)
		if h.before != nil {
			h.before()
		}
		p.happens(happening)
		after(p)
	}, after)
}

// evict has other sessions take the place of the one that is held.
func (h *held) evict() {
	GinkgoHelper()
	h.m.open("other").letGo()
	h.m.needsEvicted("held")
}

// comeBack is the session's id at work again, in a session that is new on both
// paths.
func (h *held) comeBack() {
	GinkgoHelper()
	again := h.m.open("held")
	for path, state := range map[string]spec.State{spec.Bespoke: again.bespoke, spec.Managed: again.managed} {
		if left := answered(h.s, state, get("prompt_embeds")); left != none {
			CannotTell("a session that should have been evicted is still there on the %s path", path)
		}
	}
	h.work(again)
}

// work is a little of what forwards do.
func (h *held) work(p *pair) {
	GinkgoHelper()
	dtype := latentDType(h.s)
	p.take(accumulate(clip(51, 2)), appendLatents(latent(dtype, 52, 1)), seed(chunk(dtype, 53, 2)), set("clip_feas", tensor(dtype, 54, 3)))
	p.letGo()
}

// end closes a session on both paths.
func (m model) end(id string) {
	GinkgoHelper()
	Do(m.bespoke.End(id))
	Do(m.managed.End(id))
}

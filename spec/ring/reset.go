package ring

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

// resets is what becomes of the ring at the two resets.
func resets(open Open) {
	It("is kept by a window reset", Promise("RNG-06"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		e := encoderOn(s, spec.Managed, 2, "")
		for i := range uint64(3) {
			Do(e.push(chunk(s, "bfloat16", i+1, 1)))
		}
		before := Bits(Must(e.observe(2)))
		Do(e.plain("window_reset"))
		Expect(e.observe(2)).To(HaveBits(before), "the window, after a window reset")
	})

	It("is cleared by a session reset", Promise("RNG-06"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		e := encoderOn(s, spec.Managed, 2, "")
		for i := range uint64(3) {
			Do(e.push(chunk(s, "bfloat16", i+1, 1)))
		}
		Do(e.plain("session_reset"))
		if n, err := e.integer("encoder_frames", nil); !Refused(err) {
			Expect(n).To(BeZero(), "frames held after a session reset")
		}

		// The next episode starts as one does that nothing came before.
		again, fresh := encoder{e.state, new(bool)}, encoderOn(s, spec.Managed, 2, "")
		first := chunk(s, "bfloat16", 7, 1)
		Do(again.push(first))
		Do(fresh.push(first))
		for n := 1; n <= 2; n++ {
			due, err := fresh.observe(n)
			if Refused(err) {
				continue // what becomes of a window that is not full yet is RNG-09's to ask
			}
			Expect(again.observe(n)).To(HaveBits(Bits(due)), "a window of %d, one frame after a session reset, against a new session", n)
		}
	})
}

// twoWindows is what a model's window may be, and what two of them may do.
func twoWindows(open Open) {
	for _, window := range []int{0, -1, -7} {
		It(fmt.Sprintf("is not made with a window of %d", window), Promise("RNG-11"), func(ctx SpecContext) {
			s := open.Subject(ctx)
			m := Must(s.NewManager(spec.ManagerSpec{}))
			model, err := s.NewModel(spec.ModelSpec{Model: "dreamzero", Path: spec.Managed, Window: &window, Manager: m})
			if Refused(err) {
				return
			}
			// The state is where an implementation may make its ring.
			Expect(Refused(Error(model.Open("a")))).To(BeTrue(), "a state with a window of %d was refused, at the model or at its opening", window)
		})
	}

	DescribeTable("of one session never gives two windows what it does not hold", Promise("RNG-12"),
		func(ctx SpecContext, first, second int) {
			s := open.Subject(ctx)
			m := Must(s.NewManager(spec.ManagerSpec{}))
			one := opened(modelOn(s, spec.Managed, first, "", m), "a")
			history := encoderOn(s, spec.Bespoke, max(first, second), "")
			push := func(to encoder, seed uint64) {
				c := chunk(s, "bfloat16", seed, 1)
				Do(to.push(c))
				Do(history.push(c))
			}
			for seed := range uint64(6) {
				push(one, seed)
			}
			two, refused := secondAdapter(s, m, second)
			if refused {
				return
			}
			read := func(when string) {
				for i, e := range []encoder{one, two} {
					for n := 1; n <= max(first, second); n++ {
						got, err := e.observe(n)
						if Refused(err) {
							continue
						}
						Expect(got).To(HaveBits(Bits(Must(history.observe(n)))),
							"a window of %d through adapter %d of two, of windows %d and %d, %s", n, i+1, first, second, when)
					}
				}
			}
			read("as it was opened")
			for seed := range uint64(6) {
				push(two, 10+seed)
			}
			read("after six frames through it")
		},
		Entry("when the second one is wider", 1, 4),
		Entry("when the second one is narrower", 4, 1),
		Entry("when both are several", 2, 3),
	)
}

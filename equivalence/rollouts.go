package equivalence

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"

	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// moves is how long a generated rollout is.
const moves = 120

// rollouts are whole rollouts of one session, of any mix of resets.
func rollouts(open Open) {
	for window := 1; window <= 4; window++ {
		for q, quant := range []string{"identity", "pointwise"} {
			It(fmt.Sprintf("gives the same bits at every step of a rollout, with a window of %d and the %s quantiser", window, quant),
				Promise("EQV-06"), func(ctx SpecContext) {
					s := open.Subject(ctx)
					for i, dtype := range latentDTypes(s) {
						for k := range 2 {
							number := 16*window + 8*q + 2*i + k
							rollout(s, options{window: window, quant: quant}, dtype, number)
						}
					}
				})
		}
	}

	It("gives the same bits at every step of a long rollout, past the size at which a library may change its kernel",
		Promise("EQV-06"), func(ctx SpecContext) {
			s := open.Subject(ctx)
			length := longest
			if claimed := s.Hello().Lengths; claimed > 0 {
				length = min(length, claimed)
			}
			for _, dtype := range latentDTypes(s) {
				long(s, dtype, length)
			}
			Note("%d latent frames of %v, 1×%d×1×%d×%d, on as many threads as the subject takes by itself", length, latentDTypes(s), channels, height, width)
		})
}

// rollout makes the moves of a generated rollout on both paths.
func rollout(s *op.Client, o options, dtype string, k int) {
	GinkgoHelper()
	p := opened(s, o)
	p.made = append(p.made, fmt.Sprintf("(rollout %d of seed %d, window %d, %s quantiser, latents of %s)", k, GinkgoRandomSeed(), o.window, o.quant, dtype))
	p.agree(generate(GinkgoRandomSeed(), k, moves, o.window, dtype)...)
	p.decided()
	p.letGo()
}

// A long rollout, and the latent frames in it: of as many channels and as high as
// the shipped ones, which with 15 of them pass the size at which torch 2.6 takes
// another float32 kernel on several threads. Width has no part in that.
const (
	longest                 = 48
	channels, height, width = 32, 44, 2
)

// long brings both paths one latent frame after the other, and reads each window
// of a few of them: the bespoke path quantises all of its history each time.
func long(s *op.Client, dtype string, length int) {
	GinkgoHelper()
	p := opened(s, options{window: 2, quant: "pointwise"})
	frame := func(seed uint64) content { return tensor(dtype, seed, 1, channels, 1, height, width) }
	p.agree(seed(frame(1)))
	for n := 2; n <= length; n++ {
		p.agree(appendChunk(frame(uint64(n))))
		if n%6 == 0 || n == length || n >= 14 && n <= 16 {
			p.agree(observe(2))
		}
	}
	p.decided()
	p.letGo()
}

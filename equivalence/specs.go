package equivalence

import (
	. "github.com/onsi/ginkgo/v2"

	. "github.com/statespec/statespec/spec/suite"
)

// Specs registers the specs of EQV for whatever an opener opens.
func Specs(open Open) {
	Describe("DreamZero on both paths", func() {
		frames(open)
		latents(open)
		encoder(open)
		resets(open)
		reasons(open)
		rollouts(open)

		sessions(open)
		processes(open)
		devices(open)

		bits(open)
		refusals(open)
		aliasing(open)
		holders(open)
	})
	Describe("Cosmos3's conditioning", func() {
		conditioning(open)
		branches(open)
		captures(open)
		partial(open)
	})
}

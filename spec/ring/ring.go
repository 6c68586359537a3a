// Package ring holds the specs of RNG: what a buffer that is bounded in frames
// keeps, what may be read from it, and what it costs.
//
// Rows of the manager are asked of both rings that a subject may have: a latent
// buffer bounded in frames, and the encoder output behind the managed state of
// DreamZero (type asked). The history that a ring must agree with is kept beside
// it: as bytes for a buffer, by the bespoke path for DreamZero.
//
// Not here: bounds in payloads (package object), and all else that the two paths
// have in common (package equivalence).
package ring

import (
	. "github.com/onsi/ginkgo/v2"

	. "github.com/statespec/statespec/spec/suite"
)

// Specs registers the specs of RNG for the subjects that open starts.
func Specs(open Open) {
	Describe("A ring of frames", func() {
		retention(open)
		windows(open)
		again(open)
		overReads(open)
		shapes(open)
		memory(open)
		pins(open)
	})
	Describe("DreamZero's encoder ring", func() {
		padding(open)
		resets(open)
		twoWindows(open)
		quantiser(open)
		costs(open)
	})
	Describe("DreamZero's stitched frames", func() { stitched(open) })
}

// Package environment holds the specs of ENV and OFF: what turns the manager on,
// what sets its cap, and what a model does that nobody turned it on for.
//
// A spec starts its subject in an environment of the feature's two variables and
// asks what the process would do with a configuration (Resolve), what a manager
// does that was made without a cap, and which path a model takes.
//
// Not here: how a subject gets its environment (packages driver and op), and what
// both paths must have in common (package equivalence).
package environment

import (
	. "github.com/onsi/ginkgo/v2"

	. "github.com/statespec/statespec/spec/suite"
)

// Specs registers the specs of ENV and OFF for the subjects that open starts.
func Specs(open Open) {
	Describe("The switch", func() {
		words(open)
		config(open)
		noWords(open)
	})
	Describe("The cap variable", func() {
		caps(open)
		unusableCaps(open)
		spellings(open)
	})
	Describe("A deploy config", func() { loader(open) })
	Describe("A process", func() { processes(open) })
	Describe("A model with the manager off", func() { off(open) })
}

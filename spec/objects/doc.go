// Package objects holds the specs of the family OBJ: what one state object does
// from its making to its end, and how a session finds it. Each spec is asked of
// every kind of object that the subject names, by that kind's declared semantics.
//
// Not here: what objects count (family ACC), windows of frames (family RNG), and
// what a model does with its objects (families ATT and EQV).
package objects

import (
	. "github.com/onsi/ginkgo/v2"

	. "github.com/statespec/statespec/spec/suite"
)

// Specs registers the specs of OBJ.
func Specs(open Open) {
	Describe("A state object", func() {
		allocation(open)
		negativeBounds(open)
		commits(open)
		retention(open)
		smallBounds(open)
		extends(open)
		release(open)
		unallocated(open)
		views(open)
		staging(open)
		recomputation(open)
		uniformity(open)
	})
	Describe("A session's objects", func() {
		names(open)
		getOrCreate(open)
		sessionReset(open)
	})
}

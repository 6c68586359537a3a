// Package accounting holds the specs of ACC: what a manager's statistics say of
// the bytes that its sessions hold.
//
// A spec makes values of sizes that tell apart ([small], [medium], [big]), lets go of
// everything that is not meant to be held, and compares one total: a wrong sum
// then says which storage was left out, counted twice or counted by its elements.
// Specs register themselves for an opener:
//
//	accounting.Specs(open)
//
// Not here: what an object says of its own bytes when it is evicted or reset
// (OBJ), whether statistics hold while others write (EVI), that a ring's bytes do
// not grow (RNG).
package accounting

import (
	. "github.com/onsi/ginkgo/v2"

	. "github.com/statespec/statespec/spec/suite"
)

// Specs registers the specs of ACC for the subjects that open starts.
func Specs(open Open) {
	Describe("Byte accounting", func() {
		devices(open)
		storages(open)
		views(open)
		aliases(open)
		buckets(open)
		sessions(open)
		changes(open)
		growth(open)
		counting(open)
		containers(open)
		arrays(open)
		orders(open)
		unmeasured(open)
		cycles(open)
		depth(open)
		nothing(open)
		staging(open)
		shipped(open)
		encoder(open)
		host(open)
		released(open)
		waiting(open)
	})
}

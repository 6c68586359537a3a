package eviction

import (
	. "github.com/onsi/ginkgo/v2"

	. "github.com/statespec/statespec/spec/suite"
)

// Specs registers the specs of EVI for whatever an opener opens.
func Specs(open Open) {
	Describe("Eviction", func() {
		capacity(open)
		recency(open)
		replacement(open)

		holder(open)
		objects(open)
		comeback(open)
		reclaim(open)

		counter(open)
		budget(open)
		identity(open)
		isolation(open)

		concurrency(open)
		linearizability(open)
		counted(open)
		statsUnderLoad(open)
		figure(open)

		drop(open)
		raise(open)
		admission(open)
		continuation(open)

		adapter(open)
		pipeline(open)
	})
}

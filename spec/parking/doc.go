// Package parking holds the specs of PRK: what a manager promises that moves an
// idle session's bytes from a device to the host and back, and what a planner that
// frees memory may take.
//
// Parking is asked on every device that the subject names beside the host, a
// planner on the host as well. Specs register themselves for an opener:
//
//	parking.Specs(open)
//
// Not here: what evict says that it released (ACC), that eviction leaves
// attributes alone (ATT).
package parking

import (
	. "github.com/onsi/ginkgo/v2"

	. "github.com/statespec/statespec/spec/suite"
)

// Specs registers the specs of PRK for the subjects that open starts.
func Specs(open Open) {
	Describe("Parking", func() {
		moving(open)
		reading(open)
		planning(open)
	})
}

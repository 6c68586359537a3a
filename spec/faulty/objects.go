package faulty

import "slices"

// objects holds faults of state objects and their lifecycle, alone and in a session.
func objects() []Fault {
	return slices.Concat(allocations(), commits(), retentions(), bounds(), extends(), resets(), evicts(),
		unallocated(), views(), staging(), recomputations(), names(), sessionResets(), uniformity())
}

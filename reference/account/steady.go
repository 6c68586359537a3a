package account

import (
	"cmp"
	"slices"
)

// A Steady Holder can be kept still while others are walked beside it, so that
// the figure of all of them is one that they had at one moment. Whoever
// freezes several does it with FreezeAll, or two could wait for each other.
// The type that implements it is a pointer.
type Steady interface {
	Holder
	Freeze()                     // no change begins until Thaw
	VisitFrozen(visit func(any)) // VisitHeld between the two
	Thaw()
}

// FreezeAll freezes holders in one order, the same for every caller, each of
// them once. It sorts and shortens the slice and returns it, to be thawed.
func FreezeAll(holders []Steady) []Steady {
	order := func(a, b Steady) int { return cmp.Compare(uintptr(identity(a)), uintptr(identity(b))) }
	slices.SortFunc(holders, order)
	holders = slices.CompactFunc(holders, func(a, b Steady) bool { return a == b })
	for _, h := range holders {
		h.Freeze()
	}
	return holders
}

// ThawAll ends what FreezeAll began.
func ThawAll(holders []Steady) {
	for _, h := range holders {
		h.Thaw()
	}
}

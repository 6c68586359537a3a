package suite

import (
	"slices"

	"github.com/statespec/statespec/spec"
)

// Room is how many payloads of one frame an object of [Roomy] keeps at least.
const Room = 8

// Roomy is an object of a kind that keeps all that a spec brings it, up to
// [Room] payloads of one frame each: unbounded where its kind can be, else
// bounded in a unit that the kind declares, payloads before frames. The bound is
// small since a kind may set aside memory for all of it.
//
// Not for specs of what a bound of their own does.
func Roomy(k spec.KindInfo) spec.ObjectSpec {
	o := spec.ObjectSpec{Kind: k.Kind}
	switch {
	case len(k.Bounds) == 0 || slices.Contains(k.Bounds, spec.Unbounded):
	case slices.Contains(k.Bounds, spec.Payloads):
		o.Bound = spec.Bound{Unit: spec.Payloads, N: Room}
	default:
		o.Bound = spec.Bound{Unit: k.Bounds[0], N: Room}
	}
	return o
}

package rollout

import (
	"fmt"
	"strings"

	"github.com/statespec/statespec/reference/dtype"
)

// A Fault is a way in which libraries make the quantiser's sums depend on how
// many frames it is given. Both paths have it alike; it shows on the bespoke
// one, which quantises its whole history, and never on the managed one, whose
// ring stays below the size where the order changes.
type Fault string

// The faults.
const (
	NoFault Fault = ""

	// OrderBySize is torch 2.6's on two or more threads: it takes another
	// float32 kernel where the product of the first four of five dimensions
	// (width is not among them) passes 20,480. The other kernel sums the two
	// halves of the channels apart. In bfloat16 the rounding hides it.
	OrderBySize Fault = "order-by-size"

	// SplitRounded is cuBLAS's reduced-precision reduction: where the sum is
	// split, the parts are rounded to bfloat16 before they are joined.
	SplitRounded Fault = "split-rounded"
)

// Faults returns them, NoFault not among them.
func Faults() []Fault { return []Fault{OrderBySize, SplitRounded} }

// FaultNamed returns the fault of a name; an empty one is NoFault.
func FaultNamed(name string) (Fault, error) {
	names := make([]string, 0, 2)
	for _, f := range append(Faults(), NoFault) {
		if string(f) == name {
			return f, nil
		}
		names = append(names, string(f))
	}
	return NoFault, fmt.Errorf("fault %q: there are %s", name, strings.Join(names[:len(names)-1], ", "))
}

// wide says whether a library takes its other kernel for a tensor
// (N, C, T, H, W): the product leaves the width out.
func wide(shape []int, switchAt int) bool {
	return shape[0]*shape[1]*shape[2]*shape[3] > switchAt
}

// join joins the sums of the two halves of the channels, of which the first
// began with the bias.
func (f Fault) join(first, second float32) float32 {
	if f == SplitRounded {
		first, second = roundedAny(first), roundedAny(second)
	}
	return first + second
}

// roundedAny is rounded for any float32.
func roundedAny(f float32) float32 { return dtype.Float32FromBFloat16(dtype.BFloat16FromFloat32(f)) }

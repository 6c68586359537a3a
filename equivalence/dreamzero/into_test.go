package dreamzero_test

import (
	"testing"

	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/tensor"
)

// A buffer of the caller's holds what a new tensor would, and where it does not fit
// the call has not happened.
func TestFramesAreAccumulatedIntoTheCallersBuffer(t *testing.T) {
	own, into := managed(t, 2), managed(t, 2)
	one, four := filled(t, dtype.UInt8, 9, 1, 6, 8, 3), filled(t, dtype.UInt8, 9, 4, 6, 8, 3)
	for call, frames := range []*tensor.Tensor{
		filled(t, dtype.UInt8, 1, 6, 8, 3), filled(t, dtype.UInt8, 2, 2, 6, 8, 3), filled(t, dtype.UInt8, 3, 0, 9, 9, 9),
		filled(t, dtype.UInt8, 4, 6, 6, 8, 3), filled(t, dtype.UInt8, 5, 1, 6, 8, 3),
	} {
		buffer, other := four, one
		if call == 0 {
			buffer, other = one, four
		}
		for what, wrong := range map[string]*tensor.Tensor{
			"that is none": nil, "of another length": other, "of another dtype": must[*tensor.Tensor](t)(tensor.New(dtype.Int8, buffer.Shape()...)),
		} {
			wantRefusal(t, "AccumulateFramesInto() a buffer "+what, into.AccumulateFramesInto(wrong, frames), fault.ErrInvalidArgument)
		}
		want := must[*tensor.Tensor](t)(own.AccumulateFrames(frames))
		do(t, into.AccumulateFramesInto(buffer, frames))
		wantSame(t, "AccumulateFramesInto()", buffer, want)
	}
	wantRefusal(t, "AccumulateFramesInto() of no frame", managed(t, 2).AccumulateFramesInto(one, filled(t, dtype.UInt8, 1, 0, 6, 8, 3)), fault.ErrNotReady)
}

package tensor

import (
	"math"
	"math/bits"
	"slices"

	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/fault"
)

// maxBytes is the address space of the machines this runs on: 47 bits, or all
// of a 32-bit int. Go would panic above it; a shape that asks for more is a
// mistake and gets an error.
const maxBytes = math.MaxInt >> (16 * (^uint(0) >> 63))

// product multiplies two counts that are not negative, and says when the
// result does not fit in an int.
func product(a, b int) (int, bool) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	return int(lo), hi == 0 && lo <= math.MaxInt
}

// volume returns the number of elements of a shape, refusing negative lengths
// and shapes of more than maxBytes bytes. A zero anywhere makes it empty.
func volume(dt dtype.DType, shape []int) (int, error) {
	if !dt.Valid() {
		return 0, fault.New(fault.ErrInvalidArgument, "tensor of %v: no such dtype", dt)
	}
	n := 1
	for _, d := range shape {
		if d < 0 {
			return 0, fault.New(fault.ErrInvalidArgument, "tensor of shape %v: %d is negative", slices.Clone(shape), d)
		}
	}
	if slices.Contains(shape, 0) {
		return 0, nil
	}
	for _, d := range shape {
		var fits bool
		if n, fits = product(n, d); !fits || n > maxBytes/dt.Size() {
			return 0, fault.New(fault.ErrInvalidArgument, "tensor of shape %v and %v: more than %d bytes", slices.Clone(shape), dt, maxBytes)
		}
	}
	return n, nil
}

// rowMajor writes the strides of a compact tensor of this shape.
func rowMajor(strides, shape []int) {
	n := 1
	for i := len(shape) - 1; i >= 0; i-- {
		strides[i] = n
		n *= max(shape[i], 1)
	}
}

// reach returns one more than the highest element index that a view touches,
// or false when it overflows.
func reach(shape, strides []int, offset int) (int, bool) {
	last := offset
	for i, d := range shape {
		if d == 0 {
			return offset, true
		}
		step, fits := product(d-1, strides[i])
		if !fits || step > math.MaxInt-1-last {
			return 0, false
		}
		last += step
	}
	return last + 1, true
}

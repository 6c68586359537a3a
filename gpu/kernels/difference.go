package kernels

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/statespec/statespec/reference/fault"
)

// DifferenceBytes is the size of a Difference in device memory.
const DifferenceBytes = 16

// A Difference is where two arrays differ in their bits: the index of the first
// element that does, -1 where none does, and the number of those that do.
type Difference struct{ First, Count int }

// CallDifference compares n elements of 1, 2, 4 or 8 bytes at a and b, and writes
// to result, which has to hold what DifferenceStart gives. It reads eight bytes at a
// time where a and b are both multiples of eight.
func CallDifference(result, a, b uintptr, n, size int) (Call, error) {
	if !slices.Contains([]int{1, 2, 4, 8}, size) {
		return Call{}, fault.New(fault.ErrInvalidArgument, "difference of elements of %d bytes: 1, 2, 4 or 8", size)
	}
	if _, err := elements("difference", n, size); err != nil {
		return Call{}, err
	}
	return call(DifferenceKernel, n*size/8+1, uint64(result), uint64(a), uint64(b), uint64(n), uint64(size)), nil
}

// DifferenceStart returns what has to be at the result before a call: no difference.
// Several calls may then add to one count, and the first is the lowest of theirs.
func DifferenceStart() []byte {
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, math.MaxUint64), 0)
}

// DecodeDifference reads a result.
func DecodeDifference(b []byte) (Difference, error) {
	if len(b) != DifferenceBytes {
		return Difference{}, fault.New(fault.ErrInvalidArgument, "difference in %d bytes: want %d", len(b), DifferenceBytes)
	}
	first, count := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
	if (first == math.MaxUint64) != (count == 0) {
		return Difference{}, fault.New(fault.ErrInvalidArgument, "difference with %d elements, the first at %#x: was DifferenceStart written before the call?", count, first)
	}
	return Difference{int(first), int(count)}, nil // no difference is -1
}

// Compare is the comparison in Go.
func Compare(a, b []byte, size int) (Difference, error) {
	if !slices.Contains([]int{1, 2, 4, 8}, size) || len(a) != len(b) || len(a)%size != 0 {
		return Difference{}, fault.New(fault.ErrInvalidArgument, "compare %d bytes with %d in elements of %d: want the same number, of elements of 1, 2, 4 or 8", len(a), len(b), size)
	}
	d := Difference{First: -1}
	for i := 0; i < len(a); i += size {
		if !slices.Equal(a[i:i+size], b[i:i+size]) {
			if d.Count == 0 {
				d.First = i / size
			}
			d.Count++
		}
	}
	return d, nil
}

// Package dtype names the element types of tensors, with their sizes and the
// bfloat16 conversions that the numerics rest on. It does no arithmetic and
// knows nothing of shapes or memory.
package dtype

import (
	"fmt"

	"github.com/statespec/statespec/reference/fault"
)

// A DType is the type of one element. The zero DType is Bool.
type DType uint8

// The element types, in the order of All.
const (
	Bool DType = iota
	UInt8
	Int8
	UInt16
	Int16
	UInt32
	Int32
	UInt64
	Int64
	Float16
	BFloat16
	Float32
	Float64
	Complex64
	Complex128
	count
)

// Names are torch's, so that a manifest reads the same on both sides.
var names = [count]string{"bool", "uint8", "int8", "uint16", "int16", "uint32", "int32",
	"uint64", "int64", "float16", "bfloat16", "float32", "float64", "complex64", "complex128"}

var sizes = [count]int{1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 2, 4, 8, 8, 16}

// Valid reports whether d is one of the constants.
func (d DType) Valid() bool { return d < count }

// Size returns the bytes of one element, 0 for a DType that is none of the constants.
func (d DType) Size() int {
	if !d.Valid() {
		return 0
	}
	return sizes[d]
}

// String returns torch's name of the type: "bfloat16".
func (d DType) String() string {
	if !d.Valid() {
		return fmt.Sprintf("dtype(%d)", uint8(d))
	}
	return names[d]
}

// Parse returns the type of a name that String returns.
func Parse(name string) (DType, error) {
	for d, n := range names {
		if n == name {
			return DType(d), nil
		}
	}
	return 0, fault.New(fault.ErrInvalidArgument, "dtype %q: known are %q", name, names)
}

// All returns every type, smallest constant first, in a new slice.
func All() []DType {
	all := make([]DType, count)
	for i := range all {
		all[i] = DType(i)
	}
	return all
}

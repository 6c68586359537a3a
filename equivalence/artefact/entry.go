package artefact

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/statespec/statespec/equivalence/element"
)

// A Set is what a file holds, in the file's own order. Its arrays read from the
// file, which has to stay open as long.
type Set struct {
	Format  string // "npy", "npz", "safetensors", "torch", "bytes"
	Entries []Entry
}

// A Kind is the kind of a value.
type Kind string

// The kinds. Numbers and texts stand in torch files beside tensors. A container
// without anything in it is a value too; one with something is its parts' names.
const (
	Tensor    Kind = "array"
	Int       Kind = "int"
	Float     Kind = "float"
	Bool      Kind = "bool"
	Text      Kind = "text"
	None      Kind = "none"
	EmptyDict Kind = "empty dict"
	EmptyList Kind = "empty list"
)

// An Entry is one named value. A name is unique in its Set; that of the only value
// of a file may be empty.
type Entry struct {
	Name  string
	Kind  Kind
	Array Array  // of a Tensor
	Text  string // of the other kinds: the value, exact but for the payload of a NaN
	Bits  uint64 // of a Float: as float64
}

// An Order is how a file says that elements follow one another.
type Order uint8

// The orders. One who saves with strides declares none: a view and a copy of equal
// values are equal.
const (
	Undeclared Order = iota
	C                // the last index varies fastest
	Fortran          // the first one does
)

func (o Order) String() string {
	switch o {
	case C:
		return "C"
	case Fortran:
		return "Fortran"
	}
	return "undeclared"
}

// An Array is the place and the form of an array's elements.
type Array struct {
	Type    element.Type
	Big     bool // big-endian
	Shape   []int64
	Strides []int64 // in elements, an axis each; not negative
	Offset  int64   // elements of the source before the first
	Order   Order
	Source  Source
}

// Elements returns the number of elements.
func (a Array) Elements() int64 {
	n := int64(1)
	for _, d := range a.Shape {
		n *= d
	}
	return n
}

// strides are those of a shape without gaps.
func strides(shape []int64, o Order) []int64 {
	s := make([]int64, len(shape))
	step := int64(1)
	for i := range shape {
		axis := len(shape) - 1 - i
		if o == Fortran {
			axis = i
		}
		s[axis] = step
		step *= max(shape[axis], 1)
	}
	return s
}

// Packed reports whether the elements follow one another without gap or overlap,
// and in which order: the axes from the one that varies slowest. Axes of one index
// come first, since they may stand anywhere.
func (a Array) Packed() (axes []int, ok bool) {
	var long []int
	for i, d := range a.Shape {
		if d == 1 {
			axes = append(axes, i)
		} else {
			long = append(long, i)
		}
	}
	slices.SortStableFunc(long, func(i, j int) int { return cmp.Compare(a.Strides[j], a.Strides[i]) })
	step := int64(1)
	for _, axis := range slices.Backward(long) {
		if a.Strides[axis] != step && a.Elements() > 0 {
			return nil, false
		}
		step *= a.Shape[axis]
	}
	return append(axes, long...), true
}

// An Error is what makes a file unreadable.
type Error struct {
	Name string // of the file
	Part string // of it: a member, a tensor; may be empty
	Why  string
}

func (e *Error) Error() string {
	if e.Part == "" {
		return fmt.Sprintf("%s: %s", e.Name, e.Why)
	}
	return fmt.Sprintf("%s: %q: %s", e.Name, e.Part, e.Why)
}

// Bytes is a file of any kind as one array of its bytes.
func Bytes(r io.ReaderAt, size int64) *Set {
	u8, _ := element.Named("uint8")
	return &Set{Format: "bytes", Entries: []Entry{{Kind: Tensor, Array: Array{
		Type: u8, Shape: []int64{size}, Strides: []int64{1}, Source: section{r, 0, size},
	}}}}
}

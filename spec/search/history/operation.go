package history

import (
	"slices"
	"strconv"
	"strings"

	"github.com/statespec/statespec/spec"
)

// Operation is one line of a history. A verb uses the fields that its form in
// [Forms] names; the others are zero.
type Operation struct {
	Make string // the slot of what is made; empty: let go of at once
	Verb string
	On   string // the slot of what is asked

	ID     *string  // of a session; nil: a request that names none
	Name   string   // of an object or an attribute
	From   []string // slots of what is handed over
	Keys   []string // of a map, one for each of From
	Kind   spec.ObjectKind
	Bound  spec.Bound
	DType  string
	Shape  []int
	Seed   uint64
	Ints   []int  // a cap; an index; axis, start and length
	Text   string // of a text
	Array  bool   // a host array
	Odd    bool   // bits that arithmetic would change
	Refuse bool   // new sessions at the cap
	Budget *int64 // in bytes
	Staged bool   // a view includes what is staged
}

// A Sort is what a slot holds: the first letter of its name.
type Sort byte

const (
	Manager Sort = 'm'
	Session Sort = 'h'
	Object  Sort = 'o'
	Value   Sort = 'v'
)

// String is the sort in words.
func (s Sort) String() string {
	switch s {
	case Manager:
		return "manager"
	case Session:
		return "held session"
	case Object:
		return "object"
	case Value:
		return "value"
	}
	return "slot"
}

// SortOf is what a slot of a name holds.
func SortOf(slot string) Sort {
	if slot == "" {
		return 0
	}
	return Sort(slot[0])
}

// Slot is the n-th slot of a sort.
func Slot(s Sort, n int) string { return string(rune(s)) + strconv.Itoa(n) }

// DefaultID is the id that a request means which names none.
const DefaultID = "default"

// Slots are those that the operation needs to be there.
func (o Operation) Slots() []string {
	if o.On == "" {
		return o.From
	}
	return append([]string{o.On}, o.From...)
}

// Attributes are declared by every manager of a history, with what they read as
// before they are written: x, y and z as nothing, n as the integer 7, pending as
// an empty list.
func Attributes() []spec.AttrDecl {
	return []spec.AttrDecl{
		{Name: "x", Default: spec.Nothing()}, {Name: "y", Default: spec.Nothing()}, {Name: "z", Default: spec.Nothing()},
		{Name: "n", Default: spec.Int(7)}, {Name: "pending", Default: spec.List()},
	}
}

// isSlot says whether a word is the name of a slot.
func isSlot(word string) bool {
	return len(word) >= 2 && len(word) <= 12 && strings.ContainsRune("mhov", rune(word[0])) && word[1] != '0' &&
		!strings.ContainsFunc(word[1:], func(r rune) bool { return r < '0' || r > '9' })
}

// isName says whether a word can name an object or an attribute.
func isName(word string) bool {
	if word == "" || len(word) > 32 || word[0] < 'a' || word[0] > 'z' {
		return false
	}
	return !strings.ContainsFunc(word, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '_'
	})
}

// dtypes are what a tensor of a history can be made of, and the bytes of an
// element.
var dtypes = map[string]int{"uint8": 1, "int8": 1, "int16": 2, "bfloat16": 2, "float16": 2, "float32": 4, "int32": 4,
	"float64": 8, "int64": 8, "complex64": 8, "bool": 1}

// ElementSize is the bytes of an element of a dtype; 0 for one that histories do
// not have.
func ElementSize(dtype string) int { return dtypes[dtype] }

// MaxElements bounds the tensors of a history: a reading carries their bytes.
const MaxElements = 1 << 14

// kinds of object that a history can make.
var kinds = []spec.ObjectKind{spec.LatentBuffer, spec.EncodeOnceKV, spec.Spy}

// Fields are the names of n fields of a record.
func Fields(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = strings.Repeat("f", 1+i/20) + string(rune('f'+i%20))
	}
	return names
}

func isKind(word string) bool { return slices.Contains(kinds, spec.ObjectKind(word)) }

package spec

// Value is anything that a session can carry: a tensor, a view of one, a
// container of them, a scalar, or a thing that no accounting can measure.
type Value interface {
	// Read returns the content, bit for bit.
	Read() (Reading, error)

	// Edit changes the thing itself, as a caller who still holds it can: it
	// overwrites a tensor's elements, or changes a container. Immutable where
	// the language has no way to (a tuple).
	Edit(Edit) error

	Handle
}

// A ValueKind is a type of value.
type ValueKind string

const (
	KindNone     ValueKind = "none"
	KindBool     ValueKind = "bool"
	KindInt      ValueKind = "int"
	KindFloat    ValueKind = "float" // as 16 hex digits of its bits
	KindText     ValueKind = "text"
	KindTensor   ValueKind = "tensor"
	KindArray    ValueKind = "array" // a host array: memory that is no tensor
	KindList     ValueKind = "list"
	KindTuple    ValueKind = "tuple"
	KindMap      ValueKind = "map"
	KindMapKey   ValueKind = "map-key" // in Holds and Blind: a tensor as a map's key
	KindSet      ValueKind = "set"
	KindRecord   ValueKind = "record"   // a type with named fields
	KindInstance ValueKind = "instance" // an object of some class, with attributes
	KindStored   ValueKind = "stored"   // a state object, as a value
	KindOpaque   ValueKind = "opaque"   // holds storage that cannot be measured
	KindSource   ValueKind = "source"   // yields payloads, and fails [extend-iterable]
)

// ValueKinds lists every kind of value.
func ValueKinds() []ValueKind {
	return []ValueKind{KindNone, KindBool, KindInt, KindFloat, KindText, KindTensor, KindArray, KindList, KindTuple,
		KindMap, KindMapKey, KindSet, KindRecord, KindInstance, KindStored, KindOpaque, KindSource}
}

// Edit is one change to a value, from the functions below.
type Edit struct {
	Do   string  `json:"do"` // "refill", "append", "replace", "clear"
	Seed uint64  `json:"seed,omitempty"`
	At   int     `json:"at,omitempty"`
	With []Value `json:"-"`
}

// Refill overwrites every element of a tensor or array from a seed.
func Refill(seed uint64) Edit { return Edit{Do: "refill", Seed: seed} }

// Append adds a value to the end of a list, or to a set or map (under a key of
// the subject's choice).
func Append(v Value) Edit { return Edit{Do: "append", With: []Value{v}} }

// Replace puts a value in the place of a list's i-th.
func Replace(i int, v Value) Edit { return Edit{Do: "replace", At: i, With: []Value{v}} }

// Clear empties a container.
func Clear() Edit { return Edit{Do: "clear"} }

// ReadLimit is the most bytes that a Reading carries; larger tensors answer
// with their digest alone.
const ReadLimit = 64 << 10

// Reading is the content of a value. Tensors answer with a digest always and
// with bytes when they are few; no element is ever written as a decimal. A value
// that contains itself reads as a reading of kind "cycle" where it recurs.
type Reading struct {
	Kind   ValueKind `json:"kind"`
	DType  string    `json:"dtype,omitempty"`
	Shape  []int     `json:"shape,omitempty"`
	Device string    `json:"device,omitempty"`
	SHA256 string    `json:"sha256,omitempty"` // of the row-major little-endian bytes
	Bytes  []byte    `json:"bytes,omitempty"`  // when at most ReadLimit
	Int    int64     `json:"int,omitempty"`
	Text   string    `json:"text,omitempty"`
	Fields []string  `json:"fields,omitempty"`
	Items  []Reading `json:"items,omitempty"` // of a map: key, value, key, value, in key order
}

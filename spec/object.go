package spec

// ObjectSpec says what state object to make.
type ObjectSpec struct {
	Kind   ObjectKind `json:"kind"`
	Bound  Bound      `json:"bound,omitzero"`
	Source Object     `json:"-"` // what it can be recomputed from [recompute]; a handle on the wire
}

// An ObjectKind is a type of state object.
type ObjectKind string

const (
	LatentBuffer ObjectKind = "latent-buffer"
	EncodeOnceKV ObjectKind = "encode-once"
	Spy          ObjectKind = "spy" // records the calls it gets [spy]
)

// Bound limits a buffer. The unit matters: a buffer of two payloads keeps two
// chunks however long they are; a ring of two frames keeps two indices of the
// time axis whatever chunks brought them.
type Bound struct {
	Unit BoundUnit `json:"unit,omitempty"`
	N    int       `json:"n,omitempty"`
	Axis int       `json:"axis,omitempty"` // the time axis, for Frames
}

// A BoundUnit is what a bound counts.
type BoundUnit string

const (
	Unbounded BoundUnit = ""
	Payloads  BoundUnit = "payloads"
	Frames    BoundUnit = "frames"
)

// Object is one state object, held.
type Object interface {
	// Allocate makes the object usable and empty, with a new bound.
	Allocate(Bound) error

	// Commit stores payloads in order. One is an append, several an extend,
	// none promotes what is staged [stage-promote]. A payload of kind source
	// is an extend from an iterable that fails midway [extend-iterable].
	Commit(payloads ...Value) error

	// Stage keeps a payload aside, Discard drops it. [stage]
	Stage(Value) error
	Discard() error

	// View returns what is committed: of an appending kind a list, oldest
	// first, of a replacing kind the payload; with Last, one tensor of the
	// last n frames. Of a buffer bounded in frames the list has one item, all
	// retained frames, or none.
	View(View) (Value, error)

	// Evict releases the storage and returns the bytes freed.
	Evict() (int64, error)

	// Reset returns the object to the unallocated state.
	Reset() error

	// State looks without touching.
	State() (ObjectState, error)

	Handle
}

// View says what part of an object to look at. The zero View is all of it.
type View struct {
	Last   *int `json:"last,omitempty"`   // frames, of a buffer bounded in frames
	Staged bool `json:"staged,omitempty"` // include what is staged [stage-promote]
}

// ObjectState is what can be seen of an object from outside.
type ObjectState struct {
	Resident     bool             `json:"resident"`
	Recomputable bool             `json:"recomputable"`
	Len          int              `json:"len"` // payloads, or frames when bounded in frames
	Bytes        map[string]int64 `json:"bytes"`
	Calls        []string         `json:"calls,omitempty"` // of a spy, in order
}

// Total is the sum of its bytes over all devices.
func (s ObjectState) Total() (n int64) {
	for _, b := range s.Bytes {
		n += b
	}
	return n
}

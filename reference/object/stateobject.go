package object

import (
	"fmt"

	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/tensor"
)

// A StateObject is one typed unit of session state, implemented by a pointer.
// Every kind answers every operation. An object whose bytes should be counted
// also implements account.Holder, and account.Steady to be counted together
// with others. A kind that embeds one of this package is Steady under that
// one's guard; if it holds more, its VisitHeld calls that one's and names the
// rest, which must change under the guard as well.
type StateObject interface {
	// Allocate makes the object usable and empty, with a new bound. An
	// allocated object starts over. What is staged stays staged.
	Allocate(Bound) error

	// Commit stores payloads, oldest first: an appending kind adds them, a
	// replacing kind keeps the last. None promotes what is staged; with
	// nothing staged that does nothing.
	Commit(payloads ...*tensor.Tensor) error

	// Stage keeps a payload aside; an appending kind after those already
	// staged, a replacing kind in their stead. Discard drops what is staged.
	Stage(*tensor.Tensor) error
	Discard() error

	// View returns what is committed, oldest first, in a new slice.
	View(ViewOptions) ([]*tensor.Tensor, error)

	// Evict releases what is committed and returns the bytes that the object
	// no longer keeps alive. What is staged stays. An object that keeps
	// references cannot know who else holds them: of memory that an attribute,
	// another object or the caller still keeps the figure is an upper bound on
	// what comes free.
	Evict() (int64, error)

	// Reset returns the object to the unallocated state, with nothing staged.
	Reset() error

	// Len returns how much is committed: frames when bounded in frames, else
	// payloads.
	Len() int

	// BytesByDevice returns what the object keeps alive, staged payloads included.
	BytesByDevice() map[tensor.Device]int64

	// Resident reports whether what was committed is there to be viewed.
	Resident() bool

	// Recomputable reports whether the object names a source and that source
	// is resident.
	Recomputable() bool
}

// ViewOptions say what View includes. The zero value is what is committed.
type ViewOptions struct {
	Staged bool // what Commit() would promote, too
}

// A Unit is what a bound counts.
type Unit uint8

const (
	Unbounded Unit = iota
	Payloads       // what was committed, however many frames each brought
	Frames         // indices of the time axis, whichever payloads brought them
)

// String returns the unit's name.
func (u Unit) String() string {
	switch u {
	case Unbounded:
		return "unbounded"
	case Payloads:
		return "payloads"
	case Frames:
		return "frames"
	}
	return fmt.Sprintf("unit(%d)", uint8(u))
}

// A Bound limits how much an object keeps: the last N of a unit. N of zero
// keeps nothing. Axis is the time axis, of Frames only. The zero Bound is
// unbounded.
type Bound struct {
	Unit Unit
	N    int
	Axis int
}

// String describes the bound: "2 frames along axis 2".
func (b Bound) String() string {
	switch b.Unit {
	case Unbounded:
		return b.Unit.String()
	case Frames:
		return fmt.Sprintf("%d frames along axis %d", b.N, b.Axis)
	}
	return fmt.Sprintf("%d %v", b.N, b.Unit)
}

// check refuses bounds that mean nothing.
func (b Bound) check(name string) error {
	if b.N < 0 || b.Axis < 0 || b.Unit > Frames {
		return fault.New(fault.ErrInvalidArgument, "allocate %q bounded at %v: a bound is not negative", name, b)
	}
	if b.Unit == Unbounded && b.N != 0 {
		return fault.New(fault.ErrInvalidArgument, "allocate %q unbounded, with N = %d: a bound needs a unit, %v or %v", name, b.N, Payloads, Frames)
	}
	return nil
}

// An Option sets up an object when it is made.
type Option func(*options)

type options struct {
	source     StateObject
	references bool
}

// WithSource names the object that this one can be recomputed from.
func WithSource(source StateObject) Option { return func(o *options) { o.source = source } }

// KeepReferences makes the object keep the very tensors that it was handed
// instead of copies. Then a later write to them shows, and a narrow slice
// counts the whole storage that it pins. What Evict then returns is an upper
// bound: the memory comes free when the last holder lets go. Rings of frames
// always copy.
func KeepReferences() Option { return func(o *options) { o.references = true } }

func collect(opts []Option) (o options) {
	for _, set := range opts {
		set(&o)
	}
	return o
}

func (o *options) recomputable() bool { return o.source != nil && o.source.Resident() }

// accepts refuses a payload that the object could not hold.
func (o *options) accepts(call, name string, payload *tensor.Tensor) error {
	switch {
	case payload == nil:
		return fault.New(fault.ErrInvalidArgument, "%s %q: the payload is nil", call, name)
	case !o.references && !payload.Storage().Readable():
		return fault.New(fault.ErrNotAddressable, "%s %q: cannot copy %v; keep references, or copy it to the host first", call, name, payload)
	}
	return nil
}

// kept returns what the object is to hold for a payload that it accepts: on
// its device, which may have no room for a copy.
func (o *options) kept(payload *tensor.Tensor) (*tensor.Tensor, error) {
	if o.references {
		return payload, nil
	}
	return payload.Copy()
}

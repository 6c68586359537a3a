package faulty

import (
	"sync"

	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
)

// allocations are faults of how an object begins, and begins again.
func allocations() []Fault {
	return []Fault{
		{
			Name: "is resident when new", Breaks: []string{"OBJ-01"},
			Parts: objectsOf(func(o *altered) {
				begun := false
				o.allocate = func(b object.Bound) error {
					err := o.own.Allocate(b)
					begun = begun || err == nil
					return err
				}
				o.resident = func() bool { return !begun || o.own.Resident() }
			}),
		}, {
			Name: "is not resident before its first commit", Breaks: []string{"OBJ-01"},
			Parts: buffers(func(b *alteredBuffer) {
				b.resident = func() bool { return b.own.Resident() && b.own.Len() > 0 }
			}),
		}, {
			Name: "is resident before its first commit", Breaks: []string{"OBJ-01"},
			Parts: onces(func(o *altered) {
				var begun bool
				o.allocate = func(b object.Bound) error {
					err := o.own.Allocate(b)
					begun = err == nil
					return err
				}
				o.evict = func() (int64, error) { begun = false; return o.own.Evict() }
				o.reset = func() error { begun = false; return o.own.Reset() }
				o.resident = func() bool { return begun || o.own.Resident() }
			}),
		}, {
			Name: "shows what another object left until its own first commit", Breaks: []string{"OBJ-01"},
			Parts: startsWithResidue,
		}, {
			Name: "keeps its content when allocated again", Breaks: []string{"OBJ-09"},
			Parts: objectsOf(func(o *altered) {
				o.allocate = func(b object.Bound) error {
					kept := o.payloads()
					if err := o.own.Allocate(b); err != nil || len(kept) == 0 {
						return err
					}
					return o.own.Commit(kept...)
				}
			}),
		}, {
			Name: "keeps its first bound when allocated again", Breaks: []string{"OBJ-09"},
			Parts: buffers(func(b *alteredBuffer) {
				b.allocate = func(bound object.Bound) error {
					if first, allocated := b.own.Bound(); allocated && first.Unit == bound.Unit && bound.N >= 0 {
						bound = first
					}
					return b.own.Allocate(bound)
				}
			}),
		}, {
			Name: "refuses to be allocated again and loses its content", Breaks: []string{"OBJ-09"},
			Parts: buffers(func(b *alteredBuffer) {
				b.allocate = func(bound object.Bound) error {
					first, again := b.own.Bound()
					if !again || bound.N < 0 {
						return b.own.Allocate(bound)
					}
					b.own.Allocate(first)
					return fault.New(fault.ErrInvalidArgument, "allocate %q: it is allocated", b.own.Name())
				}
			}),
		}, {
			Name: "refuses to be allocated again and takes the bound", Breaks: []string{"OBJ-09"},
			Parts: buffers(func(b *alteredBuffer) {
				b.allocate = func(bound object.Bound) error {
					kept := b.payloads()
					_, again := b.own.Bound()
					if err := b.own.Allocate(bound); err != nil || !again {
						return err
					}
					if len(kept) > 0 {
						b.own.Commit(kept...)
					}
					return fault.New(fault.ErrInvalidArgument, "allocate %q: it is allocated", b.own.Name())
				}
			}),
		},
	}
}

// block is how many bytes the shared memory of startsWithResidue has.
const block = 4096

// startsWithResidue is a subject whose buffers share memory that nobody clears:
// one that is allocated shows what was committed last to any other.
func startsWithResidue() subject.Parts {
	var left struct {
		sync.Mutex
		by      *alteredBuffer
		content *tensor.Tensor
	}
	return subject.Parts{StateObject: buffersOf(func(b *alteredBuffer) {
		var residue *tensor.Tensor
		b.allocate = func(bound object.Bound) error {
			left.Lock()
			defer left.Unlock()
			if residue = nil; left.by != b && bound.Unit != object.Frames {
				residue = left.content
			}
			return b.own.Allocate(bound)
		}
		b.commit = func(ps ...*tensor.Tensor) error {
			left.Lock()
			defer left.Unlock()
			if residue = nil; len(ps) > 0 && ps[len(ps)-1].NumBytes() <= block {
				left.by, left.content = b, ps[len(ps)-1].Clone()
			}
			return b.own.Commit(ps...)
		}
		b.view = func(o object.ViewOptions) ([]*tensor.Tensor, error) {
			held, err := b.own.View(o)
			if err == nil && residue != nil {
				held = append([]*tensor.Tensor{residue}, held...)
			}
			return held, err
		}
	})}
}

package faulty

import (
	"iter"
	"slices"
	"sync"

	"github.com/statespec/statespec/reference/account"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
	"github.com/statespec/statespec/spec"
)

// An altered object is one of the reference of which a fault has replaced some
// operations. They begin as the reference's own, which stays under own; a fault
// calls that one, and never the altered object itself. One operation runs at a
// time, so that a fault may remember things in plain variables.
type altered struct {
	own  known
	kind spec.ObjectKind

	allocate     func(object.Bound) error
	commit       func(...*tensor.Tensor) error
	stage        func(*tensor.Tensor) error
	discard      func() error
	view         func(object.ViewOptions) ([]*tensor.Tensor, error)
	evict        func() (int64, error)
	reset        func() error
	len          func() int
	bytes        func() map[tensor.Device]int64
	resident     func() bool
	recomputable func() bool

	// hidden is what it keeps beside its own content, for the accounting: it
	// runs under the guard, and locks nothing.
	hidden func(visit func(any))

	mu sync.Mutex
}

// parts make what differs from the reference, for one subject.
type parts = func() subject.Parts

// known is an object that the accounting sees into.
type known interface {
	object.StateObject
	object.Parker
	account.Steady
}

// An alteredBuffer is an altered latent buffer.
type alteredBuffer struct {
	altered
	own    *object.LatentBuffer
	last   func(n int) (*tensor.Tensor, error)
	extend func(iter.Seq2[*tensor.Tensor, error]) error
}

// buffers is a subject whose latent buffers are altered, in the same way each.
func buffers(change func(*alteredBuffer)) func() subject.Parts {
	return func() subject.Parts { return subject.Parts{StateObject: buffersOf(change)} }
}

// buffersOf is the part of buffers, for a fault that has others too.
func buffersOf(change func(*alteredBuffer)) func(spec.ObjectKind, object.StateObject) object.StateObject {
	return func(_ spec.ObjectKind, made object.StateObject) object.StateObject {
		own, ok := made.(*object.LatentBuffer)
		if !ok {
			return made
		}
		b := &alteredBuffer{own: own, last: own.Last, extend: own.Extend}
		b.altered.begin(own, spec.LatentBuffer)
		change(b)
		return b
	}
}

// onces is a subject whose encode-once objects are altered.
func onces(change func(*altered)) func() subject.Parts {
	return func() subject.Parts {
		return subject.Parts{StateObject: func(_ spec.ObjectKind, made object.StateObject) object.StateObject {
			own, ok := made.(*object.EncodeOnce)
			if !ok {
				return made
			}
			e := &altered{}
			e.begin(own, spec.EncodeOnceKV)
			change(e)
			return e
		}}
	}
}

// objectsOf is a subject whose objects of either kind are altered.
func objectsOf(change func(*altered)) func() subject.Parts {
	return func() subject.Parts {
		ofBuffers, ofOnces := buffersOf(func(b *alteredBuffer) { change(&b.altered) }), onces(change)().StateObject
		return subject.Parts{StateObject: func(kind spec.ObjectKind, made object.StateObject) object.StateObject {
			return ofOnces(kind, ofBuffers(kind, made))
		}}
	}
}

func (a *altered) begin(own known, kind spec.ObjectKind) {
	a.own, a.kind = own, kind
	a.allocate, a.commit, a.stage, a.discard = own.Allocate, own.Commit, own.Stage, own.Discard
	a.view, a.evict, a.reset, a.len = own.View, own.Evict, own.Reset, own.Len
	a.bytes, a.resident, a.recomputable = own.BytesByDevice, own.Resident, own.Recomputable
	a.hidden = func(func(any)) {}
}

// inTurn lets one operation run at a time.
func (a *altered) inTurn() func() {
	a.mu.Lock()
	return a.mu.Unlock
}

func (a *altered) Kind() spec.ObjectKind             { return a.kind }
func (a *altered) Allocate(b object.Bound) error     { defer a.inTurn()(); return a.allocate(b) }
func (a *altered) Commit(ps ...*tensor.Tensor) error { defer a.inTurn()(); return a.commit(ps...) }
func (a *altered) Stage(p *tensor.Tensor) error      { defer a.inTurn()(); return a.stage(p) }
func (a *altered) Discard() error                    { defer a.inTurn()(); return a.discard() }
func (a *altered) Evict() (int64, error)             { defer a.inTurn()(); return a.evict() }
func (a *altered) Reset() error                      { defer a.inTurn()(); return a.reset() }
func (a *altered) Len() int                          { defer a.inTurn()(); return a.len() }
func (a *altered) Resident() bool                    { defer a.inTurn()(); return a.resident() }
func (a *altered) Recomputable() bool                { defer a.inTurn()(); return a.recomputable() }
func (a *altered) Park() (int64, error)              { defer a.inTurn()(); return a.own.Park() }
func (a *altered) Unpark() (int64, error)            { defer a.inTurn()(); return a.own.Unpark() }
func (a *altered) Parked() bool                      { defer a.inTurn()(); return a.own.Parked() }

func (a *altered) BytesByDevice() map[tensor.Device]int64 { defer a.inTurn()(); return a.bytes() }
func (a *altered) Guard() *sync.Mutex                     { return a.own.Guard() }
func (a *altered) VisitHeld(visit func(any))              { a.own.VisitHeld(visit); a.hidden(visit) }

func (a *altered) View(o object.ViewOptions) ([]*tensor.Tensor, error) {
	defer a.inTurn()()
	return a.view(o)
}

func (b *alteredBuffer) Last(n int) (*tensor.Tensor, error) { defer b.inTurn()(); return b.last(n) }

func (b *alteredBuffer) Extend(source iter.Seq2[*tensor.Tensor, error]) error {
	defer b.inTurn()()
	return b.extend(source)
}

// unit is what the buffer is bounded in, Unbounded when it is not allocated.
func (b *alteredBuffer) unit() object.Unit {
	bound, _ := b.own.Bound()
	return bound.Unit
}

// payloads are copies of what is committed, for a fault to put back.
func (a *altered) payloads() []*tensor.Tensor {
	held, err := a.own.View(object.ViewOptions{})
	if err != nil {
		return nil // not allocated: it holds none
	}
	return copies(held)
}

func copies(ts []*tensor.Tensor) []*tensor.Tensor {
	ts = slices.Clone(ts)
	for i, t := range ts {
		ts[i] = t.Clone()
	}
	return ts
}

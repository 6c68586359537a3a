package object

import (
	"iter"
	"sync"

	"github.com/statespec/statespec/reference/account"
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/tensor"
)

// A LatentBuffer accumulates payloads. Unbounded it keeps all of them; bounded
// at N payloads the last N committed; bounded at N frames it is a ring that
// owns its memory and keeps the last N indices of the time axis, whichever
// payloads brought them.
//
// A ring of up to four frames owns exactly N frames, a longer one 2N, from the
// first frame on and however long the session. What View and Last return of a
// ring is borrowed: the next commit overwrites it. Clone it for a snapshot. In
// the other bounds the buffer never writes to what it returned.
type LatentBuffer struct {
	name string
	opts options

	mu       sync.Mutex
	state    state
	bound    Bound
	payloads []*tensor.Tensor // unless bounded in frames
	ring     frameRing        // when bounded in frames
	staged   []*tensor.Tensor
	parked   bool // some of it waits on the host
}

// A state is where an object is in its life.
type state uint8

const (
	unallocated state = iota
	allocated
	evicted
)

// NewLatentBuffer returns an unallocated buffer. The name is for its errors.
func NewLatentBuffer(name string, opts ...Option) *LatentBuffer {
	return &LatentBuffer{name: name, opts: collect(opts)}
}

// Name returns the name it was made with.
func (b *LatentBuffer) Name() string { return b.name }

// Bound returns the bound, false when the buffer is not allocated.
func (b *LatentBuffer) Bound() (Bound, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.bound, b.state == allocated
}

// Allocate makes the buffer usable and empty, with a new bound.
func (b *LatentBuffer) Allocate(bound Bound) error {
	if err := bound.check(b.name); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.release(allocated)
	b.bound, b.ring = bound, frameRing{n: bound.N, axis: bound.Axis}
	return nil
}

// release lets go of what is committed.
func (b *LatentBuffer) release(next state) {
	b.state, b.bound, b.payloads, b.ring = next, Bound{}, nil, frameRing{}
}

// usable refuses a call on a buffer that is not allocated, and brings back what
// is parked.
func (b *LatentBuffer) usable(call string) error {
	switch b.state {
	case allocated:
		_, err := b.unpark()
		return err
	case evicted:
		return evictedError(call, b.name)
	}
	return fault.New(fault.ErrNotAllocated, "%s %q: it is not allocated", call, b.name)
}

// Append commits one payload. In steady state a ring allocates nothing for it.
func (b *LatentBuffer) Append(payload *tensor.Tensor) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.append(payload)
}

func (b *LatentBuffer) append(payload *tensor.Tensor) error {
	if err := b.usable("append to"); err != nil {
		return err
	}
	if b.bound.Unit == Frames {
		if err := b.ring.fits("append to", b.name, payload); err != nil {
			return err
		}
		return b.ring.push(payload)
	}
	if err := b.opts.accepts("append to", b.name, payload); err != nil {
		return err
	}
	kept, err := b.opts.kept(payload)
	if err != nil {
		return err
	}
	b.keep(kept)
	return nil
}

// keep adds a payload that is the buffer's own and drops the oldest beyond
// the bound.
func (b *LatentBuffer) keep(payload *tensor.Tensor) {
	b.payloads = append(b.payloads, payload)
	if over := len(b.payloads) - b.bound.N; b.bound.Unit == Payloads && over > 0 {
		kept := copy(b.payloads, b.payloads[over:])
		clear(b.payloads[kept:])
		b.payloads = b.payloads[:kept]
	}
}

// Commit appends payloads, all of them or none. Without one it promotes what
// is staged.
func (b *LatentBuffer) Commit(payloads ...*tensor.Tensor) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch len(payloads) {
	case 0:
		return b.promote()
	case 1:
		return b.append(payloads[0])
	}
	if err := b.accepts("append to", payloads); err != nil {
		return err
	}
	if b.bound.Unit == Frames {
		return b.pushAll(payloads)
	}
	if b.bound.Unit == Payloads { // those that would be dropped again are not copied
		payloads = payloads[max(0, len(payloads)-b.bound.N):]
	}
	copies := make([]*tensor.Tensor, len(payloads))
	for i, p := range payloads {
		var err error
		if copies[i], err = b.opts.kept(p); err != nil {
			return err
		}
	}
	for _, c := range copies {
		b.keep(c)
	}
	return nil
}

// pushAll appends payloads that fit to the ring.
func (b *LatentBuffer) pushAll(payloads []*tensor.Tensor) error {
	payloads, err := b.ring.detached(payloads)
	if err != nil {
		return err
	}
	for _, p := range payloads {
		if err := b.ring.push(p); err != nil {
			return err
		}
	}
	return nil
}

// accepts refuses payloads of which one would be refused. In a ring that has
// no shape yet the first that brings frames gives it.
func (b *LatentBuffer) accepts(call string, payloads []*tensor.Tensor) error {
	if err := b.usable(call); err != nil {
		return err
	}
	var like *tensor.Tensor
	for _, p := range payloads {
		if b.bound.Unit != Frames {
			if err := b.opts.accepts(call, b.name, p); err != nil {
				return err
			}
			continue
		}
		if err := b.ring.fits(call, b.name, p); err != nil {
			return err
		}
		if like == nil && p.Dim(b.bound.Axis) > 0 {
			like = p
		}
		switch {
		case like == nil:
		case like.DType() != p.DType():
			return fault.New(fault.ErrTypeMismatch, "%s %q: %v after %v", call, b.name, p, like)
		case !sameFrames(p, like.Shape(), b.bound.Axis):
			return fault.New(fault.ErrShapeMismatch, "%s %q: %v after %v", call, b.name, p, like)
		}
	}
	return nil
}

func (b *LatentBuffer) promote() error {
	if err := b.accepts("commit to", b.staged); err != nil {
		return err
	}
	for _, p := range b.staged {
		if b.bound.Unit != Frames {
			b.keep(p)
		} else if err := b.ring.push(p); err != nil {
			return err
		}
	}
	b.staged = nil
	return nil
}

// Extend appends the payloads of a source. When the source fails, or brings a
// payload that is refused, what came before stays appended; the error says how
// many that were and wraps the cause, as ErrSource when the source failed. The
// buffer is not locked while the source works.
func (b *LatentBuffer) Extend(payloads iter.Seq2[*tensor.Tensor, error]) error {
	b.mu.Lock()
	err := b.usable("extend")
	b.mu.Unlock()
	if err != nil {
		return err
	}
	n := 0
	for p, failure := range payloads {
		if failure != nil {
			return fault.Because(fault.ErrSource, failure, "extend %q: its source failed after %d payloads, which are kept: %v", b.name, n, failure)
		}
		if err := b.Append(p); err != nil {
			return fault.New(err, "extend %q: payload %d was refused, the %d before it are kept: %v", b.name, n, n, err)
		}
		n++
	}
	return nil
}

// Stage keeps a payload aside, after those already staged.
func (b *LatentBuffer) Stage(payload *tensor.Tensor) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.usable("stage to"); err != nil {
		return err
	}
	if b.bound.Unit == Frames {
		if err := b.ring.fits("stage to", b.name, payload); err != nil {
			return err
		}
	}
	if err := b.opts.accepts("stage to", b.name, payload); err != nil {
		return err
	}
	kept, err := b.opts.kept(payload)
	if err != nil {
		return err
	}
	b.staged = append(b.staged, kept)
	return nil
}

// Discard drops what is staged.
func (b *LatentBuffer) Discard() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.staged = nil
	return nil
}

// View returns what is committed, oldest first: the payloads, or of a ring one
// tensor of all frames that it has (none while it has none). With Staged, the
// staged payloads follow.
func (b *LatentBuffer) View(o ViewOptions) ([]*tensor.Tensor, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.usable("view"); err != nil {
		return nil, err
	}
	view := make([]*tensor.Tensor, 0, len(b.payloads)+len(b.staged)+1)
	view = append(view, b.payloads...)
	if b.ring.len > 0 {
		frames, err := b.ring.last(b.ring.len)
		if err != nil {
			return nil, err
		}
		view = append(view, frames)
	}
	if o.Staged {
		view = append(view, b.staged...)
	}
	return view, nil
}

// Last returns the last n frames of a ring as one view: the payloads' shape
// with n along the time axis, over one storage, without a gather or, in
// steady state, an allocation. More than the ring can retain is ErrOverRead;
// more than it has got so far ErrNotReady, since what to pad with is the
// reader's affair.
func (b *LatentBuffer) Last(n int) (*tensor.Tensor, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.usable("view"); err != nil {
		return nil, err
	}
	if err := b.readable(n); err != nil {
		return nil, err
	}
	return b.ring.last(n)
}

// readable refuses a read of n frames that the ring has not.
func (b *LatentBuffer) readable(n int) error {
	switch {
	case n <= 0:
		return fault.New(fault.ErrInvalidArgument, "view last %d of %q: at least 1", n, b.name)
	case b.bound.Unit != Frames:
		return fault.New(fault.ErrInvalidArgument, "view last %d of %q: it is bounded at %v, not in frames", n, b.name, b.bound)
	case n > b.bound.N:
		return fault.New(fault.ErrOverRead, "view last %d of %q: ring retains %d", n, b.name, b.bound.N)
	case n > b.ring.len:
		return fault.New(fault.ErrNotReady, "view last %d of %q: %d so far", n, b.name, b.ring.len)
	}
	return nil
}

// Evict releases what is committed and returns the bytes freed.
func (b *LatentBuffer) Evict() (int64, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	before := account.Measure(b.payloads, b.ring.st, b.staged).Total
	if b.state == allocated {
		b.release(evicted)
	}
	return before - account.Measure(b.payloads, b.ring.st, b.staged).Total, nil
}

// Reset returns to the unallocated state, with nothing staged.
func (b *LatentBuffer) Reset() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.release(unallocated)
	b.staged = nil
	return nil
}

// Len returns the frames of a ring, else the payloads.
func (b *LatentBuffer) Len() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.bound.Unit == Frames {
		return b.ring.len
	}
	return len(b.payloads)
}

// BytesByDevice returns the bytes kept alive, staged included; of a ring its
// whole storage.
func (b *LatentBuffer) BytesByDevice() map[tensor.Device]int64 { return account.Measure(b).ByDevice }

// Resident reports whether the buffer is allocated, empty or not.
func (b *LatentBuffer) Resident() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.state == allocated
}

// Recomputable reports whether it names a source that is resident.
func (b *LatentBuffer) Recomputable() bool { return b.opts.recomputable() }

// Guard returns the lock under which the buffer changes, for the accounting to
// keep it still. Whoever holds it must not call the buffer.
func (b *LatentBuffer) Guard() *sync.Mutex { return &b.mu }

// VisitHeld names payloads, ring and staged payloads to the accounting, which holds the guard.
func (b *LatentBuffer) VisitHeld(visit func(any)) {
	for _, p := range b.payloads {
		visit(p)
	}
	visit(b.ring.st)
	for _, p := range b.staged {
		visit(p)
	}
}

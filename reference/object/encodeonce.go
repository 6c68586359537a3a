package object

import (
	"sync"

	"github.com/statespec/statespec/reference/account"
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/tensor"
)

// An EncodeOnce holds conditioning that is encoded once and reread: a commit
// replaces what was there. It is resident from the first commit on, which
// allocates it when nobody has. It is unbounded or bounded at payloads, one or
// more, which is the same: it keeps the newest.
type EncodeOnce struct {
	name string
	opts options

	mu        sync.Mutex
	allocated bool
	evicted   bool // what was committed has been evicted, and nothing came since
	committed *tensor.Tensor
	staged    *tensor.Tensor
	parked    bool // some of it waits on the host
}

// NewEncodeOnce returns an unallocated object. The name is for its errors.
func NewEncodeOnce(name string, opts ...Option) *EncodeOnce {
	return &EncodeOnce{name: name, opts: collect(opts)}
}

// Name returns the name it was made with.
func (e *EncodeOnce) Name() string { return e.name }

// Allocate makes the object usable and empty; it is not resident yet.
func (e *EncodeOnce) Allocate(b Bound) error {
	if err := b.check(e.name); err != nil {
		return err
	}
	if b.Unit == Frames || b.Unit == Payloads && b.N == 0 {
		return fault.New(fault.ErrInvalidArgument, "allocate %q bounded at %v: it keeps the newest payload", e.name, b)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.allocated, e.evicted, e.committed = true, false, nil
	return nil
}

// Commit replaces what is committed by the last payload; without one it
// promotes what is staged.
func (e *EncodeOnce) Commit(payloads ...*tensor.Tensor) error {
	for _, p := range payloads {
		if err := e.opts.accepts("commit to", e.name, p); err != nil {
			return err
		}
	}
	var kept *tensor.Tensor
	if n := len(payloads); n > 0 {
		var err error
		if kept, err = e.opts.kept(payloads[n-1]); err != nil {
			return err
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if kept == nil {
		if _, err := e.unpark(); err != nil {
			return err
		}
		kept, e.staged = e.staged, nil
	}
	if kept != nil {
		e.allocated, e.evicted, e.committed = true, false, kept
	}
	return nil
}

// Stage keeps a payload aside, in the stead of one already staged.
func (e *EncodeOnce) Stage(payload *tensor.Tensor) error {
	if err := e.opts.accepts("stage to", e.name, payload); err != nil {
		return err
	}
	kept, err := e.opts.kept(payload)
	if err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.staged = kept
	return nil
}

// Discard drops what is staged.
func (e *EncodeOnce) Discard() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.staged = nil
	return nil
}

// View returns the committed payload, or with Staged what a promotion would
// make of it. Nothing to return is ErrNotReady before the first commit,
// ErrNotResident after an eviction, ErrNotAllocated before Allocate.
func (e *EncodeOnce) View(o ViewOptions) ([]*tensor.Tensor, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, err := e.unpark(); err != nil {
		return nil, err
	}
	switch {
	case o.Staged && e.staged != nil:
		return []*tensor.Tensor{e.staged}, nil
	case e.committed != nil:
		return []*tensor.Tensor{e.committed}, nil
	case e.evicted:
		return nil, evictedError("view", e.name)
	case !e.allocated:
		return nil, fault.New(fault.ErrNotAllocated, "view %q: it is not allocated", e.name)
	}
	return nil, fault.New(fault.ErrNotReady, "view %q: nothing has been committed yet", e.name)
}

// Evict releases the committed payload and returns the bytes freed.
func (e *EncodeOnce) Evict() (int64, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	before := account.Measure(e.committed, e.staged).Total
	e.evicted = e.evicted || e.committed != nil
	e.allocated, e.committed = false, nil
	return before - account.Measure(e.staged).Total, nil
}

// Reset returns to the unallocated state, with nothing staged.
func (e *EncodeOnce) Reset() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.allocated, e.evicted, e.committed, e.staged = false, false, nil, nil
	return nil
}

// Len returns 1 when a payload is committed, else 0.
func (e *EncodeOnce) Len() int {
	if e.Resident() {
		return 1
	}
	return 0
}

// BytesByDevice returns the bytes kept alive, staged included.
func (e *EncodeOnce) BytesByDevice() map[tensor.Device]int64 { return account.Measure(e).ByDevice }

// Resident reports whether a payload is committed.
func (e *EncodeOnce) Resident() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.committed != nil
}

// Recomputable reports whether it names a source that is resident.
func (e *EncodeOnce) Recomputable() bool { return e.opts.recomputable() }

// Guard returns the lock under which the object changes, for the accounting to
// keep it still. Whoever holds it must not call the object.
func (e *EncodeOnce) Guard() *sync.Mutex { return &e.mu }

// VisitHeld names both payloads to the accounting, which holds the guard.
func (e *EncodeOnce) VisitHeld(visit func(any)) {
	visit(e.committed)
	visit(e.staged)
}

// evictedError refuses work on what an eviction took.
func evictedError(call, name string) error {
	return fault.Also(fault.ErrNotResident, fault.ErrNotAllocated, "%s %q: it was evicted; allocate it again", call, name)
}

package object

import (
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/tensor"
)

// CopyLast copies the last frames of a ring into a tensor: as many as it has along
// the time axis, and else of the payloads' shape and dtype. What Last refuses, it
// does, too.
//
// A ring that is read in no other way between two pushes need not keep its frames
// side by side: a frame then overwrites the oldest, and nothing is shifted.
func (b *LatentBuffer) CopyLast(into *tensor.Tensor) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.usable("view"); err != nil {
		return err
	}
	if into == nil {
		return fault.New(fault.ErrInvalidArgument, "copy the last frames of %q: into a nil tensor", b.name)
	}
	if b.bound.Unit == Frames && b.bound.Axis >= into.Rank() {
		return fault.New(fault.ErrShapeMismatch, "copy the last frames of %q into %v: it has no axis %d, the time axis", b.name, into, b.bound.Axis)
	}
	n := 1
	if b.bound.Unit == Frames {
		n = into.Dim(b.bound.Axis)
	}
	if err := b.readable(n); err != nil {
		return err
	}
	switch {
	case into.DType() != b.ring.dt:
		return fault.New(fault.ErrTypeMismatch, "copy the last frames of %q into %v: the ring holds %v", b.name, into, b.ring.dt)
	case !sameFrames(into, b.ring.shape, b.ring.axis):
		return fault.New(fault.ErrShapeMismatch, "copy the last frames of %q into %v: the ring holds %v along axis %d", b.name, into, b.ring.shape, b.ring.axis)
	}
	return b.ring.copyLast(into)
}

// A ring of exactly n frames may be turned: its oldest frame is at r.head, and the
// others follow round the end. Where it is not, r.head is 0.

// turns says whether the next frame overwrites the oldest: on the host, where a ring
// that somebody does want to view can be turned back without asking for memory that
// may not be there.
func (r *frameRing) turns() bool {
	return r.copied && r.len == r.n && r.capacity == r.n && r.st.Bytes() != nil
}

// turnBack puts the frames side by side, oldest first.
func (r *frameRing) turnBack() {
	if r.head == 0 {
		return
	}
	all := r.st.Bytes()
	cut := r.head * r.frameBytes
	oldestLast := append([]byte(nil), all[:cut]...)
	copy(all, all[cut:])
	copy(all[len(all)-cut:], oldestLast)
	r.head = 0
}

// copyLast copies as many of the last frames as a tensor takes, in two parts where
// they go round the end.
func (r *frameRing) copyLast(into *tensor.Tensor) error {
	if r.torn != nil {
		return r.torn
	}
	r.copied = true
	n := into.Dim(r.axis)
	first := r.end - n // of a ring that is not turned
	if r.head > 0 {
		first = (r.head + r.n - n) % r.n
	}
	for done := 0; done < n; {
		run := n - done
		if r.head > 0 {
			run = min(run, r.n-first)
		}
		from, err := r.view(window{first, run})
		if err != nil {
			return err
		}
		to, err := into.Narrow(r.axis, done, run)
		if err != nil {
			return err
		}
		if err := to.CopyFrom(from); err != nil {
			return err
		}
		done, first = done+run, 0
	}
	return nil
}

package object

import (
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/tensor"
)

// Stitch appends a frame that its producer writes where the ring keeps it, which
// saves the copy: write gets a tensor of one frame, of undefined content, and must
// not keep it. The first frames of a ring have to be appended, since they say what a
// frame is: ErrNotReady before. When write fails, nothing is appended, and of a full
// ring the oldest frame is lost, whose place it was. The buffer is locked meanwhile.
func (b *LatentBuffer) Stitch(write func(frame *tensor.Tensor) error) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.usable("stitch to"); err != nil {
		return err
	}
	switch {
	case b.bound.Unit != Frames:
		return fault.New(fault.ErrInvalidArgument, "stitch to %q: it is bounded at %v, not in frames", b.name, b.bound)
	case b.ring.st == nil:
		return fault.New(fault.ErrNotReady, "stitch to %q: no frame was appended yet, of which the shape would be known", b.name)
	}
	return b.ring.stitch(write)
}

func (r *frameRing) stitch(write func(frame *tensor.Tensor) error) error {
	if r.torn != nil {
		return r.torn
	}
	turned, mirrored := r.turns(), r.capacity > r.n
	at := r.head
	switch {
	case mirrored:
		at = r.n + r.end%r.n
	case !turned:
		r.turnBack()
		if r.torn = r.shift(1); r.torn != nil {
			return r.torn
		}
		at = r.end
	}
	frame, err := r.view(window{at, 1})
	if err == nil {
		err = write(frame)
	}
	if turned {
		r.head = (r.head + 1) % r.n
	}
	if err != nil {
		r.dropOldest(turned, mirrored)
		return err
	}
	if mirrored {
		r.torn = r.st.CopyWithin((at-r.n)*r.frameBytes, at*r.frameBytes, r.frameBytes)
	}
	if !turned {
		r.end, r.len = at+1, min(r.len+1, r.n)
	}
	return r.torn
}

// dropOldest leaves out the frame in whose place another was not written: the last
// one of a turned ring by now, the first of a mirrored one; a shift had dropped it.
func (r *frameRing) dropOldest(turned, mirrored bool) {
	if turned {
		r.turnBack()
		r.end, r.len = r.n-1, r.n-1
	}
	if mirrored {
		r.len = min(r.len, r.n-1)
	}
}

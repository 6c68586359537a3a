package object

import (
	"slices"

	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/tensor"
)

// shiftUpTo is the bound up to which a ring of n frames owns exactly n and
// shifts them when a frame comes. Above it n copies cost more than the memory:
// the ring owns 2n frames and writes each twice, n apart, so that wherever the
// newest lies the last n lie side by side behind it. Sliding through 2n would
// move n-1 frames at once every n pushes, at half as much again on average.
const shiftUpTo = 4

// A frameRing keeps the last n frames along an axis, in one storage of its
// own on the device of the first payload, oldest first and side by side. A frame is every other axis, row-major;
// so a window of frames is one strided view, whatever comes before the time
// axis. The zero capacity of frames is there until the first push decides
// shape and dtype.
type frameRing struct {
	n, axis int

	dt         dtype.DType
	shape      []int // of a window of n frames, which is the payloads' but for the axis
	strides    []int // of any window, in elements
	frameBytes int
	capacity   int // in frames
	st         *tensor.Storage
	end, len   int  // the frames held are those before slot end
	head       int  // the oldest one's slot, where the ring is turned
	copied     bool // what was read since the last push was copied, not viewed

	views map[window]*tensor.Tensor // headers handed out, to be handed out again

	// torn is why the device stopped in the middle of a push. What is held is
	// then of no moment at all, and nothing reads it any more.
	torn error
}

// A window is a run of frames in the storage.
type window struct{ start, len int }

// fits refuses a payload that is not made of the ring's frames.
func (r *frameRing) fits(call, name string, p *tensor.Tensor) error {
	switch {
	case p == nil:
		return fault.New(fault.ErrInvalidArgument, "%s %q: the payload is nil", call, name)
	case r.axis >= p.Rank():
		return fault.New(fault.ErrShapeMismatch, "%s %q: %v has no axis %d, its time axis", call, name, p, r.axis)
	case !p.Storage().Readable():
		return fault.New(fault.ErrNotAddressable, "%s %q: cannot copy %v into the ring; copy it to the host first", call, name, p)
	case r.st == nil:
		return nil
	case p.Device() != r.st.Device():
		return fault.New(fault.ErrTypeMismatch, "%s %q: %v, the ring is on %s; copy it there first", call, name, p, r.st.Device())
	case p.DType() != r.dt:
		return fault.New(fault.ErrTypeMismatch, "%s %q: %v, the ring holds %v", call, name, p, r.dt)
	case !sameFrames(p, r.shape, r.axis):
		return fault.New(fault.ErrShapeMismatch, "%s %q: %v, the ring holds %v along axis %d", call, name, p, r.shape, r.axis)
	}
	return nil
}

// sameFrames reports whether a payload has the shape, the time axis apart.
func sameFrames(p *tensor.Tensor, shape []int, axis int) bool {
	if p.Rank() != len(shape) {
		return false
	}
	for i, d := range shape {
		if i != axis && p.Dim(i) != d {
			return false
		}
	}
	return true
}

// settle takes shape and dtype of the frames from the first payload that
// brings any, and allocates. A ring that no memory could hold is refused.
func (r *frameRing) settle(p *tensor.Tensor) error {
	capacity := r.n
	if r.n > shiftUpTo {
		capacity = 2 * r.n
	}
	shape := p.Shape()
	slots, err := tensor.NewOn(p.Storage().Allocator(), p.DType(), slices.Insert(slices.Delete(slices.Clone(shape), r.axis, r.axis+1), 0, capacity)...)
	if err != nil {
		return err
	}
	strides := slices.Delete(slots.Strides(), 0, 1)
	perFrame := slots.NumElements() / capacity
	shape[r.axis] = r.n
	r.dt, r.shape, r.strides = p.DType(), shape, slices.Insert(strides, r.axis, perFrame)
	r.capacity, r.frameBytes = capacity, perFrame*r.dt.Size()
	r.st, r.views = slots.Storage(), map[window]*tensor.Tensor{}
	return nil
}

// push writes the frames of a payload that fits. Of more than n frames only
// the last n are written; of none, nothing changes.
func (r *frameRing) push(p *tensor.Tensor) error {
	if r.torn != nil {
		return r.torn
	}
	total := p.Dim(r.axis)
	brought := min(total, r.n)
	if brought == 0 {
		return nil
	}
	if r.st == nil {
		if err := r.settle(p); err != nil {
			return err
		}
	}
	if p.Storage().Overlaps(r.st) { // a view of the ring itself would move under its own copy
		var err error
		if p, err = p.Copy(); err != nil {
			return err
		}
	}
	r.torn = r.write(p, total-brought, total)
	return r.torn
}

// write puts the frames from one index up to another into their slots. On the
// host it cannot fail.
func (r *frameRing) write(p *tensor.Tensor, from, to int) error {
	if r.turns() {
		for i := from; i < to; i++ {
			if err := r.put(r.head, p, i); err != nil {
				return err
			}
			r.head = (r.head + 1) % r.n
		}
		return nil
	}
	mirrored := r.capacity > r.n
	if !mirrored {
		r.turnBack()
		if err := r.shift(to - from); err != nil {
			return err
		}
	}
	for i := from; i < to; i++ {
		at := r.end
		if mirrored { // round and round the upper half
			at = r.n + r.end%r.n
		}
		if err := r.put(at, p, i); err != nil {
			return err
		}
		if mirrored {
			if err := r.st.CopyWithin((at-r.n)*r.frameBytes, at*r.frameBytes, r.frameBytes); err != nil {
				return err
			}
		}
		r.end, r.len = at+1, min(r.len+1, r.n)
	}
	return nil
}

// put copies one frame of a payload into a slot.
func (r *frameRing) put(slot int, p *tensor.Tensor, i int) error {
	if b := r.st.Bytes(); b != nil {
		p.CopyIndex(b[slot*r.frameBytes:(slot+1)*r.frameBytes], r.axis, i)
		return nil
	}
	frame, err := p.Select(r.axis, i)
	if err != nil {
		return err
	}
	strides := slices.Delete(slices.Clone(r.strides), r.axis, r.axis+1)
	place, err := tensor.Of(r.st, r.dt, frame.Shape(), strides, slot*r.strides[r.axis])
	if err != nil {
		return err
	}
	return place.CopyFrom(frame)
}

// detached returns payloads that are to be pushed one after the other, with
// copies in the stead of those that the push of an earlier one would change.
func (r *frameRing) detached(payloads []*tensor.Tensor) (_ []*tensor.Tensor, err error) {
	copied := false
	for i, p := range payloads {
		if r.st == nil || !p.Storage().Overlaps(r.st) {
			continue
		}
		if !copied {
			payloads, copied = slices.Clone(payloads), true
		}
		if payloads[i], err = p.Copy(); err != nil {
			return nil, err
		}
	}
	return payloads, nil
}

// shift drops the frames that brought ones push out of a ring of exactly n.
func (r *frameRing) shift(brought int) error {
	keep := min(r.len, r.n-brought)
	if drop := r.len - keep; drop > 0 {
		if err := r.moveDown(keep, drop); err != nil {
			return err
		}
	}
	r.end, r.len = keep, keep
	return nil
}

// column is as much of each frame as is moved at once: what is read for one frame is
// still in the nearest cache when the next is written over it.
const column = 16 << 10

// moveDown moves frames from drop slots above to the first slots. Frame by frame,
// oldest first, no copy overlaps itself: a device can do it without a place to put
// things aside.
func (r *frameRing) moveDown(frames, drop int) error {
	size := r.frameBytes
	b := r.st.Bytes()
	step := column
	if frames == 1 {
		step = size
	}
	for at := 0; b != nil && at < size; at += step {
		n := min(step, size-at)
		for i := range frames {
			copy(b[i*size+at:i*size+at+n], b[(i+drop)*size+at:])
		}
	}
	for i := 0; b == nil && i < frames; i++ {
		if err := r.st.CopyWithin(i*size, (i+drop)*size, size); err != nil {
			return err
		}
	}
	return nil
}

// last returns the last k frames as one view, shaped as the payloads are. The
// header is made once a window.
func (r *frameRing) last(k int) (*tensor.Tensor, error) {
	if r.torn != nil {
		return nil, r.torn
	}
	r.copied = false
	r.turnBack()
	return r.view(window{r.end - k, k})
}

// view is a window of the storage, whatever frames are there.
func (r *frameRing) view(w window) (*tensor.Tensor, error) {
	if v, made := r.views[w]; made {
		return v, nil
	}
	shape := slices.Clone(r.shape)
	shape[r.axis] = w.len
	v, err := tensor.Of(r.st, r.dt, shape, r.strides, w.start*r.strides[r.axis])
	if err != nil {
		return nil, err
	}
	if len(r.views) > 4*r.capacity { // readers that ask for ever other lengths
		clear(r.views)
	}
	r.views[w] = v
	return v, nil
}

package tensor

import (
	"slices"

	"github.com/statespec/statespec/reference/fault"
)

// readable refuses a storage whose elements nobody here can move, or returns nil.
func (t *Tensor) readable(call string) error {
	if t.st.Readable() {
		return nil
	}
	return fault.New(fault.ErrNotAddressable, "%s %v: neither the host nor a device of ours can reach that memory", call, t)
}

// Bytes returns the view's own bytes, row-major and little-endian, without a
// copy; false when the view is not contiguous or not addressable.
func (t *Tensor) Bytes() ([]byte, bool) {
	b := t.st.Bytes()
	if !t.IsContiguous() || b == nil && t.st.size > 0 {
		return nil, false
	}
	if t.n == 0 {
		return nil, true
	}
	size := t.dt.Size()
	return b[t.offset*size : (t.offset+t.n)*size : (t.offset+t.n)*size], true
}

// Contiguous returns t when it is contiguous, else a compact copy. It panics
// where Clone does.
func (t *Tensor) Contiguous() *Tensor {
	if t.IsContiguous() {
		return t
	}
	return t.Clone()
}

// Copy returns a copy over a compact storage of its own on the same device. A
// storage that nobody here can read is ErrNotAddressable; a device may have no
// room, or be lost.
func (t *Tensor) Copy() (*Tensor, error) { return t.CopyOn(t.st.Allocator()) }

// CopyOn is Copy to a device; a nil allocator is the host.
func (t *Tensor) CopyOn(a Allocator) (_ *Tensor, err error) {
	if err := t.readable("copy"); err != nil {
		return nil, err
	}
	t, done := t.still()
	defer release(&err, done)
	st, err := NewStorageOn(a, t.NumBytes())
	if err != nil {
		return nil, err
	}
	c := compact(st, t.dt, t.shape)
	return c, copyElements(c, t)
}

// OnHost returns t when the host can address it, else a copy on the host. What is
// parked is viewed where it is parked, and is not moved back with its storage.
func (t *Tensor) OnHost() (_ *Tensor, err error) {
	t, done := t.still()
	defer release(&err, done)
	if t.st.Addressable() {
		return t, nil
	}
	return t.CopyOn(nil)
}

// Clone is Copy of what the host addresses, which cannot fail. Of anything
// else it panics when Copy fails; callers that take tensors from strangers use
// Copy.
func (t *Tensor) Clone() *Tensor {
	c, err := t.Copy()
	if err != nil {
		panic(err)
	}
	return c
}

// ReadBytes appends the elements, row-major and little-endian, and returns the
// longer slice. It fails where Copy does.
func (t *Tensor) ReadBytes(dst []byte) ([]byte, error) {
	h, err := t.OnHost()
	if err != nil {
		return dst, err
	}
	at := len(dst)
	dst = slices.Grow(dst, h.NumBytes())[:at+h.NumBytes()]
	h.gather(dst[at:], 0, h.offset*h.dt.Size(), -1)
	return dst, nil
}

// AppendBytes is ReadBytes of what the host addresses, which cannot fail. Of
// anything else it panics when ReadBytes fails.
func (t *Tensor) AppendBytes(dst []byte) []byte {
	b, err := t.ReadBytes(dst)
	if err != nil {
		panic(err)
	}
	return b
}

// CopyIndex copies one index of an axis, row-major, to dst and returns the
// bytes written: what Select and AppendBytes would give, without allocating.
// It panics when the index is not there, when dst is too short, and when the
// host cannot address the elements.
func (t *Tensor) CopyIndex(dst []byte, axis, i int) int {
	if i < 0 || i >= t.shape[axis] {
		panic(fault.New(fault.ErrInvalidArgument, "copy index %d on axis %d of %v", i, axis, t))
	}
	t, _ = t.still() // on the host nothing has to be let go
	size := t.dt.Size()
	return t.gather(dst, 0, (t.offset+i*t.strides[axis])*size, axis)
}

// CopyFrom copies the elements of a tensor of the same shape and dtype into
// t's storage, whatever the strides and the device of either. Overlap is
// allowed. A broadcast t has fewer places than elements and is refused.
func (t *Tensor) CopyFrom(src *Tensor) (err error) {
	switch {
	case src == nil:
		return fault.New(fault.ErrInvalidArgument, "copy into %v: no source", t)
	case t.dt != src.dt:
		return fault.New(fault.ErrTypeMismatch, "copy %v into %v: another dtype", src, t)
	case !t.SameShape(src):
		return fault.New(fault.ErrShapeMismatch, "copy %v into %v: another shape", src, t)
	}
	for i, s := range t.strides {
		if s == 0 && t.shape[i] > 1 {
			return fault.New(fault.ErrInvalidArgument, "copy into %v: its axis %d is broadcast", t, i)
		}
	}
	for _, side := range [...]*Tensor{t, src} {
		if err := side.readable("copy"); err != nil {
			return err
		}
	}
	if t.st.Overlaps(src.st) && !(t.IsContiguous() && src.IsContiguous()) {
		if src, err = src.Copy(); err != nil {
			return err
		}
	}
	t, doneTo := t.still()
	defer release(&err, doneTo)
	src, doneFrom := src.still()
	defer release(&err, doneFrom)
	return copyElements(t, src)
}

// copyElements copies between views of the same shape and dtype that do not
// overlap, or are both contiguous, and whose storages do not move.
func copyElements(dst, src *Tensor) error {
	if dst.n == 0 {
		return nil
	}
	if !dst.st.Addressable() || !src.st.Addressable() {
		return copyOnDevice(dst, src)
	}
	copyOnHost(dst, src)
	return nil
}

func copyOnHost(dst, src *Tensor) {
	size := src.dt.Size()
	outer, together := split(dst.shape, min(dst.run(0), src.run(0)))
	p := passage{dst: dst.st.Bytes(), src: src.st.Bytes(), size: size, together: together * size,
		shape: dst.shape[:outer], dstep: dst.strides, step: src.strides}
	p.walk(0, dst.offset*size, src.offset*size)
}

// gather copies the view, or one index of an axis of it, to compact bytes.
// From is the first byte in the storage; skip is the axis left out, or -1.
func (t *Tensor) gather(dst []byte, at, from, skip int) int {
	var dims [3 * inline]int
	shape, strides, compacted := dims[:0:inline], dims[inline:inline:2*inline], dims[2*inline:2*inline:3*inline]
	n := 1
	for i, d := range t.shape {
		if i != skip {
			shape, strides, compacted = append(shape, d), append(strides, t.strides[i]), append(compacted, 0)
			n *= d
		}
	}
	size := t.dt.Size()
	if n == 0 {
		return 0
	}
	_ = dst[at+n*size-1]
	rowMajor(compacted, shape)
	view := Tensor{shape: shape, strides: strides}
	outer, together := split(shape, view.run(0))
	p := passage{dst: dst, src: t.st.Bytes(), size: size, together: together * size,
		shape: shape[:outer], dstep: compacted, step: strides}
	p.walk(0, at, from)
	return n * size
}

// A passage copies between two strided regions: blocks that lie together on
// both sides in one go, the axes outside them by recursion.
type passage struct {
	dst, src           []byte
	size               int   // bytes of an element
	together           int   // bytes of a block
	shape, dstep, step []int // of the axes outside the block; steps in elements
}

// split returns how many leading axes lie outside a run of elements, and the
// elements that the others make up.
func split(shape []int, run int) (outer, together int) {
	outer, together = len(shape), 1
	for outer > 0 && together*shape[outer-1] <= run {
		outer--
		together *= shape[outer]
	}
	return outer, together
}

// walk copies everything from an axis inward. Positions are in bytes.
func (p *passage) walk(axis, to, from int) {
	if axis == len(p.shape) {
		copy(p.dst[to:to+p.together], p.src[from:from+p.together])
		return
	}
	dstep, step := p.dstep[axis]*p.size, p.step[axis]*p.size
	if axis == len(p.shape)-1 && p.together <= 16 {
		p.scatter(p.shape[axis], to, from, dstep, step)
		return
	}
	for range p.shape[axis] {
		p.walk(axis+1, to, from)
		to, from = to+dstep, from+step
	}
}

// scatter copies n small blocks. Fixed lengths compile to single moves.
func (p *passage) scatter(n, to, from, dstep, step int) {
	dst, src := p.dst, p.src
	switch p.together {
	case 1:
		for range n {
			dst[to] = src[from]
			to, from = to+dstep, from+step
		}
	case 2:
		for range n {
			*(*[2]byte)(dst[to:]) = *(*[2]byte)(src[from:])
			to, from = to+dstep, from+step
		}
	case 4:
		for range n {
			*(*[4]byte)(dst[to:]) = *(*[4]byte)(src[from:])
			to, from = to+dstep, from+step
		}
	case 8:
		for range n {
			*(*[8]byte)(dst[to:]) = *(*[8]byte)(src[from:])
			to, from = to+dstep, from+step
		}
	default:
		for range n {
			copy(dst[to:to+p.together], src[from:from+p.together])
			to, from = to+dstep, from+step
		}
	}
}

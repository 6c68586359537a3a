package tensor

import (
	"slices"

	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/fault"
)

// axisError refuses an axis that is not there, or returns nil.
func (t *Tensor) axisError(call string, axis int) error {
	if axis >= 0 && axis < len(t.shape) {
		return nil
	}
	return fault.New(fault.ErrInvalidArgument, "%s axis %d of %v: it has %d axes", call, axis, t, len(t.shape))
}

// view makes a header like t's, to be changed before it is returned.
func (t *Tensor) view() *Tensor {
	v := header(t.st, t.dt, len(t.shape), t.offset)
	v.n = t.n
	copy(v.shape, t.shape)
	copy(v.strides, t.strides)
	return v
}

// Narrow returns the view of length indices of an axis, from start on.
func (t *Tensor) Narrow(axis, start, length int) (*Tensor, error) {
	if err := t.axisError("narrow", axis); err != nil {
		return nil, err
	}
	if d := t.shape[axis]; start < 0 || length < 0 || start > d || length > d-start {
		return nil, fault.New(fault.ErrInvalidArgument, "narrow axis %d of %v to %d from %d: it has %d", axis, t, length, start, d)
	}
	v := t.view()
	v.shape[axis] = length
	v.offset += start * t.strides[axis]
	return v.count(), nil
}

// Select returns the view of one index of an axis, without that axis.
func (t *Tensor) Select(axis, i int) (*Tensor, error) {
	if err := t.axisError("select on", axis); err != nil {
		return nil, err
	}
	if i < 0 || i >= t.shape[axis] {
		return nil, fault.New(fault.ErrInvalidArgument, "select %d on axis %d of %v: it has %d", i, axis, t, t.shape[axis])
	}
	v := header(t.st, t.dt, len(t.shape)-1, t.offset+i*t.strides[axis])
	copy(v.shape[copy(v.shape, t.shape[:axis]):], t.shape[axis+1:])
	copy(v.strides[copy(v.strides, t.strides[:axis]):], t.strides[axis+1:])
	return v.count(), nil
}

// Transpose returns the view with two axes exchanged.
func (t *Tensor) Transpose(a, b int) (*Tensor, error) {
	for _, axis := range [...]int{a, b} {
		if err := t.axisError("transpose", axis); err != nil {
			return nil, err
		}
	}
	v := t.view()
	v.shape[a], v.shape[b] = v.shape[b], v.shape[a]
	v.strides[a], v.strides[b] = v.strides[b], v.strides[a]
	return v, nil
}

// Expand returns the view broadcast to a shape of the same or a higher rank:
// axes of length one are repeated, new axes come in front. Repeated axes have
// stride zero and need no memory.
func (t *Tensor) Expand(shape ...int) (*Tensor, error) {
	lead := len(shape) - len(t.shape)
	if lead < 0 || slices.ContainsFunc(shape, func(d int) bool { return d < 0 }) {
		return nil, fault.New(fault.ErrShapeMismatch, "expand %v to %v: it needs at least its rank, and no negative length", t, slices.Clone(shape))
	}
	v := header(t.st, t.dt, len(shape), t.offset)
	v.n = 1
	copy(v.shape, shape)
	for i, d := range shape {
		var fits bool
		if v.n, fits = product(v.n, d); !fits || v.n > maxBytes/t.dt.Size() {
			return nil, fault.New(fault.ErrInvalidArgument, "expand %v to %v: more than %d bytes to read", t, slices.Clone(shape), maxBytes)
		}
		switch own := i - lead; {
		case own < 0:
		case t.shape[own] == d:
			v.strides[i] = t.strides[own]
		case t.shape[own] != 1:
			return nil, fault.New(fault.ErrShapeMismatch, "expand %v to %v: axis %d has %d, not 1 or %d", t, slices.Clone(shape), own, t.shape[own], d)
		}
	}
	return v, nil
}

// Retype returns the view with its bits read as another dtype. Between types
// of one size any view will do. Otherwise the last axis must be compact, and
// with a wider type its length, the other strides and the offset must divide;
// ErrNotViewable when they do not.
func (t *Tensor) Retype(dt dtype.DType) (*Tensor, error) {
	if !dt.Valid() {
		return nil, fault.New(fault.ErrInvalidArgument, "retype %v to %v: no such dtype", t, dt)
	}
	from, to, last := t.dt.Size(), dt.Size(), len(t.shape)-1
	v := t.view()
	v.dt = dt
	if from == to {
		return v, nil
	}
	if last < 0 || t.strides[last] != 1 && t.shape[last] != 1 {
		return nil, fault.New(fault.ErrNotViewable, "retype %v to %v: its last axis is not compact", t, dt)
	}
	divides := true
	scale := func(elements int) int {
		divides = divides && elements*from%to == 0
		return elements * from / to
	}
	v.shape[last], v.strides[last], v.offset = scale(t.shape[last]), 1, scale(t.offset)
	for i := range last {
		v.strides[i] = scale(t.strides[i])
	}
	if !divides {
		return nil, fault.New(fault.ErrNotViewable, "retype %v with strides %v and offset %d to %v: %d bytes do not divide by %d",
			t, t.Strides(), t.offset, dt, from, to)
	}
	return v.count(), nil
}

// Reshape returns the view with another shape of as many elements. When only
// a copy could have that shape it is ErrNotViewable.
func (t *Tensor) Reshape(shape ...int) (*Tensor, error) {
	n, err := volume(t.dt, shape)
	if err != nil {
		return nil, err
	}
	if n != t.n {
		return nil, fault.New(fault.ErrShapeMismatch, "reshape %v to %v: %d elements, not %d", t, slices.Clone(shape), t.n, n)
	}
	v := header(t.st, t.dt, len(shape), t.offset)
	v.n = n
	copy(v.shape, shape)
	if n == 0 {
		rowMajor(v.strides, v.shape)
		return v, nil
	}
	if !fold(t, v) {
		return nil, fault.New(fault.ErrNotViewable, "reshape %v with strides %v to %v: it needs a copy", t, t.Strides(), slices.Clone(shape))
	}
	return v, nil
}

// fold fills in the strides of v so that it runs through t's elements in t's
// order. It goes through both from the back, one block of t's axes that lie
// together at a time; an axis of v must not straddle two blocks.
func fold(t, v *Tensor) bool {
	to := len(v.shape) - 1
	for from := len(t.shape) - 1; from >= 0; {
		base, block := t.strides[from], t.shape[from]
		for from--; from >= 0; from-- {
			if block != 1 && t.shape[from] != 1 && t.strides[from] != base*block {
				break
			}
			if block == 1 { // axes of length one have no say in the stride
				base = t.strides[from]
			}
			block *= t.shape[from]
		}
		covered := 1
		for ; to >= 0 && (covered < block || v.shape[to] == 1); to-- {
			v.strides[to] = base * covered
			covered *= v.shape[to]
		}
		if covered != block {
			return false
		}
	}
	for ; to >= 0; to-- { // only axes of length one are left
		v.strides[to] = 1
	}
	return true
}

package tensor

import "github.com/statespec/statespec/reference/fault"

// Cat returns the tensors joined along an axis, in order, over a storage of
// its own on their device. They must agree in dtype and device
// (ErrTypeMismatch) and in every other axis (ErrShapeMismatch).
func Cat(axis int, ts ...*Tensor) (*Tensor, error) {
	if len(ts) == 0 {
		return nil, fault.New(fault.ErrInvalidArgument, "cat along axis %d: no tensors", axis)
	}
	first := ts[0]
	if err := first.axisError("cat along", axis); err != nil {
		return nil, err
	}
	shape := first.Shape()
	shape[axis] = 0
	for i, t := range ts {
		switch {
		case t.dt != first.dt:
			return nil, fault.New(fault.ErrTypeMismatch, "cat along axis %d: tensor %d is %v, the first %v", axis, i, t, first)
		case t.Device() != first.Device():
			return nil, fault.New(fault.ErrTypeMismatch, "cat along axis %d: tensor %d is %v, the first %v: copy it there first", axis, i, t, first)
		case !t.joins(first, axis):
			return nil, fault.New(fault.ErrShapeMismatch, "cat along axis %d: tensor %d is %v, the first %v", axis, i, t, first)
		}
		if err := t.readable("cat"); err != nil {
			return nil, err
		}
		shape[axis] += t.shape[axis]
	}
	joined, err := NewOn(first.st.Allocator(), first.dt, shape...)
	if err != nil {
		return nil, err
	}
	part := joined.view()
	for _, t := range ts {
		part.shape[axis] = t.shape[axis]
		if err := copyElements(part.count(), t); err != nil {
			return nil, err
		}
		part.offset += t.shape[axis] * joined.strides[axis]
	}
	return joined, nil
}

// joins reports whether t has o's shape, an axis apart.
func (t *Tensor) joins(o *Tensor, axis int) bool {
	if len(t.shape) != len(o.shape) {
		return false
	}
	for i, d := range t.shape {
		if i != axis && d != o.shape[i] {
			return false
		}
	}
	return true
}

package tensor

import (
	"fmt"
	"slices"

	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/fault"
)

// inline is the rank up to which a header is a single allocation. Video
// latents have rank 5.
const inline = 6

// A Tensor is a strided view of a Storage. The header never changes after it
// was made; the elements are the storage's.
type Tensor struct {
	st      *Storage
	dt      dtype.DType
	offset  int
	n       int
	shape   []int
	strides []int
	dims    [2 * inline]int // where shape and strides lie when they fit
}

// header makes a view with room for its shape and strides, to be filled in by
// the caller before anybody else sees it.
func header(st *Storage, dt dtype.DType, rank, offset int) *Tensor {
	t := &Tensor{st: st, dt: dt, offset: offset}
	if rank <= inline {
		t.shape, t.strides = t.dims[:rank:rank], t.dims[inline:inline+rank:inline+rank]
	} else {
		t.shape, t.strides = make([]int, rank), make([]int, rank)
	}
	return t
}

// count fills in the number of elements. The shape is known to be good.
func (t *Tensor) count() *Tensor {
	t.n = 1
	for _, d := range t.shape {
		t.n *= d
	}
	return t
}

// compact makes a row-major view of the whole of a storage.
func compact(st *Storage, dt dtype.DType, shape []int) *Tensor {
	t := header(st, dt, len(shape), 0)
	copy(t.shape, shape)
	rowMajor(t.strides, shape)
	return t.count()
}

// New returns a zeroed tensor over a storage of its own on the host. No
// dimension is a scalar. Negative lengths and shapes that overflow are
// ErrInvalidArgument.
func New(dt dtype.DType, shape ...int) (*Tensor, error) { return NewOn(nil, dt, shape...) }

// NewOn is New on a device, where the elements are undefined; a nil allocator
// is the host.
func NewOn(a Allocator, dt dtype.DType, shape ...int) (*Tensor, error) {
	n, err := volume(dt, shape)
	if err != nil {
		return nil, err
	}
	st, err := NewStorageOn(a, n*dt.Size())
	if err != nil {
		return nil, err
	}
	return compact(st, dt, shape), nil
}

// FromBytes returns a tensor over a storage of its own that holds a copy of b:
// row-major, little-endian, exactly as many bytes as the shape needs, or
// ErrShapeMismatch.
func FromBytes(dt dtype.DType, b []byte, shape ...int) (*Tensor, error) {
	n, err := volume(dt, shape)
	if err != nil {
		return nil, err
	}
	if len(b) != n*dt.Size() {
		return nil, fault.New(fault.ErrShapeMismatch, "tensor of shape %v and %v from %d bytes: it needs %d",
			slices.Clone(shape), dt, len(b), n*dt.Size())
	}
	t := compact(NewStorage(len(b)), dt, shape)
	copy(t.st.Bytes(), b)
	return t, nil
}

// Of returns a view of a storage. Strides and offset are in elements of dt;
// strides may be zero (the axis is broadcast), not negative. A view that
// reaches past the storage is ErrInvalidArgument.
func Of(st *Storage, dt dtype.DType, shape, strides []int, offset int) (*Tensor, error) {
	if _, err := volume(dt, shape); err != nil {
		return nil, err
	}
	if st == nil || len(shape) != len(strides) || offset < 0 || slices.ContainsFunc(strides, func(s int) bool { return s < 0 }) {
		return nil, fault.New(fault.ErrInvalidArgument, "view of shape %v, strides %v, offset %d: %s", slices.Clone(shape), slices.Clone(strides), offset,
			"it needs a storage, one stride an axis, and no negative stride or offset")
	}
	end, fits := reach(shape, strides, offset)
	if !fits || end > st.size/dt.Size() {
		return nil, fault.New(fault.ErrInvalidArgument, "view of shape %v, strides %v, offset %d: the storage has %d elements of %v",
			slices.Clone(shape), slices.Clone(strides), offset, st.size/dt.Size(), dt)
	}
	t := header(st, dt, len(shape), offset)
	copy(t.shape, shape)
	copy(t.strides, strides)
	return t.count(), nil
}

// DType returns the type of the elements.
func (t *Tensor) DType() dtype.DType { return t.dt }

// Shape returns a copy of the lengths of the axes.
func (t *Tensor) Shape() []int { return slices.Clone(t.shape) }

// Strides returns a copy of the strides, in elements.
func (t *Tensor) Strides() []int { return slices.Clone(t.strides) }

// Offset returns the first element's index in the storage.
func (t *Tensor) Offset() int { return t.offset }

// Rank returns the number of axes.
func (t *Tensor) Rank() int { return len(t.shape) }

// Dim returns the length of one axis. It panics when there is no such axis.
func (t *Tensor) Dim(axis int) int { return t.shape[axis] }

// NumElements returns the product of the shape.
func (t *Tensor) NumElements() int { return t.n }

// NumBytes returns the bytes of the elements that the view shows, which may be
// fewer than its storage keeps alive, or more when it is broadcast.
func (t *Tensor) NumBytes() int { return t.n * t.dt.Size() }

// Storage returns the allocation behind the view.
func (t *Tensor) Storage() *Storage { return t.st }

// Device returns where the storage lies.
func (t *Tensor) Device() Device { return t.st.Device() }

// SameShape reports whether both have the same lengths on every axis.
func (t *Tensor) SameShape(o *Tensor) bool { return slices.Equal(t.shape, o.shape) }

// IsContiguous reports whether the elements lie in row-major order without
// gaps. Axes of length one do not matter; an empty tensor is contiguous.
func (t *Tensor) IsContiguous() bool { return t.n == 0 || t.run(0) == t.n }

// run returns how many elements of the trailing axes, down to axis from, lie
// together in row-major order.
func (t *Tensor) run(from int) int {
	n := 1
	for i := len(t.shape) - 1; i >= from; i-- {
		if t.shape[i] == 1 {
			continue
		}
		if t.strides[i] != n {
			break
		}
		n *= t.shape[i]
	}
	return n
}

// String describes the header: "bfloat16[1 32 2 44 80] on cpu".
func (t *Tensor) String() string { return fmt.Sprintf("%v%v on %s", t.dt, t.shape, t.st.Device()) }

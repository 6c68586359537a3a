package tensor_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/tensor"
)

func TestViewsShareTheirStorageAndReadRight(t *testing.T) {
	v := counting(t, dtype.UInt8, 2, 3, 4)
	view := must[*tensor.Tensor](t)
	for name, c := range map[string]struct {
		got  *tensor.Tensor
		want []byte
	}{
		"narrow":    {view(v.Narrow(1, 1, 2)), []byte{4, 5, 6, 7, 8, 9, 10, 11, 16, 17, 18, 19, 20, 21, 22, 23}},
		"empty":     {view(v.Narrow(1, 3, 0)), nil},
		"select":    {view(v.Select(2, 1)), []byte{1, 5, 9, 13, 17, 21}},
		"transpose": {view(view(v.Select(0, 0)).Transpose(0, 1)), []byte{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11}},
		"expand":    {view(view(v.Narrow(2, 3, 1)).Expand(2, 3, 2)), []byte{3, 3, 7, 7, 11, 11, 15, 15, 19, 19, 23, 23}},
		"in front":  {view(view(view(v.Select(0, 0)).Select(0, 0)).Expand(2, 4)), []byte{0, 1, 2, 3, 0, 1, 2, 3}},
		"retype":    {view(view(v.Narrow(1, 1, 1)).Retype(dtype.UInt32)), []byte{4, 5, 6, 7, 16, 17, 18, 19}},
		"reshape":   {view(view(v.Narrow(0, 1, 1)).Reshape(4, 3)), []byte{12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23}},
	} {
		if c.got.Storage() != v.Storage() {
			t.Errorf("%s: another storage", name)
		}
		if got := c.got.AppendBytes(nil); !bytes.Equal(got, c.want) || !bytes.Equal(got, elements(c.got)) {
			t.Errorf("%s: AppendBytes() = %v, want %v", name, got, c.want)
		}
	}
}

func TestViewsThatCannotBeAreRefused(t *testing.T) {
	v := counting(t, dtype.UInt16, 2, 3, 4)
	turned := must[*tensor.Tensor](t)(v.Transpose(1, 2))
	odd := must[*tensor.Tensor](t)(v.Narrow(2, 1, 2))
	for name, c := range map[string]struct {
		call func() (*tensor.Tensor, error)
		want error
	}{
		"Narrow(3, 0, 1)":   {func() (*tensor.Tensor, error) { return v.Narrow(3, 0, 1) }, fault.ErrInvalidArgument},
		"Narrow(-1, 0, 1)":  {func() (*tensor.Tensor, error) { return v.Narrow(-1, 0, 1) }, fault.ErrInvalidArgument},
		"Narrow(1, 2, 2)":   {func() (*tensor.Tensor, error) { return v.Narrow(1, 2, 2) }, fault.ErrInvalidArgument},
		"Narrow(1, 1, -1)":  {func() (*tensor.Tensor, error) { return v.Narrow(1, 1, -1) }, fault.ErrInvalidArgument},
		"Select(1, 3)":      {func() (*tensor.Tensor, error) { return v.Select(1, 3) }, fault.ErrInvalidArgument},
		"Transpose(0, 3)":   {func() (*tensor.Tensor, error) { return v.Transpose(0, 3) }, fault.ErrInvalidArgument},
		"Expand(3, 4)":      {func() (*tensor.Tensor, error) { return v.Expand(3, 4) }, fault.ErrShapeMismatch},
		"Expand(2, 6, 4)":   {func() (*tensor.Tensor, error) { return v.Expand(2, 6, 4) }, fault.ErrShapeMismatch},
		"Expand too large":  {func() (*tensor.Tensor, error) { return v.Expand(1<<40, 1<<40, 2, 3, 4) }, fault.ErrInvalidArgument},
		"Retype last axis":  {func() (*tensor.Tensor, error) { return turned.Retype(dtype.UInt32) }, fault.ErrNotViewable},
		"Retype offset":     {func() (*tensor.Tensor, error) { return odd.Retype(dtype.UInt32) }, fault.ErrNotViewable},
		"Retype no dtype":   {func() (*tensor.Tensor, error) { return v.Retype(99) }, fault.ErrInvalidArgument},
		"Reshape(25)":       {func() (*tensor.Tensor, error) { return v.Reshape(25) }, fault.ErrShapeMismatch},
		"Reshape of turned": {func() (*tensor.Tensor, error) { return turned.Reshape(24) }, fault.ErrNotViewable},
	} {
		if got, err := c.call(); !errors.Is(err, c.want) {
			t.Errorf("%s = %v, %v, want %v", name, got, err, c.want)
		}
	}
}

func TestRetypeBetweenSizesKeepsTheBits(t *testing.T) {
	v := counting(t, dtype.Float32, 2, 4)
	for dt, shape := range map[dtype.DType][]int{dtype.UInt8: {2, 16}, dtype.BFloat16: {2, 8}, dtype.Int32: {2, 4}, dtype.Float64: {2, 2}, dtype.Complex128: {2, 1}} {
		got := must[*tensor.Tensor](t)(v.Retype(dt))
		if !slices.Equal(got.Shape(), shape) || !bytes.Equal(got.AppendBytes(nil), v.AppendBytes(nil)) {
			t.Errorf("Retype(%v) = %v, want %v and the same bits", dt, got, shape)
		}
	}
	one := must[*tensor.Tensor](t)(must[*tensor.Tensor](t)(v.Transpose(0, 1)).Narrow(1, 1, 1))
	if got := must[*tensor.Tensor](t)(one.Retype(dtype.UInt8)); !bytes.Equal(got.AppendBytes(nil), v.AppendBytes(nil)[16:]) {
		t.Errorf("Retype of a last axis of length one reads other bits")
	}
}

// Whatever views of views do, AppendBytes agrees with reading one element at
// a time, and a reshape that succeeds keeps the order.
func TestRandomViewsReadRight(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		dt := dtype.All()[rng.IntN(15)]
		v := counting(t, dt, rng.IntN(4)+1, rng.IntN(4)+1, rng.IntN(4)+1, rng.IntN(3)+1)
		for range rng.IntN(5) {
			axis := rng.IntN(v.Rank())
			var next *tensor.Tensor
			var err error
			switch rng.IntN(4) {
			case 0:
				start := rng.IntN(v.Dim(axis) + 1)
				next, err = v.Narrow(axis, start, rng.IntN(v.Dim(axis)-start+1))
			case 1:
				next, err = v.Transpose(axis, rng.IntN(v.Rank()))
			case 2:
				next, err = v.Expand(append([]int{rng.IntN(3)}, v.Shape()...)...)
			case 3:
				shape := v.Shape()
				rng.Shuffle(len(shape), func(i, j int) { shape[i], shape[j] = shape[j], shape[i] })
				if next, err = v.Reshape(shape...); errors.Is(err, fault.ErrNotViewable) {
					next, err = v, nil
				} else if err == nil && !bytes.Equal(elements(next), elements(v)) {
					t.Fatalf("%v with strides %v: Reshape(%v) reads other elements", v, v.Strides(), shape)
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			v = next
		}
		want := elements(v)
		if got := v.AppendBytes(nil); !bytes.Equal(got, want) {
			t.Fatalf("%v with strides %v: AppendBytes() = %v, want %v", v, v.Strides(), got, want)
		}
		clone := v.Clone()
		if got := clone.AppendBytes(nil); !bytes.Equal(got, want) || !clone.IsContiguous() || clone.Storage().Len() != len(want) {
			t.Fatalf("%v with strides %v: Clone() is not the compact same", v, v.Strides())
		}
		if view, ok := v.Bytes(); ok != v.IsContiguous() || ok && !bytes.Equal(view, want) {
			t.Fatalf("%v with strides %v: Bytes() = %v, %v", v, v.Strides(), view, ok)
		}
	}
}

package tensor_test

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/tensor"
)

// must fails the test on a premise that does not hold.
func must[T any](t testing.TB) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// counting is a tensor whose i-th element is made of bytes that count up.
func counting(t testing.TB, dt dtype.DType, shape ...int) *tensor.Tensor {
	t.Helper()
	v := must[*tensor.Tensor](t)(tensor.New(dt, shape...))
	for i := range v.Storage().Bytes() {
		v.Storage().Bytes()[i] = byte(i)
	}
	return v
}

// elements reads a view the slow and certain way: index by index.
func elements(v *tensor.Tensor) (b []byte) {
	size, shape, strides := v.DType().Size(), v.Shape(), v.Strides()
	index := make([]int, len(shape))
	for range v.NumElements() {
		at := v.Offset()
		for i := range index {
			at += index[i] * strides[i]
		}
		b = append(b, v.Storage().Bytes()[at*size:(at+1)*size]...)
		for i := len(index) - 1; i >= 0; i-- {
			if index[i]++; index[i] < shape[i] {
				break
			}
			index[i] = 0
		}
	}
	return b
}

func TestANewTensorIsZeroedAndCompact(t *testing.T) {
	v := must[*tensor.Tensor](t)(tensor.New(dtype.BFloat16, 1, 32, 2, 4, 5))
	if !v.IsContiguous() || v.NumElements() != 1280 || v.NumBytes() != 2560 || v.Storage().Len() != 2560 || v.Rank() != 5 {
		t.Errorf("New = %v, contiguous %v, %d elements over %d bytes, want 1280 over 2560", v, v.IsContiguous(), v.NumElements(), v.Storage().Len())
	}
	if got, want := v.Strides(), []int{1280, 40, 20, 5, 1}; !slices.Equal(got, want) {
		t.Errorf("New.Strides() = %v, want %v", got, want)
	}
	if b := v.AppendBytes(nil); !bytes.Equal(b, make([]byte, 2560)) {
		t.Errorf("New.AppendBytes() is not zero")
	}
	if got, want := v.String(), "bfloat16[1 32 2 4 5] on cpu"; got != want {
		t.Errorf("String() = %q, want %q", got, want)
	}
}

func TestShapesThatCannotBeAreRefused(t *testing.T) {
	for _, shape := range [][]int{{-1}, {3, -2}, {0, -1}, {math.MaxInt, 2}, {math.MaxInt, math.MaxInt}, {1 << 46}, {1 << 32, 1 << 32}} {
		if v, err := tensor.New(dtype.Float64, shape...); !errors.Is(err, fault.ErrInvalidArgument) {
			t.Errorf("New(%v) = %v, %v, want ErrInvalidArgument", shape, v, err)
		}
	}
	if _, err := tensor.New(dtype.DType(99), 1); !errors.Is(err, fault.ErrInvalidArgument) {
		t.Errorf("New of no dtype = %v, want ErrInvalidArgument", err)
	}
	if v, err := tensor.New(dtype.Float32, math.MaxInt, 0, math.MaxInt); err != nil || v.NumElements() != 0 || v.Storage().Len() != 0 {
		t.Errorf("New of an empty shape = %v, %v, want no elements", v, err)
	}
}

func TestFromBytesCopiesExactlyWhatTheShapeNeeds(t *testing.T) {
	b := []byte{1, 2, 3, 4, 5, 6, 7, 8}
	v := must[*tensor.Tensor](t)(tensor.FromBytes(dtype.UInt16, b, 2, 2))
	b[0] = 99
	if got := v.AppendBytes(nil); !bytes.Equal(got, []byte{1, 2, 3, 4, 5, 6, 7, 8}) {
		t.Errorf("FromBytes kept the caller's memory: %v", got)
	}
	for _, n := range []int{0, 7, 9} {
		if _, err := tensor.FromBytes(dtype.UInt16, make([]byte, n), 2, 2); !errors.Is(err, fault.ErrShapeMismatch) {
			t.Errorf("FromBytes of %d bytes = %v, want ErrShapeMismatch", n, err)
		}
	}
	scalar := must[*tensor.Tensor](t)(tensor.FromBytes(dtype.Int32, []byte{1, 0, 0, 0}))
	if scalar.Rank() != 0 || scalar.NumElements() != 1 || !scalar.IsContiguous() {
		t.Errorf("FromBytes without a shape = %v, want a scalar", scalar)
	}
}

func TestOfRefusesToReachPastTheStorage(t *testing.T) {
	st := tensor.NewStorage(24)
	for _, c := range []struct {
		shape, strides []int
		offset         int
		want           error
	}{
		{[]int{2, 3}, []int{3, 1}, 0, nil},
		{[]int{2, 3}, []int{1, 2}, 0, nil},
		{[]int{6}, []int{1}, 1, fault.ErrInvalidArgument},
		{[]int{7}, []int{1}, 0, fault.ErrInvalidArgument},
		{[]int{2}, []int{6}, 0, fault.ErrInvalidArgument},
		{[]int{1000, 1000}, []int{0, 0}, 5, nil},
		{[]int{2}, []int{math.MaxInt}, 0, fault.ErrInvalidArgument},
		{[]int{3, 3}, []int{math.MaxInt / 2, math.MaxInt / 2}, 0, fault.ErrInvalidArgument},
		{[]int{0}, []int{1}, 6, nil},
		{[]int{0}, []int{1}, 7, fault.ErrInvalidArgument},
		{[]int{2}, []int{-1}, 1, fault.ErrInvalidArgument},
		{[]int{2}, []int{1}, -1, fault.ErrInvalidArgument},
		{[]int{2}, []int{1, 1}, 0, fault.ErrInvalidArgument},
		{nil, nil, 5, nil},
		{nil, nil, 6, fault.ErrInvalidArgument},
	} {
		if _, err := tensor.Of(st, dtype.Float32, c.shape, c.strides, c.offset); !errors.Is(err, c.want) {
			t.Errorf("Of(24 bytes, float32, %v, %v, %d) = %v, want %v", c.shape, c.strides, c.offset, err, c.want)
		}
	}
	if _, err := tensor.Of(nil, dtype.Float32, nil, nil, 0); !errors.Is(err, fault.ErrInvalidArgument) {
		t.Errorf("Of(nil) = %v, want ErrInvalidArgument", err)
	}
}

func TestAHeaderOfAnyRankReadsItsElements(t *testing.T) {
	for _, shape := range [][]int{{}, {3}, {1, 1, 1, 1, 1, 1}, {2, 1, 2, 1, 2, 1, 2}, {1, 2, 1, 2, 1, 2, 1, 2, 1, 2}} {
		v := counting(t, dtype.UInt16, shape...)
		for a := range shape {
			turned := must[*tensor.Tensor](t)(v.Transpose(a, len(shape)-1))
			if got, want := turned.AppendBytes(nil), elements(turned); !bytes.Equal(got, want) {
				t.Errorf("%v.Transpose(%d, last).AppendBytes() = %v, want %v", v, a, got, want)
			}
		}
	}
}

func TestWhatAViewReturnsCannotChangeIt(t *testing.T) {
	v := counting(t, dtype.UInt8, 2, 3)
	v.Shape()[0], v.Strides()[0] = 99, 99
	if got := v.Shape(); !slices.Equal(got, []int{2, 3}) {
		t.Errorf("Shape() after a caller changed its answer = %v, want [2 3]", got)
	}
	if got := v.Strides(); !slices.Equal(got, []int{3, 1}) {
		t.Errorf("Strides() after a caller changed its answer = %v, want [3 1]", got)
	}
}

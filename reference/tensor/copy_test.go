package tensor_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/tensor"
)

func TestCopyFromWorksAcrossStrides(t *testing.T) {
	for _, dt := range dtype.All() {
		src := must[*tensor.Tensor](t)(counting(t, dt, 4, 3, 2).Transpose(0, 2))
		whole := must[*tensor.Tensor](t)(tensor.New(dt, 3, 5, 2, 4))
		dst := must[*tensor.Tensor](t)(must[*tensor.Tensor](t)(whole.Select(1, 2)).Transpose(0, 1))
		if err := dst.CopyFrom(src); err != nil {
			t.Fatal(err)
		}
		if got, want := dst.AppendBytes(nil), elements(src); !bytes.Equal(got, want) {
			t.Errorf("%v: CopyFrom = %v, want %v", dt, got, want)
		}
	}
}

func TestCopyFromAllowsOverlap(t *testing.T) {
	v := counting(t, dtype.UInt8, 4, 4)
	turned := must[*tensor.Tensor](t)(v.Transpose(0, 1))
	want := elements(turned)
	if err := v.CopyFrom(turned); err != nil {
		t.Fatal(err)
	}
	if got := v.AppendBytes(nil); !bytes.Equal(got, want) {
		t.Errorf("copying a transposed view onto its own storage = %v, want %v", got, want)
	}
	raw := []byte{0, 1, 2, 3, 4, 5, 6, 7}
	a := must[*tensor.Tensor](t)(tensor.Of(tensor.WrapBytes(raw), dtype.UInt8, []int{3}, []int{2}, 1))
	b := must[*tensor.Tensor](t)(tensor.Of(tensor.WrapBytes(raw[:5]), dtype.UInt8, []int{3}, []int{1}, 1))
	if err := a.CopyFrom(b); err != nil {
		t.Fatal(err)
	}
	if want := []byte{0, 1, 2, 2, 4, 3, 6, 7}; !bytes.Equal(raw, want) {
		t.Errorf("copying between two storages over one array = %v, want %v", raw, want)
	}
}

func TestCopyFromRefusesWhatDoesNotMatch(t *testing.T) {
	v := counting(t, dtype.UInt8, 2, 3)
	for name, c := range map[string]struct {
		dst, src *tensor.Tensor
		want     error
	}{
		"dtype":     {v, counting(t, dtype.Int8, 2, 3), fault.ErrTypeMismatch},
		"shape":     {v, counting(t, dtype.UInt8, 3, 2), fault.ErrShapeMismatch},
		"nil":       {v, nil, fault.ErrInvalidArgument},
		"broadcast": {must[*tensor.Tensor](t)(counting(t, dtype.UInt8, 1).Expand(2, 3)), v, fault.ErrInvalidArgument},
		"foreign":   {v, foreign(t, 2, 3), fault.ErrNotAddressable},
	} {
		if err := c.dst.CopyFrom(c.src); !errors.Is(err, c.want) {
			t.Errorf("CopyFrom, %s = %v, want %v", name, err, c.want)
		}
	}
}

func foreign(t testing.TB, shape ...int) *tensor.Tensor {
	st := tensor.NewForeignStorage("cuda:0", 0x7f0000000000, 1<<20)
	strides := make([]int, len(shape))
	n := 1
	for i := len(shape) - 1; i >= 0; i-- {
		strides[i] = n
		n *= shape[i]
	}
	return must[*tensor.Tensor](t)(tensor.Of(st, dtype.UInt8, shape, strides, 0))
}

func TestAForeignStorageIsAccountedNotReached(t *testing.T) {
	v := foreign(t, 2, 3)
	device, start, n := v.Storage().Span()
	if device != "cuda:0" || start != 0x7f0000000000 || n != 1<<20 || v.Device() != "cuda:0" {
		t.Errorf("Span() = %v, %#x, %d, want cuda:0, 0x7f0000000000, 1 MiB", device, start, n)
	}
	if b, ok := v.Bytes(); ok || v.Storage().Bytes() != nil || v.Storage().Addressable() {
		t.Errorf("Bytes() of a foreign storage = %v, %v, want none", b, ok)
	}
	if _, err := tensor.Cat(0, v, v); !errors.Is(err, fault.ErrNotAddressable) {
		t.Errorf("Cat of foreign tensors = %v, want ErrNotAddressable", err)
	}
	defer func() {
		if err, ok := recover().(error); !ok || !errors.Is(err, fault.ErrNotAddressable) {
			t.Errorf("Clone of a foreign tensor panicked with %v, want ErrNotAddressable", err)
		}
	}()
	v.Clone()
}

func TestWrappedBytesAreBorrowed(t *testing.T) {
	b := make([]byte, 800)
	st := tensor.WrapBytes(b[:80])
	if _, _, n := st.Span(); st.Len() != 80 || n != 800 || st.Owned() {
		t.Errorf("WrapBytes of 80 of 800: Len %d, span %d, owned %v, want 80, 800, false", st.Len(), n, st.Owned())
	}
	b[7] = 9
	if got := st.Bytes()[7]; got != 9 {
		t.Errorf("a wrapped storage's byte = %d after the owner wrote 9", got)
	}
}

func TestCatJoinsAlongAnyAxis(t *testing.T) {
	a, b := counting(t, dtype.UInt8, 2, 1, 2), counting(t, dtype.UInt8, 2, 2, 2)
	got := must[*tensor.Tensor](t)(tensor.Cat(1, a, b))
	if want := []byte{0, 1, 0, 1, 2, 3, 2, 3, 4, 5, 6, 7}; !slices.Equal(got.Shape(), []int{2, 3, 2}) || !bytes.Equal(got.AppendBytes(nil), want) {
		t.Errorf("Cat along 1 = %v %v, want [2 3 2] %v", got, got.AppendBytes(nil), want)
	}
	empty := must[*tensor.Tensor](t)(tensor.New(dtype.UInt8, 2, 0, 2))
	turned := must[*tensor.Tensor](t)(a.Transpose(0, 2))
	got = must[*tensor.Tensor](t)(tensor.Cat(1, empty, turned))
	if !bytes.Equal(got.AppendBytes(nil), []byte{0, 2, 1, 3}) || got.Storage() == a.Storage() {
		t.Errorf("Cat of nothing and a transposed tensor = %v, want [0 2 1 3] of its own", got.AppendBytes(nil))
	}
}

func TestCatRefusesWhatDoesNotFit(t *testing.T) {
	a := counting(t, dtype.UInt8, 2, 3)
	for name, c := range map[string]struct {
		axis int
		ts   []*tensor.Tensor
		want error
	}{
		"no tensors": {0, nil, fault.ErrInvalidArgument},
		"axis":       {2, []*tensor.Tensor{a}, fault.ErrInvalidArgument},
		"dtype":      {0, []*tensor.Tensor{a, counting(t, dtype.Int8, 2, 3)}, fault.ErrTypeMismatch},
		"shape":      {0, []*tensor.Tensor{a, counting(t, dtype.UInt8, 2, 4)}, fault.ErrShapeMismatch},
		"rank":       {0, []*tensor.Tensor{a, counting(t, dtype.UInt8, 2)}, fault.ErrShapeMismatch},
	} {
		if _, err := tensor.Cat(c.axis, c.ts...); !errors.Is(err, c.want) {
			t.Errorf("Cat, %s = %v, want %v", name, err, c.want)
		}
	}
}

func TestCopyIndexIsSelectWithoutAllocating(t *testing.T) {
	v := must[*tensor.Tensor](t)(counting(t, dtype.UInt16, 3, 4, 5).Transpose(0, 2))
	dst := make([]byte, 30)
	for axis := range v.Rank() {
		for i := range v.Dim(axis) {
			want := must[*tensor.Tensor](t)(v.Select(axis, i)).AppendBytes(nil)
			room := make([]byte, len(want))
			if n := v.CopyIndex(room, axis, i); n != len(want) || !bytes.Equal(room, want) {
				t.Errorf("CopyIndex(axis %d, %d) = %d %v, want %v", axis, i, n, room, want)
			}
		}
	}
	if allocs := testing.AllocsPerRun(100, func() { v.CopyIndex(dst, 1, 2) }); allocs != 0 {
		t.Errorf("CopyIndex allocates %v times, want 0", allocs)
	}
}

func TestContiguousCopiesOnlyWhenItMust(t *testing.T) {
	v := counting(t, dtype.UInt8, 2, 3)
	if got := v.Contiguous(); got != v {
		t.Errorf("Contiguous() of a contiguous tensor is a copy")
	}
	turned := must[*tensor.Tensor](t)(v.Transpose(0, 1))
	if got := turned.Contiguous(); !got.IsContiguous() || !bytes.Equal(got.AppendBytes(nil), elements(turned)) || got.Storage() == v.Storage() {
		t.Errorf("Contiguous() of a transposed tensor = %v, want a compact copy", got)
	}
}

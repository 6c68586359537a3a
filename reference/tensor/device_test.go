package tensor_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/tensor"
	"github.com/statespec/statespec/reference/tensor/devicetest"
)

// onDevice is the same view over a copy of the whole storage on a device.
func onDevice(t testing.TB, d *devicetest.Device, v *tensor.Tensor) *tensor.Tensor {
	st := must[*tensor.Storage](t)(tensor.NewStorageOn(d, v.Storage().Len()))
	if err := st.Memory().WriteAt(v.Storage().Bytes(), 0); err != nil {
		t.Fatal(err)
	}
	offset := v.Offset()
	if v.NumElements() == 0 { // an empty view may begin behind everything
		offset = 0
	}
	return must[*tensor.Tensor](t)(tensor.Of(st, v.DType(), v.Shape(), v.Strides(), offset))
}

// drawn is some view of a tensor whose elements all differ.
func drawn(t *rapid.T, tb testing.TB, expand bool) *tensor.Tensor {
	dt := rapid.SampledFrom([]dtype.DType{dtype.UInt8, dtype.BFloat16, dtype.Float32, dtype.Int64}).Draw(t, "dtype")
	shape := rapid.SliceOfN(rapid.SampledFrom([]int{1, 2, 3, 5, 70}), 1, 3).Draw(t, "shape")
	v := must[*tensor.Tensor](tb)(tensor.New(dt, shape...))
	for i := range v.Storage().Bytes() {
		v.Storage().Bytes()[i] = byte(i*7 + i>>8)
	}
	for range rapid.IntRange(0, 3).Draw(t, "steps") {
		a, b := rapid.IntRange(0, v.Rank()-1).Draw(t, "axis"), rapid.IntRange(0, v.Rank()-1).Draw(t, "other axis")
		if rapid.Bool().Draw(t, "narrow") {
			from := rapid.IntRange(0, v.Dim(a)).Draw(t, "from")
			v = must[*tensor.Tensor](tb)(v.Narrow(a, from, rapid.IntRange(0, v.Dim(a)-from).Draw(t, "length")))
		} else {
			v = must[*tensor.Tensor](tb)(v.Transpose(a, b))
		}
	}
	if expand && v.Rank() < 3 && rapid.Bool().Draw(t, "broadcast") {
		v = must[*tensor.Tensor](tb)(v.Expand(append([]int{2}, v.Shape()...)...))
	}
	return v
}

func TestADeviceCopiesAsTheHostDoes(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d, other := devicetest.New("cuda:0", 1<<24), devicetest.New("cuda:1", 1<<24)
		v := drawn(rt, t, true)
		want := elements(v)
		from := map[string]*tensor.Tensor{"host": v, "device": onDevice(t, d, v)}
		for name, src := range from {
			if got := must[[]byte](t)(src.ReadBytes(nil)); !bytes.Equal(got, want) {
				rt.Fatalf("ReadBytes of %v from the %s differs", src, name)
			}
			for _, to := range []tensor.Allocator{nil, d, other} {
				c := must[*tensor.Tensor](t)(src.CopyOn(to))
				if got := must[[]byte](t)(c.ReadBytes(nil)); !bytes.Equal(got, want) || !c.IsContiguous() {
					rt.Fatalf("a copy of %v from the %s: %v differs", src, name, c)
				}
			}
			// into a view with gaps, whose rest stays
			whole := must[*tensor.Tensor](t)(tensor.New(v.DType(), append([]int{3}, v.Shape()...)...))
			for target, dst := range map[string]*tensor.Tensor{"host": whole, "device": onDevice(t, d, whole), "other": onDevice(t, other, whole)} {
				part := must[*tensor.Tensor](t)(dst.Select(0, 1))
				if err := part.CopyFrom(src); err != nil {
					rt.Fatal(err)
				}
				got := must[[]byte](t)(dst.ReadBytes(nil))
				if n := len(want); !bytes.Equal(got[n:2*n], want) || !bytes.Equal(got[:n], make([]byte, n)) || !bytes.Equal(got[2*n:], make([]byte, n)) {
					rt.Fatalf("a copy of %v from the %s into the middle of the %s's %v differs", src, name, target, dst)
				}
			}
		}
	})
}

func TestADeviceCopiesIntoStrides(t *testing.T) {
	d := devicetest.New("cuda:0", 1<<24)
	for _, shape := range [][]int{{4, 3, 2}, {100, 3, 2}, {3, 2, 40000}} {
		src := counting(t, dtype.UInt16, shape...)
		for name, from := range map[string]*tensor.Tensor{"host": src, "device": onDevice(t, d, src)} {
			turned := must[*tensor.Tensor](t)(from.Transpose(0, 2))
			dst := must[*tensor.Tensor](t)(tensor.NewOn(d, dtype.UInt16, shape...))
			if err := must[*tensor.Tensor](t)(dst.Transpose(0, 2)).CopyFrom(turned); err != nil {
				t.Fatal(err)
			}
			if got := must[[]byte](t)(dst.ReadBytes(nil)); !bytes.Equal(got, elements(src)) {
				t.Errorf("%v from the %s into the transposed view of %v differs", turned, name, shape)
			}
		}
	}
}

func TestOverlapOnADevice(t *testing.T) {
	d := devicetest.New("cuda:0", 1<<20)
	v := onDevice(t, d, counting(t, dtype.UInt8, 4, 4))
	turned := must[*tensor.Tensor](t)(v.Transpose(0, 1))
	want := must[[]byte](t)(turned.ReadBytes(nil))
	if err := v.CopyFrom(turned); err != nil {
		t.Fatal(err)
	}
	if got := must[[]byte](t)(v.ReadBytes(nil)); !bytes.Equal(got, want) {
		t.Errorf("copying a transposed view onto its own memory = %v, want %v", got, want)
	}
}

func TestCatJoinsOnTheDevice(t *testing.T) {
	d := devicetest.New("cuda:0", 1<<20)
	a, b := counting(t, dtype.UInt8, 2, 3), counting(t, dtype.UInt8, 2, 2)
	want := elements(must[*tensor.Tensor](t)(tensor.Cat(1, a, b)))
	got := must[*tensor.Tensor](t)(tensor.Cat(1, onDevice(t, d, a), onDevice(t, d, b)))
	if g := must[[]byte](t)(got.ReadBytes(nil)); got.Device() != "cuda:0" || !bytes.Equal(g, want) {
		t.Errorf("Cat on a device = %v %v, want %v", got, g, want)
	}
	if _, err := tensor.Cat(1, onDevice(t, d, a), b); !errors.Is(err, fault.ErrTypeMismatch) {
		t.Errorf("Cat of a tensor on a device and one on the host: %v, want ErrTypeMismatch", err)
	}
}

// Every call of the device that fails is an error, and no other.
func TestAFailureOfTheDeviceIsAnError(t *testing.T) {
	lost := errors.New("the device is lost")
	src := counting(t, dtype.UInt8, 2, 3)
	for name, c := range map[string]struct {
		call devicetest.Call
		do   func(v *tensor.Tensor) error
	}{
		"a copy's allocation": {devicetest.Allocate, func(v *tensor.Tensor) error { _, err := v.Copy(); return err }},
		"a copy":              {devicetest.CopyFrom, func(v *tensor.Tensor) error { _, err := v.Copy(); return err }},
		"a read":              {devicetest.ReadAt, func(v *tensor.Tensor) error { _, err := v.ReadBytes(nil); return err }},
		"a write":             {devicetest.WriteAt, func(v *tensor.Tensor) error { return v.CopyFrom(src) }},
		"cat's allocation":    {devicetest.Allocate, func(v *tensor.Tensor) error { _, err := tensor.Cat(0, v, v); return err }},
		"cat":                 {devicetest.CopyFrom, func(v *tensor.Tensor) error { _, err := tensor.Cat(0, v, v); return err }},
	} {
		d := devicetest.New("cuda:0", 1<<20)
		v := onDevice(t, d, src)
		d.FailNext(c.call, 1, lost)
		if err := c.do(v); !errors.Is(err, lost) {
			t.Errorf("%s fails: %v, want %v", name, err, lost)
		}
		if err := c.do(v); err != nil {
			t.Errorf("%s, once it does not fail: %v", name, err)
		}
	}
}

func TestADeviceWithoutRoomCollectsAndThenRefuses(t *testing.T) {
	d := devicetest.New("cuda:0", 1000)
	for range 5 { // each is let go of before the next is asked for
		must[*tensor.Tensor](t)(tensor.NewOn(d, dtype.UInt8, 600))
	}
	held := must[*tensor.Tensor](t)(tensor.NewOn(d, dtype.UInt8, 600))
	if _, err := held.Copy(); !errors.Is(err, fault.ErrOutOfMemory) || err.Error() != "allocate 600 bytes on cuda:0: 600 of 1000 are in use" {
		t.Errorf("a copy on a full device: %v", err)
	}
	if got := held.NumElements(); got != 600 {
		t.Errorf("%d elements are held, want 600", got)
	}
}

func TestEmptyTensorsOnADevice(t *testing.T) {
	d := devicetest.New("cuda:0", 10)
	e := must[*tensor.Tensor](t)(tensor.NewOn(d, dtype.Float32, 3, 0, 2))
	c := must[*tensor.Tensor](t)(e.Copy())
	if b := must[[]byte](t)(c.ReadBytes(nil)); len(b) != 0 || c.Device() != "cuda:0" || !slices.Equal(c.Shape(), []int{3, 0, 2}) {
		t.Errorf("a copy of %v = %v with %d bytes", e, c, len(b))
	}
	if err := e.CopyFrom(c); err != nil {
		t.Error(err)
	}
}

package object_test

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/tensor"
)

// numbered is a clip of frames (2, t, 3) that say which they are.
func numbered(tb rapid.TB, from, t int) *tensor.Tensor {
	b := make([]byte, 2*t*3)
	for i := range b {
		b[i] = byte(from + i/3%t)
	}
	v, err := tensor.FromBytes(dtype.UInt8, b, 2, t, 3)
	if err != nil {
		tb.Fatal(err)
	}
	return v
}

var errProducer = errors.New("the producer failed")

// However views, copies, pushes and stitches follow each other, both ways to read a
// ring say what came last. A stitch that fails costs a full ring its oldest frame.
func TestARingReadsTheSameCopiedAndViewed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "n")
		ring := object.NewLatentBuffer("r")
		if err := ring.Allocate(object.Bound{Unit: object.Frames, N: n, Axis: 1}); err != nil {
			t.Fatal(err)
		}
		pushed, held := 0, 0
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			k := rapid.IntRange(1, n+1).Draw(t, "k")
			switch rapid.IntRange(0, 4).Draw(t, "what") {
			case 0:
				if err := ring.Append(numbered(t, pushed, k)); err != nil {
					t.Fatal(err)
				}
				pushed, held = pushed+k, min(n, held+k)
			case 3:
				err := ring.Stitch(func(frame *tensor.Tensor) error { return frame.CopyFrom(numbered(t, pushed, 1)) })
				if (err == nil) != (pushed > 0) {
					t.Fatalf("Stitch after %d frames = %v", pushed, err)
				}
				if err == nil {
					pushed, held = pushed+1, min(n, held+1)
				}
			case 4:
				err := ring.Stitch(func(frame *tensor.Tensor) error {
					return errors.Join(frame.CopyFrom(numbered(t, 100, 1)), errProducer)
				})
				if pushed > 0 && !errors.Is(err, errProducer) {
					t.Fatalf("Stitch whose producer fails = %v", err)
				}
				if pushed > 0 {
					held = min(held, n-1)
				}
			case 1:
				v, err := ring.Last(k)
				if err == nil {
					wantNumbered(t, v, pushed-k, k)
				} else if k <= held {
					t.Fatalf("Last(%d) of %d = %v", k, held, err)
				}
			case 2:
				into := numbered(t, 200, k)
				err := ring.CopyLast(into)
				if err == nil {
					wantNumbered(t, into, pushed-k, k)
				} else if k <= held {
					t.Fatalf("CopyLast(%d) of %d = %v", k, held, err)
				}
				if err == nil && k > held {
					t.Fatalf("CopyLast(%d) of %d, want it refused", k, held)
				}
			}
		}
	})
}

func wantNumbered(t *rapid.T, v *tensor.Tensor, from, n int) {
	got := string(v.AppendBytes(nil))
	if want := string(numbered(t, from, n).AppendBytes(nil)); got != want {
		t.Fatalf("frames %v, want %d from %d on: %v", []byte(got), n, from, []byte(want))
	}
}

func TestACopyOfTheLastFramesIsRefusedWhereAViewIs(t *testing.T) {
	ring := object.NewLatentBuffer("r")
	refused := func(what string, into *tensor.Tensor, kind error) {
		t.Helper()
		if err := ring.CopyLast(into); !errors.Is(err, kind) {
			t.Errorf("CopyLast %s = %v, want %v", what, err, kind)
		}
	}
	of := func(dt dtype.DType, shape ...int) *tensor.Tensor {
		v, err := tensor.New(dt, shape...)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	refused("before it is allocated", of(dtype.UInt8, 2, 1, 3), fault.ErrNotAllocated)
	if err := ring.Allocate(object.Bound{Unit: object.Frames, N: 2, Axis: 1}); err != nil {
		t.Fatal(err)
	}
	refused("of nothing", of(dtype.UInt8, 2, 1, 3), fault.ErrNotReady)
	if err := ring.Append(of(dtype.UInt8, 2, 1, 3)); err != nil {
		t.Fatal(err)
	}
	refused("of more than there is", of(dtype.UInt8, 2, 2, 3), fault.ErrNotReady)
	refused("of more than is retained", of(dtype.UInt8, 2, 3, 3), fault.ErrOverRead)
	refused("into nothing", nil, fault.ErrInvalidArgument)
	refused("of none", of(dtype.UInt8, 2, 0, 3), fault.ErrInvalidArgument)
	refused("into another dtype", of(dtype.Int8, 2, 1, 3), fault.ErrTypeMismatch)
	refused("into another shape", of(dtype.UInt8, 2, 1, 4), fault.ErrShapeMismatch)
	refused("into a tensor without a time axis", of(dtype.UInt8, 2), fault.ErrShapeMismatch)
	payloads := object.NewLatentBuffer("p")
	if err := errors.Join(payloads.Allocate(object.Bound{}), payloads.Append(of(dtype.UInt8, 2))); err != nil {
		t.Fatal(err)
	}
	if err := payloads.Stitch(nil); !errors.Is(err, fault.ErrInvalidArgument) {
		t.Errorf("Stitch to what is not bounded in frames = %v", err)
	}
	ring = payloads
	refused("of what is not bounded in frames", of(dtype.UInt8, 2), fault.ErrInvalidArgument)
}

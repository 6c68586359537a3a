package rollout

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/statespec/statespec/fixtures/fill"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/tensor"
)

// The last two frames, quantised within a history and by themselves: where the
// size passes the switch the answers differ in some elements, by little.
func TestAFaultChangesSomeElementsPastTheSwitchAndNoneBefore(t *testing.T) {
	for _, c := range []struct {
		fault Fault
		dt    dtype.DType
		least float64 // share of elements that differ
		most  float64
	}{
		{OrderBySize, dtype.Float32, 0.02, 0.5},
		{OrderBySize, dtype.BFloat16, 0, 0.001},
		{SplitRounded, dtype.BFloat16, 0.05, 0.9},
	} {
		q, err := newQuantiser(Options{Profile: Small, Seed: 1, DType: c.dt, Fault: c.fault}, 2)
		if err != nil {
			t.Fatal(err)
		}
		for _, frames := range []int{14, 15} {
			const size = LatentChannels * 60
			history := must[*tensor.Tensor](t)(tensor.FromBytes(dtype.BFloat16, fill.Bytes("bfloat16", 3, frames*size), 1, LatentChannels, frames, 6, 10))
			ring := must[*tensor.Tensor](t)(history.Narrow(2, frames-2, 2))
			whole := must[*tensor.Tensor](t)(must[*tensor.Tensor](t)(q.Quantise(history)).Narrow(2, frames-2, 2))
			alone := must[*tensor.Tensor](t)(q.Quantise(ring))
			if alone.DType() != c.dt {
				t.Fatalf("latents are %v, want %v", alone.DType(), c.dt)
			}
			share, worst := difference(whole, alone)
			switch {
			case frames == 14 && share != 0:
				t.Errorf("%s in %v, 14 frames: %.3f of the elements differ, want none", c.fault, c.dt, share)
			case frames == 15 && (share < c.least || share > c.most || worst > 0.1):
				t.Errorf("%s in %v, 15 frames: %.4f of the elements differ, by at most %v; want %.3f to %.3f, by little", c.fault, c.dt, share, worst, c.least, c.most)
			}
		}
	}
}

// difference returns the share of elements that differ, and by how much at most.
func difference(a, b *tensor.Tensor) (share, worst float64) {
	x, y := a.AppendBytes(nil), b.AppendBytes(nil)
	n := a.NumElements()
	for i := range n {
		u, v := float64(load(x, a.DType(), i)), float64(load(y, b.DType(), i))
		if u != v {
			share += 1 / float64(n)
			worst = max(worst, math.Abs(u-v))
		}
	}
	return share, worst
}

func TestWideningChangesNoValue(t *testing.T) {
	q := must[*tensor.Tensor](t)(widening{same{}}.Quantise(must[*tensor.Tensor](t)(tensor.FromBytes(dtype.BFloat16, []byte{0x80, 0x3f, 0x01, 0x80}, 1, 1, 1, 1, 2))))
	b, _ := q.Bytes()
	if q.DType() != dtype.Float32 || binary.LittleEndian.Uint32(b) != 0x3f800000 || binary.LittleEndian.Uint32(b[4:]) != 0x80010000 {
		t.Errorf("widened = %v % x, want float32 3f800000 80010000", q, b)
	}
}

// same is a quantiser that changes nothing.
type same struct{}

func (same) Quantise(x *tensor.Tensor) (*tensor.Tensor, error) { return x, nil }

func TestNamesOfProfilesAndFaultsAreKnownOrNamed(t *testing.T) {
	for _, p := range Profiles() {
		if got, err := ProfileNamed(p.Name); err != nil || got != p {
			t.Errorf("ProfileNamed(%q) = %+v, %v", p.Name, got, err)
		}
	}
	for _, f := range append(Faults(), NoFault) {
		if got, err := FaultNamed(string(f)); err != nil || got != f {
			t.Errorf("FaultNamed(%q) = %q, %v", f, got, err)
		}
	}
	if _, err := ProfileNamed(""); err == nil || err.Error() != `profile "": there are tiny, small, shipped` {
		t.Errorf("ProfileNamed of nothing = %v", err)
	}
	if _, err := FaultNamed("x"); err == nil || err.Error() != `fault "x": there are order-by-size, split-rounded` {
		t.Errorf("FaultNamed(x) = %v", err)
	}
}

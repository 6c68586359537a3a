package dreamzero_test

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/tensor"
)

func pointwise(t testing.TB, channels, threads int) *dreamzero.Pointwise {
	t.Helper()
	weights := must[*dreamzero.Weights](t)(dreamzero.GenerateWeights(channels, 7))
	return must[*dreamzero.Pointwise](t)(dreamzero.NewPointwise(weights, threads))
}

// The digests were also had from the definition written out in exact arithmetic
// elsewhere. They hold on every processor: the sums have one order, and no step
// may be fused.
func TestThePointwiseQuantiserHasOneAnswerAtEveryThreadCount(t *testing.T) {
	want := map[dtype.DType]string{
		dtype.Float32:  "97d69efcecc45c0f9254d98e7dc9d6d6f75341d62fd789233f97d6bd448424b8",
		dtype.BFloat16: "f2db965db63b0cc024e97b0596ec75f657cb6616484b2c1b26aaf4a83526287d",
	}
	for dt, digestWanted := range want {
		x := filled(t, dt, 3, 2, 7, 5, 19, 29) // channels and tiles that do not divide evenly
		for _, threads := range []int{1, 2, 3, 5, 64} {
			got := must[*tensor.Tensor](t)(pointwise(t, 7, threads).Quantise(x))
			if digest(got) != digestWanted {
				t.Errorf("Quantise(%v) on %d threads has digest %s, want %s", x, threads, digest(got), digestWanted)
			}
		}
	}
}

// plain is the definition, one output at a time.
func plain(w *dreamzero.Weights, x []float32, out int, round func(float32) float32) float32 {
	sum := w.Bias[out]
	for c, v := range x {
		product := float32(w.Mix[out*w.Channels+c] * v)
		sum += product
	}
	return round(float32(round(round(sum)-w.Mean[out]) * w.InvStd[out]))
}

func TestThePointwiseQuantiserIsItsDefinition(t *testing.T) {
	const channels, positions = 6, 3 * 5
	w := must[*dreamzero.Weights](t)(dreamzero.GenerateWeights(channels, 7))
	q := must[*dreamzero.Pointwise](t)(dreamzero.NewPointwise(w, 2))
	for dt, round := range map[dtype.DType]func(float32) float32{
		dtype.Float32:  func(f float32) float32 { return f },
		dtype.BFloat16: func(f float32) float32 { return dtype.Float32FromBFloat16(dtype.BFloat16FromFloat32(f)) },
	} {
		x := filled(t, dt, 5, 1, channels, 1, 3, 5)
		in, out := values(x), values(must[*tensor.Tensor](t)(q.Quantise(x)))
		for o := range channels {
			for p := range positions {
				column := make([]float32, channels)
				for c := range column {
					column[c] = in[c*positions+p]
				}
				if got, want := out[o*positions+p], plain(w, column, o, round); math.Float32bits(got) != math.Float32bits(want) {
					t.Fatalf("%v Quantise()[%d, %d] = %v, want %v", dt, o, p, got, want)
				}
			}
		}
	}
}

// values decodes a float32 or bfloat16 tensor.
func values(x *tensor.Tensor) []float32 {
	b := x.AppendBytes(nil)
	out := make([]float32, x.NumElements())
	for i := range out {
		if x.DType() == dtype.BFloat16 {
			out[i] = dtype.Float32FromBFloat16(binary.LittleEndian.Uint16(b[2*i:]))
		} else {
			out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		}
	}
	return out
}

func TestTheQuantiserTakesAnyStridesAndLeavesItsInputAlone(t *testing.T) {
	q := pointwise(t, 4, 2)
	compact := filled(t, dtype.Float32, 1, 2, 4, 3, 5, 7)
	want := must[*tensor.Tensor](t)(q.Quantise(compact))
	before := digest(compact)
	swapped := must[*tensor.Tensor](t)(compact.Transpose(3, 4)).Clone()
	wantSame(t, "Quantise(transposed)", must[*tensor.Tensor](t)(q.Quantise(must[*tensor.Tensor](t)(swapped.Transpose(3, 4)))), want)
	for frame := range 3 {
		got := must[*tensor.Tensor](t)(q.Quantise(must[*tensor.Tensor](t)(compact.Narrow(2, frame, 1))))
		wantSame(t, "Quantise(one frame)", got, must[*tensor.Tensor](t)(want.Narrow(2, frame, 1)))
	}
	if got := digest(compact); got != before {
		t.Errorf("digest of the input after Quantise = %.12s, want %.12s", got, before)
	}
}

func TestTheQuantiserRefusesWhatItCannotMix(t *testing.T) {
	q := pointwise(t, 4, 1)
	for _, c := range []struct {
		x    *tensor.Tensor
		kind error
	}{
		{nil, fault.ErrInvalidArgument},
		{filled(t, dtype.Float32, 1, 4, 3, 5, 7), fault.ErrInvalidArgument},
		{filled(t, dtype.Float32, 1, 1, 5, 3, 5, 7), fault.ErrShapeMismatch},
		{filled(t, dtype.Float64, 1, 1, 4, 3, 5, 7), fault.ErrTypeMismatch},
	} {
		_, err := q.Quantise(c.x)
		wantRefusal(t, "Quantise()", err, c.kind)
	}
	w := must[*dreamzero.Weights](t)(dreamzero.GenerateWeights(4, 1))
	for name, change := range map[string]func(w *dreamzero.Weights){
		"too few weights":       func(w *dreamzero.Weights) { w.Mix = w.Mix[1:] },
		"no bias":               func(w *dreamzero.Weights) { w.Bias = nil },
		"a weight of 24 bits":   func(w *dreamzero.Weights) { w.Mean = []float32{0, 0.1, 0, 0} },
		"no channels":           func(w *dreamzero.Weights) { w.Channels = 0 },
		"another channel count": func(w *dreamzero.Weights) { w.Channels = 5 },
	} {
		bad := *w
		bad.Mix = slices.Clone(w.Mix)
		change(&bad)
		_, err := dreamzero.NewPointwise(&bad, 1)
		wantRefusal(t, "NewPointwise() with "+name, err, fault.ErrInvalidArgument)
	}
	_, err := dreamzero.NewPointwise(w, 0)
	wantRefusal(t, "NewPointwise() on no threads", err, fault.ErrInvalidArgument)
	_, err = dreamzero.GenerateWeights(0, 1)
	wantRefusal(t, "GenerateWeights() of no channels", err, fault.ErrInvalidArgument)
}

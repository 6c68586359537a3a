package dreamzero

import (
	"math"

	"github.com/statespec/statespec/fixtures/fill"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/fault"
)

// Weights of a pointwise quantiser. Every one is exactly a bfloat16, so that
// products of bfloat16 inputs are exact in float32.
type Weights struct {
	Channels int       // in and out
	Mix      []float32 // [out][in], row-major
	Bias     []float32 // [out]
	Mean     []float32 // [out], subtracted from the convolution's result
	InvStd   []float32 // [out], multiplied with that
}

// GenerateWeights makes weights from a seed: splitmix64, each of its words one
// weight in the order Mix, Bias, Mean, InvStd. The first three are in
// [−0.5, 0.5), InvStd in [1, 1.5). They are no trained model's.
func GenerateWeights(channels int, seed uint64) (*Weights, error) {
	if channels < 1 {
		return nil, fault.New(fault.ErrInvalidArgument, "generate weights of %d channels: at least 1", channels)
	}
	stream := fill.Seeded(seed)
	centred := func(n int) []float32 {
		w := make([]float32, n)
		for i := range w {
			value := float32(float32(stream.Uint64()>>40)/(1<<24)) - 0.5
			w[i] = dtype.Float32FromBFloat16(dtype.TruncateBFloat16(value))
		}
		return w
	}
	w := &Weights{Channels: channels, Mix: centred(channels * channels), Bias: centred(channels), Mean: centred(channels)}
	w.InvStd = make([]float32, channels)
	for i := range w.InvStd {
		w.InvStd[i] = 1 + float32(float32(stream.Uint64()>>58)/128) // six bits of the seven that a bfloat16 keeps
	}
	return w, nil
}

// check refuses weights that do not fit each other or are no bfloat16.
func (w *Weights) check() error {
	if w == nil || w.Channels < 1 || len(w.Mix) != w.Channels*w.Channels ||
		len(w.Bias) != w.Channels || len(w.Mean) != w.Channels || len(w.InvStd) != w.Channels {
		return fault.New(fault.ErrInvalidArgument, "pointwise quantiser: its weights need n² mixing factors and n of everything else, n at least 1")
	}
	for name, part := range map[string][]float32{"Mix": w.Mix, "Bias": w.Bias, "Mean": w.Mean, "InvStd": w.InvStd} {
		for i, v := range part {
			if math.Float32bits(v)&0xffff != 0 {
				return fault.New(fault.ErrInvalidArgument, "pointwise quantiser: %s[%d] is %v, which no bfloat16 is", name, i, v)
			}
		}
	}
	return nil
}

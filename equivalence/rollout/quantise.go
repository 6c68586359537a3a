package rollout

import (
	"encoding/binary"
	"math"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/tensor"
)

// newQuantiser returns the model's quantiser: dreamzero's, after widening to
// float32 where that is the dtype asked for, since the encoder's output is
// bfloat16 always. With a fault it is another one where sizes pass the switch.
func newQuantiser(o Options, workers int) (dreamzero.Quantiser, error) {
	weights, err := dreamzero.GenerateWeights(LatentChannels, derive(o.Seed, ofQuantiser))
	if err != nil {
		return nil, err
	}
	sound, err := dreamzero.NewPointwise(weights, workers)
	if err != nil {
		return nil, err
	}
	var q dreamzero.Quantiser = sound
	if o.Fault != NoFault {
		q = &faultyQuantiser{sound: sound, weights: weights, fault: o.Fault, switchAt: o.Profile.SwitchAt, workers: workers}
	}
	if o.DType == dtype.Float32 {
		q = widening{q}
	}
	return q, nil
}

// widening quantises bfloat16 in float32.
type widening struct{ of dreamzero.Quantiser }

// Quantise is dreamzero.Quantiser's; the latents are float32.
func (w widening) Quantise(encoderOut *tensor.Tensor) (*tensor.Tensor, error) {
	wider, err := tensor.New(dtype.Float32, encoderOut.Shape()...)
	if err != nil {
		return nil, err
	}
	bytes, _ := wider.Bytes()
	from := encoderOut.AppendBytes(nil)
	for i := range wider.NumElements() {
		binary.LittleEndian.PutUint32(bytes[4*i:], uint32(binary.LittleEndian.Uint16(from[2*i:]))<<16)
	}
	return w.of.Quantise(wider)
}

// faultyQuantiser has a fault where the size of its input passes a switch.
type faultyQuantiser struct {
	sound    *dreamzero.Pointwise
	weights  *dreamzero.Weights
	fault    Fault
	switchAt int
	workers  int
}

// Quantise is dreamzero.Quantiser's.
func (q *faultyQuantiser) Quantise(encoderOut *tensor.Tensor) (*tensor.Tensor, error) {
	shape := encoderOut.Shape()
	if !wide(shape, q.switchAt) {
		return q.sound.Quantise(encoderOut)
	}
	latents, err := tensor.New(encoderOut.DType(), shape...)
	if err != nil {
		return nil, err
	}
	dt, volume := encoderOut.DType(), shape[2]*shape[3]*shape[4]
	in, out := encoderOut.AppendBytes(nil), latents.Storage().Bytes()
	share(q.workers, shape[0]*q.weights.Channels, func() struct{} { return struct{}{} }, func(_ struct{}, item int) {
		batch, o := item/q.weights.Channels, item%q.weights.Channels
		for i := range volume {
			sum := q.sum(in, dt, batch*q.weights.Channels*volume+i, volume, o)
			store(out, dt, item*volume+i, q.normalised(sum, dt, o))
		}
	})
	return latents, nil
}

// sum is one output's: the bias and the first half of the channels, then the
// second half by itself.
func (q *faultyQuantiser) sum(in []byte, dt dtype.DType, at, step, o int) float32 {
	mix := q.weights.Mix[o*q.weights.Channels:][:q.weights.Channels]
	first, second := q.weights.Bias[o], float32(0)
	for c, w := range mix {
		product := float32(w * load(in, dt, at+c*step))
		if c < len(mix)/2 {
			first += product
		} else {
			second += product
		}
	}
	return q.fault.join(first, second)
}

// normalised is (sum − mean) · invStd, rounded where the quantiser rounds.
func (q *faultyQuantiser) normalised(sum float32, dt dtype.DType, o int) float32 {
	if dt == dtype.BFloat16 {
		return float32(roundedAny(roundedAny(sum)-q.weights.Mean[o]) * q.weights.InvStd[o])
	}
	return float32(float32(sum-q.weights.Mean[o]) * q.weights.InvStd[o])
}

// load decodes one bfloat16 or float32.
func load(b []byte, dt dtype.DType, i int) float32 {
	if dt == dtype.BFloat16 {
		return dtype.Float32FromBFloat16(binary.LittleEndian.Uint16(b[2*i:]))
	}
	return math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
}

// store encodes one, rounding to nearest where it is a bfloat16.
func store(b []byte, dt dtype.DType, i int, f float32) {
	if dt == dtype.BFloat16 {
		binary.LittleEndian.PutUint16(b[2*i:], dtype.BFloat16FromFloat32(f))
		return
	}
	binary.LittleEndian.PutUint32(b[4*i:], math.Float32bits(f))
}

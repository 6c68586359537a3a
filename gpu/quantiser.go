package gpu

import (
	"errors"
	"runtime"
	"sync"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/gpu/cuda"
	"github.com/statespec/statespec/gpu/kernels"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
)

// A Quantiser is DreamZero's pointwise quantiser that works where its input lies:
// on its device with the kernels, and anywhere else as the host's does. Both give
// the same bits.
type Quantiser struct {
	device Device
	host   dreamzero.Quantiser

	// ByLength and Unordered are mistakes, for faulty subjects. ByLength, where it is
	// not 0, sums in an order that depends on how many positions there are, in blocks
	// for every so many, as libraries do. Unordered leaves its kernels on a stream that
	// nobody waits for.
	ByLength  int
	Unordered bool

	mu      sync.Mutex
	stream  *cuda.Stream          // nil: the device's own, which plain copies use too
	weights map[int]tensor.Memory // by channels
}

// NewQuantiser returns a quantiser on a device beside that of the host.
func NewQuantiser(d Device, host dreamzero.Quantiser) *Quantiser {
	return &Quantiser{device: d, host: host, weights: map[int]tensor.Memory{}}
}

// Quantise returns the latents in a tensor of their own, on the device of the input.
func (q *Quantiser) Quantise(encoderOut *tensor.Tensor) (*tensor.Tensor, error) {
	t := encoderOut
	dt := t.DType()
	if t.Device() != q.device.Device() || t.Rank() != 5 || dt != dtype.Float32 && dt != dtype.BFloat16 || t.NumElements() == 0 {
		return q.host.Quantise(t) // which refuses what is wrong
	}
	h, w := t.Dim(3), t.Dim(4)
	if s := t.Strides(); w > 1 && s[4] != 1 || h > 1 && s[3] != w || t.Dim(1) > 1 && s[1] < h*w {
		var err error
		if t, err = t.Copy(); err != nil { // one whose frames do not lie together
			return nil, err
		}
	}
	return q.frames(t)
}

// frames quantises one frame of one batch after the other. The output has them in
// this order, each compact, and is seen in the shape of the input.
func (q *Quantiser) frames(t *tensor.Tensor) (_ *tensor.Tensor, err error) {
	// The kernels know addresses alone: what they work on must not be given back before
	// they are queued, by whoever parks it either. Memory is given back behind what is
	// queued on its device.
	input, done := t.Storage().Hold()
	if input == nil { // parked since it was looked at
		return q.host.Quantise(t)
	}
	defer func() { err = errors.Join(err, done()) }()
	shape, strides := t.Shape(), t.Strides()
	batches, channels, frames, positions := shape[0], shape[1], shape[2], shape[3]*shape[4]
	module, weights, err := q.ready(channels)
	if err != nil {
		return nil, err
	}
	out, err := tensor.NewOn(q.device, t.DType(), batches, frames, channels, shape[3], shape[4])
	if err != nil {
		return nil, err
	}
	size := t.DType().Size()
	p := kernels.Pointwise{DType: t.DType(), Channels: channels, Positions: positions}
	if channels > 1 {
		p.Step = strides[1]
	}
	from, to := input.Address(), out.Storage().Memory().Address()
	for b := range batches {
		for f := range frames {
			x := from + uintptr((t.Offset()+b*strides[0]+f*strides[2])*size)
			y := to + uintptr((b*frames+f)*channels*positions*size)
			if err := q.launch(module, p, y, x, weights.Address(), frames); err != nil {
				return nil, err
			}
		}
	}
	runtime.KeepAlive(input)
	runtime.KeepAlive(weights)
	return out.Transpose(1, 2)
}

func (q *Quantiser) launch(m *cuda.Module, p kernels.Pointwise, y, x, weights uintptr, frames int) error {
	call, err := p.Call(y, x, weights)
	if q.ByLength > 0 { // the length is that of the whole input
		call, err = p.CallByLength(y, x, weights, max(1, q.ByLength/frames))
	}
	if err != nil {
		return err
	}
	return m.Launch(q.stream, call.Kernel, call.Threads, call.Args...)
}

// ready is the kernels and the weights on the device, made when they are first used.
func (q *Quantiser) ready(channels int) (*cuda.Module, tensor.Memory, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	module, err := q.device.Kernels()
	if err != nil {
		return nil, nil, err
	}
	if q.Unordered && q.stream == nil {
		s, err := q.device.cuda.NewStream()
		if err != nil {
			return nil, nil, err
		}
		q.stream = s
	}
	if w, made := q.weights[channels]; made {
		return module, w, nil
	}
	w, err := subject.QuantiserWeights(channels)
	if err != nil {
		return nil, nil, err
	}
	packed := kernels.PackWeights(w)
	mem, err := q.device.Allocate(len(packed))
	if err != nil {
		return nil, nil, err
	}
	if err := mem.WriteAt(packed, 0); err != nil {
		return nil, nil, err
	}
	q.weights[channels] = mem
	return module, mem, nil
}

package dreamzero

import (
	"encoding/binary"
	"math"
	"sync"

	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/tensor"
)

// tile is the positions worked on at a time: the decoded input of 32 channels
// stays in the first-level cache.
const tile = 256

// Pointwise is a 1×1×1 convolution over channels, then the model's
// normalisation: (mix·x + bias − mean) · inv_std, at each position. It takes
// float32 and bfloat16.
//
// Its bits are defined. Each output is summed by itself, in float32, from the
// bias through the input channels in ascending order, every product rounded
// before it is added. Of bfloat16 input the sum, the difference and the final
// product are each rounded to bfloat16, to nearest, ties to even. So neither
// the number of threads, nor the number of frames, nor the processor matters.
// What it makes of NaN is not defined.
type Pointwise struct {
	weights *Weights
	threads int
}

// NewPointwise returns a quantiser of the given weights that works on as many
// goroutines, at least one.
func NewPointwise(weights *Weights, threads int) (*Pointwise, error) {
	if err := weights.check(); err != nil {
		return nil, err
	}
	if threads < 1 {
		return nil, fault.New(fault.ErrInvalidArgument, "pointwise quantiser on %d threads: at least 1", threads)
	}
	return &Pointwise{weights: weights, threads: threads}, nil
}

// Quantise returns the latents in a tensor of their own, on the device of the
// input. The arithmetic is the host's, wherever that is.
func (q *Pointwise) Quantise(encoderOut *tensor.Tensor) (*tensor.Tensor, error) {
	if err := encoderChunk("quantise", encoderOut); err != nil {
		return nil, err
	}
	if dt := encoderOut.DType(); dt != dtype.Float32 && dt != dtype.BFloat16 {
		return nil, fault.New(fault.ErrTypeMismatch, "quantise %v: it takes %v and %v", encoderOut, dtype.Float32, dtype.BFloat16)
	}
	if encoderOut.Dim(1) != q.weights.Channels {
		return nil, fault.New(fault.ErrShapeMismatch, "quantise %v: %d channels, its weights have %d", encoderOut, encoderOut.Dim(1), q.weights.Channels)
	}
	there := encoderOut.Storage().Allocator()
	encoderOut, err := encoderOut.OnHost()
	if err != nil {
		return nil, err
	}
	latents, err := q.quantise(encoderOut)
	if err != nil || there == nil {
		return latents, err
	}
	return latents.CopyOn(there)
}

// quantise works on what it has found to be quantisable.
func (q *Pointwise) quantise(encoderOut *tensor.Tensor) (*tensor.Tensor, error) {
	latents, err := tensor.New(encoderOut.DType(), encoderOut.Shape()...)
	if err != nil || latents.NumElements() == 0 {
		return latents, err
	}
	in, out := planesOf(encoderOut), planesOf(latents)
	tiles := (in.positions + tile - 1) / tile
	items := in.batches * in.frames * tiles
	var workers sync.WaitGroup
	for first := range min(q.threads, items) {
		workers.Go(func() {
			s := scratch{x: make([]float32, q.weights.Channels*tile)}
			for item := first; item < items; item += q.threads {
				frame, at := item/tiles, item%tiles*tile
				s.tile(q.weights, in, out, frame/in.frames, frame%in.frames, at, min(tile, in.positions-at))
			}
		})
	}
	workers.Wait()
	return latents, nil
}

// planes is a tensor (B, C, T, H, W) as planes of positions that lie together.
type planes struct {
	dt                         dtype.DType
	bytes                      []byte
	offset                     int // in elements
	batch, channel, frame      int // strides, in elements
	batches, frames, positions int
}

// planesOf copies a tensor first when the positions of a plane do not lie
// together; those of a ring and of a history do.
func planesOf(t *tensor.Tensor) planes {
	shape, strides := t.Shape(), t.Strides()
	h, w := shape[3], shape[4]
	if (w > 1 && strides[4] != 1) || (h > 1 && strides[3] != w) {
		t = t.Clone()
		strides = t.Strides()
	}
	return planes{dt: t.DType(), bytes: t.Storage().Bytes(), offset: t.Offset(),
		batch: strides[0], channel: strides[1], frame: strides[2],
		batches: shape[0], frames: shape[2], positions: h * w}
}

// at returns the bytes from a position of a plane on.
func (p *planes) at(batch, channel, frame, position int) []byte {
	return p.bytes[(p.offset+batch*p.batch+channel*p.channel+frame*p.frame+position)*p.dt.Size():]
}

// A scratch is one goroutine's working memory.
type scratch struct {
	x   []float32 // [channel][tile], the decoded input
	sum [tile]float32
}

// tile quantises n positions of one frame from position at on.
func (s *scratch) tile(w *Weights, in, out planes, batch, frame, at, n int) {
	for c := range w.Channels {
		widen(s.x[c*tile:c*tile+n], in.at(batch, c, frame, at), in.dt)
	}
	sum := s.sum[:n]
	for o := range w.Channels {
		for i := range sum {
			sum[i] = w.Bias[o]
		}
		mix(sum, s.x, w.Mix[o*w.Channels:(o+1)*w.Channels])
		normalise(out.at(batch, o, frame, at), sum, w.Mean[o], w.InvStd[o], out.dt)
	}
}

// mix adds the channels, weighted, in ascending order. Four are taken at a
// time so that a sum is loaded and stored once for four additions; their order
// is the same.
func mix(sum, x, weights []float32) {
	c := 0
	for ; c+4 <= len(weights); c += 4 {
		w0, w1, w2, w3 := weights[c], weights[c+1], weights[c+2], weights[c+3]
		x0, x1 := x[c*tile:][:len(sum)], x[(c+1)*tile:][:len(sum)]
		x2, x3 := x[(c+2)*tile:][:len(sum)], x[(c+3)*tile:][:len(sum)]
		for i, acc := range sum {
			// The conversions round each product: without them a processor
			// may fuse it with the addition.
			acc += float32(w0 * x0[i])
			acc += float32(w1 * x1[i])
			acc += float32(w2 * x2[i])
			acc += float32(w3 * x3[i])
			sum[i] = acc
		}
	}
	for ; c < len(weights); c++ {
		for i, v := range x[c*tile:][:len(sum)] {
			sum[i] += float32(weights[c] * v)
		}
	}
}

// widen decodes elements into float32, which is exact.
func widen(x []float32, b []byte, dt dtype.DType) {
	if dt == dtype.BFloat16 {
		b = b[:2*len(x)]
		for i := range x {
			x[i] = dtype.Float32FromBFloat16(binary.LittleEndian.Uint16(b[2*i:]))
		}
		return
	}
	b = b[:4*len(x)]
	for i := range x {
		x[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
}

// normalise writes (sum − mean) · invStd in the dtype of the latents.
func normalise(b []byte, sum []float32, mean, invStd float32, dt dtype.DType) {
	if dt == dtype.BFloat16 {
		b = b[:2*len(sum)]
		for i, v := range sum {
			v = rounded(rounded(v) - mean)
			binary.LittleEndian.PutUint16(b[2*i:], dtype.BFloat16FromFloat32(float32(v*invStd)))
		}
		return
	}
	b = b[:4*len(sum)]
	for i, v := range sum {
		binary.LittleEndian.PutUint32(b[4*i:], math.Float32bits(float32(float32(v-mean)*invStd)))
	}
}

// rounded is a float32 rounded to bfloat16 and widened again.
func rounded(f float32) float32 { return dtype.Float32FromBFloat16(dtype.BFloat16FromFloat32(f)) }

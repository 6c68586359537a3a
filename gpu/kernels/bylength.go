package kernels

import (
	"encoding/binary"
	"math"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/fault"
)

// BlocksByLength returns the blocks in which the faulty quantiser sums channels:
// one more for every split positions begun, at most four, each of two channels at
// least. One block is the fixed order.
func BlocksByLength(channels, positions, split int) int {
	return max(min((max(positions, 1)-1)/split+1, channels/2, 4), 1)
}

// PointwiseByLength is the faulty quantiser in Go, of x with the shape of p: what
// CallByLength has to give, in a slice of its own. Each block of channels is summed
// by itself, the first from the bias, and the sums are joined in ascending order.
// In float32 that is a library that takes another kernel for a longer input; in
// bfloat16 the sums are rounded before they are joined, as where a matrix product is
// split with reduced precision. With two blocks these are the rollout's faults
// OrderBySize and SplitRounded.
func PointwiseByLength(p Pointwise, w *dreamzero.Weights, x []byte, split int) ([]byte, error) {
	n, err := p.check()
	if err != nil {
		return nil, err
	}
	size := p.DType.Size()
	want := ((p.Channels-1)*p.step() + p.Positions) * size
	if split < 1 || w == nil || w.Channels != p.Channels || len(x) < want {
		return nil, fault.New(fault.ErrInvalidArgument, "pointwise quantiser by length of %d bytes, split at %d positions: want %d bytes, a split of at least 1, weights of %d channels", len(x), split, want, p.Channels)
	}
	y := make([]byte, n*size)
	blocks := BlocksByLength(p.Channels, p.Positions, split)
	for i := range n {
		o, position := i/p.Positions, i%p.Positions
		value := func(c int) float32 { return load(x, p.DType, c*p.step()+position) }
		sum := blocked(w.Mix[o*w.Channels:][:w.Channels], w.Bias[o], value, blocks, p.DType)
		if p.DType == dtype.BFloat16 {
			v := rounded(rounded(sum) - w.Mean[o])
			binary.LittleEndian.PutUint16(y[2*i:], dtype.BFloat16FromFloat32(float32(v*w.InvStd[o])))
		} else {
			binary.LittleEndian.PutUint32(y[4*i:], math.Float32bits(float32(float32(sum-w.Mean[o])*w.InvStd[o])))
		}
	}
	return y, nil
}

// blocked is one output's sum.
func blocked(mix []float32, bias float32, value func(int) float32, blocks int, dt dtype.DType) (sum float32) {
	for block := range blocks {
		part := float32(0)
		if block == 0 {
			part = bias
		}
		for c := block * len(mix) / blocks; c < (block+1)*len(mix)/blocks; c++ {
			part += float32(mix[c] * value(c)) // the conversion rounds the product first
		}
		if dt == dtype.BFloat16 && blocks > 1 {
			part = rounded(part)
		}
		if block == 0 {
			sum = part
		} else {
			sum += part
		}
	}
	return sum
}

// load decodes one bfloat16 or float32.
func load(b []byte, dt dtype.DType, i int) float32 {
	if dt == dtype.BFloat16 {
		return dtype.Float32FromBFloat16(binary.LittleEndian.Uint16(b[2*i:]))
	}
	return math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
}

// rounded is a float32 rounded to bfloat16 and widened again.
func rounded(f float32) float32 { return dtype.Float32FromBFloat16(dtype.BFloat16FromFloat32(f)) }

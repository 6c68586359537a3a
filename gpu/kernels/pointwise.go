package kernels

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/fault"
)

// Pointwise is the shape of a quantiser's input, (1, Channels, T, H, W) of float32
// or bfloat16, and of its output. The Go side is dreamzero.Pointwise.
type Pointwise struct {
	DType     dtype.DType
	Channels  int // in and out
	Positions int // T·H·W
	// Step is the elements from one channel of the input to the next, Positions
	// where it is 0: more where the input is the newest frames of a longer history.
	// The output is compact.
	Step int
}

// Call quantises x into y in the fixed order. Weights is the address of what
// PackWeights gives.
func (p Pointwise) Call(y, x, weights uintptr) (Call, error) {
	kernel := PointwiseFloat32Kernel
	if p.DType == dtype.BFloat16 {
		kernel = PointwiseBFloat16Kernel
	}
	return p.call(kernel, y, x, weights)
}

// CallByLength quantises in an order that depends on the number of positions, as
// libraries do, which is a fault: see PointwiseByLength. Split is at least 1.
func (p Pointwise) CallByLength(y, x, weights uintptr, split int) (Call, error) {
	kernel := PointwiseFloat32ByLengthKernel
	if p.DType == dtype.BFloat16 {
		kernel = PointwiseBFloat16ByLengthKernel
	}
	if split < 1 {
		return Call{}, fault.New(fault.ErrInvalidArgument, "pointwise quantiser by length, split at %d positions: at least 1", split)
	}
	return p.call(kernel, y, x, weights, uint64(split))
}

func (p Pointwise) call(kernel string, y, x, weights uintptr, more ...uint64) (Call, error) {
	n, err := p.check()
	if err != nil {
		return Call{}, err
	}
	args := []uint64{uint64(y), uint64(x), uint64(weights), uint64(p.Channels), uint64(p.Positions), uint64(p.step())}
	return call(kernel, n, append(args, more...)...), nil
}

func (p Pointwise) step() int {
	if p.Step == 0 {
		return p.Positions
	}
	return p.Step
}

func (p Pointwise) check() (n int, err error) {
	if p.DType != dtype.Float32 && p.DType != dtype.BFloat16 {
		return 0, fault.New(fault.ErrTypeMismatch, "pointwise quantiser of %v: it takes %v and %v", p.DType, dtype.Float32, dtype.BFloat16)
	}
	if p.Channels < 1 || p.Step != 0 && p.Step < p.Positions {
		return 0, fault.New(fault.ErrInvalidArgument, "pointwise quantiser of %d channels of %d positions, %d apart: at least 1 channel, as far apart as it has positions", p.Channels, p.Positions, p.Step)
	}
	if _, err := elements("pointwise quantiser", p.Channels, p.step()); err != nil {
		return 0, err
	}
	return elements("pointwise quantiser", p.Channels, p.Positions)
}

// PackWeights returns a quantiser's weights as its kernels read them, little-endian
// float32: Mix, Bias, Mean, InvStd.
func PackWeights(w *dreamzero.Weights) []byte {
	b := make([]byte, 0, 4*(w.Channels+3)*w.Channels)
	for _, v := range slices.Concat(w.Mix, w.Bias, w.Mean, w.InvStd) {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return b
}

package kernels

import (
	"encoding/binary"
	"math"

	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/fault"
)

// Causal is the shape of one step of a causal convolution of the rollout's encoder:
// a chunk of frames, and the entry of the feature map that belongs to the
// convolution, before and after. All are bfloat16, compact, channel first:
//
//	x        (Channels, Frames, Positions)
//	before   (Channels, Held, Positions)
//	after    (Channels, Kept, Positions)
//	y        (Channels·Fan, Frames/Stride, Positions)
//
// A kernel reads no before where Held is 0; its address may then be 0. After may be
// before where Held is Kept, and y may be x where Fan and Stride are 1.
type Causal struct {
	Channels  int
	Positions int // H·W
	Frames    int // of the chunk, at least 1
	Held      int // frames in the entry before: 0, 1 or 2, no more than Kept
	Kept      int // frames in the entry after: 1 or 2, no more than Held and Frames together
	Fan       int // outputs of a channel: 1, or 2 where the channels double
	Stride    int // 1, or 2 where the frames halve; a chunk of one frame then passes as it is
}

// Taps are one output channel's weights: of the frame two before, of the one
// before, of the frame now, and what is added.
type Taps struct{ Older, Old, Now, Bias float32 }

// PackTaps returns taps as the kernel reads them, little-endian float32.
func PackTaps(taps []Taps) []byte {
	b := make([]byte, 0, 16*len(taps))
	for _, t := range taps {
		for _, v := range [...]float32{t.Older, t.Old, t.Now, t.Bias} {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
		}
	}
	return b
}

// Made returns the frames of the output.
func (c Causal) Made() int { return (c.Frames + c.Stride - 1) / c.Stride }

// Call convolves x into y and writes the entry after. Taps is the address of what
// PackTaps gives, Channels·Fan of them.
func (c Causal) Call(y, after, x, before, taps uintptr) (Call, error) {
	n, err := c.check()
	if err != nil {
		return Call{}, err
	}
	return call(CausalConvolutionKernel, n, uint64(y), uint64(after), uint64(x), uint64(before), uint64(taps),
		uint64(c.Channels), uint64(c.Positions), uint64(c.Frames), uint64(c.Held), uint64(c.Kept), uint64(c.Fan), uint64(c.Stride)), nil
}

func (c Causal) check() (n int, err error) {
	switch {
	case c.Fan < 1 || c.Fan > 2 || c.Stride < 1 || c.Stride > 2:
		err = fault.New(fault.ErrInvalidArgument, "causal convolution with fan %d and stride %d: each is 1 or 2", c.Fan, c.Stride)
	case c.Frames < 1 || c.Stride == 2 && c.Frames > 1 && c.Frames%2 != 0:
		err = fault.New(fault.ErrInvalidArgument, "causal convolution of %d frames with stride %d: at least 1, and of more an even number where they halve", c.Frames, c.Stride)
	case c.Kept < 1 || c.Kept > 2 || c.Held < 0 || c.Held > c.Kept || c.Kept > c.Held+c.Frames:
		err = fault.New(fault.ErrInvalidArgument, "causal convolution of %d frames that holds %d and keeps %d: it keeps 1 or 2, no fewer than it holds, of those there are", c.Frames, c.Held, c.Kept)
	}
	if err != nil {
		return 0, err
	}
	if _, err := elements("causal convolution", c.Channels, c.Positions, max(c.Frames, c.Kept), c.Fan); err != nil {
		return 0, err
	}
	return c.Channels * c.Positions, nil
}

// Convolve is the convolution in Go, of little-endian bytes with the shapes above:
// what the kernel has to give. The rollout's encoder does the same in its own
// tiles.
func (c Causal) Convolve(x, before []byte, taps []Taps) (y, after []byte, err error) {
	n, err := c.check()
	if err != nil {
		return nil, nil, err
	}
	if len(x) != 2*n*c.Frames || len(before) != 2*n*c.Held || len(taps) != c.Channels*c.Fan {
		return nil, nil, fault.New(fault.ErrShapeMismatch, "causal convolution of %d bytes, %d held, %d taps: want %d, %d and %d", len(x), len(before), len(taps), 2*n*c.Frames, 2*n*c.Held, c.Channels*c.Fan)
	}
	y, after = make([]byte, 2*n*c.Fan*c.Made()), make([]byte, 2*n*c.Kept)
	for i := range n {
		channel, position := i/c.Positions, i%c.Positions
		// frame returns one of the chunk, or where t is negative one before it.
		frame := func(t int) uint16 {
			if t >= 0 {
				return at(x, channel*c.Frames+t, c.Positions, position)
			}
			if c.Held+t >= 0 {
				return at(before, channel*c.Held+c.Held+t, c.Positions, position)
			}
			return 0
		}
		for k := range c.Kept {
			put(after, channel*c.Kept+k, c.Positions, position, frame(c.Frames-c.Kept+k))
		}
		for f := range c.Fan {
			for t := range c.Made() {
				out := (channel*c.Fan+f)*c.Made() + t
				last := c.Stride*t + c.Stride - 1 // the frame now
				if last >= c.Frames {
					put(y, out, c.Positions, position, frame(0)) // a chunk of one frame
					continue
				}
				put(y, out, c.Positions, position, taps[channel*c.Fan+f].apply(frame(last-2), frame(last-1), frame(last)))
			}
		}
	}
	return y, after, nil
}

// apply is one output: half of the sum where that is below zero.
func (w Taps) apply(older, old, now uint16) uint16 {
	sum := float32(w.Older*dtype.Float32FromBFloat16(older)) + float32(w.Old*dtype.Float32FromBFloat16(old))
	sum += float32(w.Now * dtype.Float32FromBFloat16(now))
	sum += w.Bias
	if math.Signbit(float64(sum)) {
		sum *= 0.5
	}
	return dtype.BFloat16FromFloat32(sum)
}

// at and put reach one position of a plane of bfloat16.
func at(b []byte, plane, positions, position int) uint16 {
	return binary.LittleEndian.Uint16(b[2*(plane*positions+position):])
}

func put(b []byte, plane, positions, position int, v uint16) {
	binary.LittleEndian.PutUint16(b[2*(plane*positions+position):], v)
}

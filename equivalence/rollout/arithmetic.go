package rollout

import (
	"encoding/binary"
	"math"

	"github.com/statespec/statespec/reference/dtype"
)

// rounded is a finite float32 rounded to bfloat16, to nearest, ties to even,
// and widened again. It is dtype.BFloat16FromFloat32 without the care for NaN,
// which the model never makes.
func rounded(f float32) float32 {
	bits := math.Float32bits(f)
	return math.Float32frombits((bits + 0x7fff + bits>>16&1) &^ 0xffff)
}

// activated is f, or f·slope below zero, without a branch: the factor is 1
// with its exponent lowered by the sign.
func activated(f float32) float32 {
	return f * math.Float32frombits(0x3f800000-math.Float32bits(f)>>31<<23)
}

// causal is one causal convolution at every position of a row: y of the frame
// now, from the two before it. Y may be now. The conversions round each product
// before it is added: without them a processor may fuse the two.
func (w taps) causal(y, older, old, now []float32) {
	older, old, now = older[:len(y)], old[:len(y)], now[:len(y)]
	for i := range y {
		sum := float32(w.older*older[i]) + float32(w.old*old[i])
		sum += float32(w.now * now[i])
		y[i] = rounded(activated(sum + w.bias))
	}
}

// halve joins two rows of 2n positions to one of n.
func (w square) halve(y, above, below []float32) {
	above, below = above[:2*len(y)], below[:2*len(y)]
	for i := range y {
		sum := float32(w[0]*above[2*i]) + float32(w[1]*above[2*i+1])
		sum += float32(w[2] * below[2*i])
		sum += float32(w[3] * below[2*i+1])
		y[i] = rounded(sum)
	}
}

// mix makes a row of a first-level channel of two rows of colours.
func (m stemMix) mix(y []float32, a, b []uint16) {
	a, b = a[:len(y)], b[:len(y)]
	for i := range y {
		sum := float32(m.wa*dtype.Float32FromBFloat16(a[i])) + float32(m.wb*dtype.Float32FromBFloat16(b[i]))
		y[i] = rounded(activated(sum + m.offset))
	}
}

// read decodes a row of bfloat16.
func read(y []float32, b []byte) {
	b = b[:2*len(y)]
	for i := range y {
		y[i] = dtype.Float32FromBFloat16(binary.LittleEndian.Uint16(b[2*i:]))
	}
}

// write stores a row of values that are bfloat16 already.
func write(b []byte, x []float32) {
	b = b[:2*len(x)]
	for i, v := range x {
		binary.LittleEndian.PutUint16(b[2*i:], uint16(math.Float32bits(v)>>16))
	}
}

// narrow is write to memory that never leaves the process.
func narrow(y []uint16, x []float32) {
	for i, v := range x[:len(y)] {
		y[i] = uint16(math.Float32bits(v) >> 16)
	}
}

// centred maps a pixel to [−1, 1] as the model's pipeline does in bfloat16:
// v/255, times two, less one, each rounded.
func centred() (table [256]float32) {
	for v := range table {
		unit := rounded(float32(v) / 255)
		table[v] = rounded(rounded(2*unit) - 1)
	}
	return table
}

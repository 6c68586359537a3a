package rollout

import "github.com/statespec/statespec/fixtures/fill"

// taps are the weights of one causal convolution of one channel: over three
// frames, oldest first, and a bias. Each is exactly a bfloat16, so that the
// products with bfloat16 inputs are exact in float32.
//
// The history taps are strong, and the slope below zero is mild: with weaker
// ones a change of the cache dies out before it reaches anything. Signs are at
// random, so that values neither grow nor shrink much from layer to layer.
// Biases are never small, so that no sum comes near the subnormals.
type taps struct{ older, old, now, bias float32 }

// slope is what the activation multiplies with below zero, which is exact.
const slope = 0.5

func drawTaps(s *fill.Stream, n int) []taps {
	list := make([]taps, n)
	for i := range list {
		u := s.Uint64()
		list[i] = taps{
			older: signed(0.5, u>>63),
			old:   signed(0.625, u>>62),
			now:   signed(0.5+float32(float32(u>>40&15)/32), u>>61),
			bias:  signed(0.125+float32(float32(u>>32&7)/64), u>>60),
		}
	}
	return list
}

// signed is a magnitude with the sign of bit 0.
func signed(magnitude float32, bit uint64) float32 {
	if bit&1 != 0 {
		return -magnitude
	}
	return magnitude
}

// square are the weights of the four positions that a halving in space joins,
// row-major.
type square [4]float32

func drawSquares(s *fill.Stream, n int) []square {
	list := make([]square, n)
	for i := range list {
		u := s.Uint64()
		list[i] = square{signed(0.5, u>>63), signed(0.375, u>>62), signed(0.375, u>>61), signed(0.25, u>>60)}
	}
	return list
}

// drawSmall returns weights of [−1/scale/2, 1/scale/2), scale a power of two,
// with the seven bits of a bfloat16 and none of them zero.
func drawSmall(s *fill.Stream, n int, scale float32) []float32 {
	list := make([]float32, n)
	for i := range list {
		u := s.Uint64()
		list[i] = signed(float32(1+u>>57)/256/scale, u)
	}
	return list
}

// encoderWeights are one encoder's.
type encoderWeights struct {
	stem  []taps          // of each colour
	mix   []stemMix       // of each channel of the first level
	conv  [Entries][]taps // of each entry but the stem, by output channel
	halve [levels - 1][]square
	dense []float32 // [LatentChannels][channels of the last level]
	bias  []float32 // [LatentChannels]
}

// stemMix makes a channel of the first level of two colours.
type stemMix struct {
	a, b           int
	wa, wb, offset float32
}

func drawEncoder(seed uint64, layout []Entry) *encoderWeights {
	s := stream(seed, ofEncoder)
	w := &encoderWeights{stem: drawTaps(s, ColourChannels)}
	base := layout[entryLevel0].Channels
	w.mix = make([]stemMix, base)
	for g := range w.mix {
		u := s.Uint64()
		w.mix[g] = stemMix{a: g % ColourChannels, b: (g + 1) % ColourChannels,
			wa: signed(0.5+float32(float32(u>>40&15)/64), u>>63), wb: signed(0.25+float32(float32(u>>36&15)/64), u>>62), offset: signed(0.125+float32(float32(u>>32&7)/64), u>>61)}
	}
	for i := entryLevel0; i < Entries; i++ {
		fan := 1
		if i == entryLevel1 || i == entryLevel2 {
			fan = 2
		}
		w.conv[i] = drawTaps(s, fan*layout[i].Channels)
	}
	for i, entry := range []int{entryLevel0, entryTime1, entryTime2} {
		w.halve[i] = drawSquares(s, layout[entry].Channels)
	}
	channels := layout[entryHead].Channels
	w.dense, w.bias = drawSmall(s, LatentChannels*channels, 8), drawSmall(s, LatentChannels, 1)
	return w
}

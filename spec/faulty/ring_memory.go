package faulty

import (
	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/tensor"
)

// ringMemory are faults of how much a ring holds as its session grows.
func ringMemory() []Fault {
	return []Fault{
		{
			Name: "keeps every frame behind those that a buffer shows", Breaks: []string{"RNG-04"},
			Parts: hoarding(1),
		}, {
			Name: "leaks a frame of a thousand in a buffer", Breaks: []string{"RNG-04"},
			Parts: hoarding(1000),
		}, {
			Name: "keeps an encoder frame of twenty for ever", Breaks: []string{"RNG-04"},
			Parts: hoardingStreams(20),
		}, {
			Name: "leaks an encoder frame of a thousand", Breaks: []string{"RNG-04"},
			Parts: hoardingStreams(1000),
		},
	}
}

// oneOf is the rule that every so manieth chunk is kept for ever.
func oneOf(many int) take {
	return func(f *film, n int, chunk *tensor.Tensor) {
		if f.came++; n > 0 && f.came%many == 0 {
			f.add(chunk)
		}
	}
}

// hoarding is a subject whose rings hold frames that they do not show, and count
// them.
func hoarding(many int) parts {
	return filmedRings(oneOf(many), func(b *alteredBuffer, f *film) {
		b.bytes = func() map[tensor.Device]int64 {
			held := b.own.BytesByDevice()
			if n := f.bytes(); n > 0 {
				held[tensor.CPU] += n
			}
			return held
		}
	})
}

func hoardingStreams(many int) parts {
	return filmedStreams(oneOf(many), func(s *alteredStream, f *film) {
		s.bytes = func(name string) (int64, error) {
			n, err := s.State.Bytes(name)
			if name == dreamzero.EncoderOut && resident(s.managed(), name) {
				n += f.bytes()
			}
			return n, err
		}
	})
}

// ringPins are faults of what slices keep alive that a ring was given.
func ringPins() []Fault {
	return []Fault{
		{
			Name: "keeps slices in a buffer's ring and counts their frames", Breaks: []string{"RNG-05"},
			Parts: pinning(func(n int) int { return n }),
		}, {
			Name: "keeps every clip that a buffer's frame was cut from", Breaks: []string{"RNG-05"},
			Parts: pinning(func(int) int { return forEver }),
		}, {
			Name: "keeps the clip of the frame that left, and counts it", Breaks: []string{"RNG-05"},
			Parts: countingPins(),
		}, {
			Name: "keeps slices in the encoder ring and counts their frames", Breaks: []string{"RNG-05"},
			Parts: pinningStreams(func(window int) int { return window }),
		}, {
			Name: "keeps every clip that an encoder frame was cut from", Breaks: []string{"RNG-05"},
			Parts: pinningStreams(func(int) int { return forEver }),
		},
	}
}

// forEver is more chunks than a spec brings.
const forEver = 1 << 20

// holdingOn is the rule that the very chunks are kept of so many frames.
func holdingOn(many func(n int) int) take {
	return func(f *film, n int, chunk *tensor.Tensor) {
		if n > 0 {
			f.chunks = append(f.chunks, chunk)
			f.keepChunks(many(n))
		}
	}
}

func pinning(many func(n int) int) parts {
	return filmedRings(holdingOn(many), func(*alteredBuffer, *film) {})
}

func pinningStreams(many func(n int) int) parts {
	return filmedStreams(holdingOn(many), func(*alteredStream, *film) {})
}

// countingPins has rings keep one clip more than they have frames, and count all
// of them.
func countingPins() parts {
	return filmedRings(holdingOn(func(n int) int { return n + 1 }), func(b *alteredBuffer, f *film) {
		b.bytes = func() map[tensor.Device]int64 {
			held := b.own.BytesByDevice()
			if b.unit() == object.Frames {
				for _, c := range f.chunks {
					held[tensor.CPU] += int64(c.Storage().Len())
				}
			}
			return held
		}
	})
}

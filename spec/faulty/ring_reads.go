package faulty

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
)

// longRing is a number of frames from which on the faults of long rings show.
const longRing = 5

// ringReads are faults of what a window holds that may be read.
func ringReads() []Fault {
	return []Fault{
		{
			Name: "reads a short window from a buffer's oldest frame on", Breaks: []string{"RNG-03"},
			Parts: lasts(func(b *alteredBuffer, n int) (*tensor.Tensor, error) {
				held, err := b.own.Last(max(n, b.own.Len()))
				if err != nil {
					return nil, err
				}
				return head(held, ringAxis(b), n)
			}),
		}, {
			Name: "reads a short window without the newest frame", Breaks: []string{"RNG-03"},
			Parts: lasts(func(b *alteredBuffer, n int) (*tensor.Tensor, error) {
				held, err := b.own.Last(min(n+1, max(n, b.own.Len())))
				if err != nil {
					return nil, err
				}
				return head(held, ringAxis(b), n)
			}),
		}, {
			Name: "reads a long ring by its slots", Breaks: []string{"RNG-03"},
			Parts: bySlots,
		}, {
			Name: "rounds the float32 frames of a buffer to bfloat16", Breaks: []string{"RNG-03"},
			Follows: []string{"OBJ-16"}, // it does not round what is promoted
			Parts: buffers(func(b *alteredBuffer) {
				b.commit = func(ps ...*tensor.Tensor) error {
					if bound, _ := b.own.Bound(); bound.Unit == object.Frames && bound.N > 1 {
						ps = slices.Clone(ps)
						for i, p := range ps {
							ps[i] = rounded(p)
						}
					}
					return b.own.Commit(ps...)
				}
			}),
		}, {
			Name: "reads a long encoder ring from its oldest frame on", Breaks: []string{"RNG-03"},
			Parts: streams(func(s *alteredStream) {
				s.observe = func(n int) (*tensor.Tensor, error) {
					held := s.State.EncoderFrames()
					if s.managed().Window() < longRing || n < 1 || n > held {
						return s.State.ObserveLatents(n)
					}
					all, err := s.State.ObserveLatents(held)
					if err != nil {
						return nil, err
					}
					return head(all, streamAxis, n)
				}
			}),
		}, {
			Name: "shows the encoder frame before the newest twice in a long ring", Breaks: []string{"RNG-03"},
			Parts: streams(func(s *alteredStream) {
				s.observe = func(n int) (*tensor.Tensor, error) {
					window, err := s.State.ObserveLatents(n)
					if err != nil || s.managed().Window() < longRing || n < 2 || n > s.State.EncoderFrames() {
						return window, err
					}
					front, err := head(window, streamAxis, n-1)
					if err != nil {
						return nil, err
					}
					again, err := tail(front, streamAxis, 1)
					if err != nil {
						return nil, err
					}
					return tensor.Cat(streamAxis, front, again)
				}
			}),
		}, {
			Name: "rounds float32 encoder frames to bfloat16", Breaks: []string{"RNG-03"}, Follows: []string{"RNG-07", "RNG-07.threads", "EQV-03", "EQV-06"}, // what is quantised is other frames
			Parts: streams(func(s *alteredStream) {
				s.seed = func(c *tensor.Tensor) error { return s.State.SeedEncoder(rounded(c)) }
				s.append = func(c *tensor.Tensor) error { return s.State.AppendEncoderChunk(rounded(c)) }
			}),
		},
	}
}

// lasts is a subject whose buffers read the last frames in another way.
func lasts(last func(b *alteredBuffer, n int) (*tensor.Tensor, error)) func() subject.Parts {
	return buffers(func(b *alteredBuffer) {
		b.last = func(n int) (*tensor.Tensor, error) {
			if _, err := b.own.Last(n); err != nil {
				return nil, err
			}
			return last(b, n)
		}
	})
}

// ringAxis is the time axis of a buffer bounded in frames.
func ringAxis(b *alteredBuffer) int {
	bound, _ := b.own.Bound()
	return bound.Axis
}

// bySlots is a subject whose long buffers show frames in the order of the slots
// that they are in, once those have been taken in turn.
func bySlots() subject.Parts {
	return subject.Parts{StateObject: buffersOf(func(b *alteredBuffer) {
		came := 0
		b.allocate = func(bound object.Bound) error { came = 0; return b.own.Allocate(bound) }
		b.commit = func(ps ...*tensor.Tensor) error {
			err := b.own.Commit(ps...)
			if err == nil && b.unit() == object.Frames {
				for _, p := range ps {
					came += p.Dim(ringAxis(b))
				}
			}
			return err
		}
		b.last = func(n int) (*tensor.Tensor, error) {
			window, err := b.own.Last(n)
			bound, _ := b.own.Bound()
			if turned := came % max(bound.N, 1); err == nil && n == bound.N && n >= longRing && turned > 0 {
				old, _ := head(window, bound.Axis, n-turned)
				young, _ := tail(window, bound.Axis, turned)
				return tensor.Cat(bound.Axis, young, old)
			}
			return window, err
		}
	})}
}

// rounded is a float32 tensor with the precision of bfloat16; others are left.
func rounded(t *tensor.Tensor) *tensor.Tensor {
	if t == nil || t.DType() != dtype.Float32 {
		return t
	}
	t = t.Clone()
	raw := t.Storage().Bytes()
	for at := 0; at < len(raw); at += 4 {
		binary.LittleEndian.PutUint16(raw[at:], 0)
	}
	return t
}

// overReads are faults of what is asked for beyond what a ring retains.
func overReads() []Fault {
	return []Fault{
		{
			Name: "over-read of the encoder returns padding", Breaks: []string{"RNG-02"},
			Parts: overReading(func(s *alteredStream, n int, _ error) (*tensor.Tensor, error) {
				return paddedTo(s, n, s.managed().Window())
			}),
		}, {
			Name: "over-read of the encoder returns a shorter window", Breaks: []string{"RNG-02"},
			Parts: overReading(func(s *alteredStream, _ int, _ error) (*tensor.Tensor, error) {
				return s.State.ObserveLatents(s.managed().Window())
			}),
		}, {
			Name: "refuses an over-read of the encoder only once its ring is full", Breaks: []string{"RNG-02"},
			Parts: overReading(func(s *alteredStream, n int, refusal error) (*tensor.Tensor, error) {
				if s.State.EncoderFrames() == s.managed().Window() {
					return nil, refusal
				}
				return paddedTo(s, n, s.managed().Window())
			}),
		}, {
			Name: "refuses the encoder one frame too many and pads more", Breaks: []string{"RNG-02"},
			Parts: overReading(func(s *alteredStream, n int, refusal error) (*tensor.Tensor, error) {
				if n == s.managed().Window()+1 {
					return nil, refusal
				}
				return paddedTo(s, n, s.managed().Window())
			}),
		}, {
			Name: "calls an over-read not ready", Breaks: []string{"RNG-02.kind"},
			Parts: overReading(func(_ *alteredStream, n int, _ error) (*tensor.Tensor, error) {
				return nil, fault.New(fault.ErrNotReady, "observe %d latent frames: not so many yet", n)
			}),
		}, {
			Name: "calls an over-read an invalid argument", Breaks: []string{"RNG-02.kind"},
			Parts: overReading(func(_ *alteredStream, n int, _ error) (*tensor.Tensor, error) {
				return nil, fault.New(fault.ErrInvalidArgument, "observe %d latent frames", n)
			}),
		}, {
			Name: "over-read of a buffer returns fewer", Breaks: []string{"RNG-02.view"},
			Parts: overReadingBuffers(func(b *alteredBuffer, _ int, _ error) (*tensor.Tensor, error) {
				return b.own.Last(b.own.Len())
			}),
		}, {
			Name: "over-read of a buffer returns padding", Breaks: []string{"RNG-02.view"},
			Met:   "the real ring, which leaves it to the reader to refuse",
			Parts: overReadingBuffers(paddedBuffer),
		}, {
			Name: "refuses an over-read of a buffer only once it is full", Breaks: []string{"RNG-02.view"},
			Parts: overReadingBuffers(func(b *alteredBuffer, n int, refusal error) (*tensor.Tensor, error) {
				if bound, _ := b.own.Bound(); b.own.Len() == bound.N {
					return nil, refusal
				}
				return paddedBuffer(b, n, refusal)
			}),
		},
	}
}

// overReading is a subject whose managed readers answer an over-read in another
// way; refusal is what is due.
func overReading(answer func(s *alteredStream, n int, refusal error) (*tensor.Tensor, error)) func() subject.Parts {
	return streams(func(s *alteredStream) {
		s.observe = func(n int) (*tensor.Tensor, error) {
			window, err := s.State.ObserveLatents(n)
			if errors.Is(err, fault.ErrOverRead) {
				return answer(s, n, err)
			}
			return window, err
		}
	})
}

// overReadingBuffers is the same of buffers.
func overReadingBuffers(answer func(b *alteredBuffer, n int, refusal error) (*tensor.Tensor, error)) func() subject.Parts {
	return buffers(func(b *alteredBuffer) {
		b.last = func(n int) (*tensor.Tensor, error) {
			window, err := b.own.Last(n)
			if errors.Is(err, fault.ErrOverRead) {
				return answer(b, n, err)
			}
			return window, err
		}
	})
}

// paddedTo is a window of n frames of a state that can read fewer, with the
// newest in front.
func paddedTo(s dreamzero.State, n, fewer int) (*tensor.Tensor, error) {
	if own, altered := s.(*alteredStream); altered {
		s = own.State
	}
	window, err := s.ObserveLatents(fewer)
	if err != nil {
		return nil, err
	}
	return padded(window, streamAxis, n, fewer-1)
}

func paddedBuffer(b *alteredBuffer, n int, _ error) (*tensor.Tensor, error) {
	held := b.own.Len()
	window, err := b.own.Last(held)
	if err != nil {
		return nil, err
	}
	return padded(window, ringAxis(b), n, held-1)
}

package faulty

import (
	"errors"

	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/tensor"
)

// frameShapes are faults of frames of another shape than the ring's.
func frameShapes() []Fault {
	const met = "the real managed path, which fails at the read, until the ring has turned"
	return []Fault{
		{
			Name: "takes a frame of another shape into a buffer and fails at the read", Met: met, Breaks: []string{"RNG-10"},
			Parts: takesAny(),
		}, {
			Name: "takes an encoder frame of another shape and fails at the read", Met: met, Breaks: []string{"RNG-10"}, Follows: []string{"EQV-11"},
			Parts: takesAnyStream(),
		}, {
			Name: "refuses a frame of another shape and is empty after it", Breaks: []string{"RNG-10"},
			Parts: misfits(func(b *alteredBuffer, _ *tensor.Tensor, refusal error) error {
				bound, _ := b.own.Bound()
				b.own.Allocate(bound)
				return refusal
			}),
		}, {
			Name: "refuses an encoder frame of another shape and forgets the oldest", Breaks: []string{"RNG-10"},
			Parts: misfitStreams(func(s *alteredStream, _ *tensor.Tensor, refusal error) error {
				left, err := s.held(s.State.EncoderFrames() - 1)
				if err == nil {
					s.refill(left)
				}
				return refusal
			}),
		}, {
			Name: "compares frames by how many elements they have", Breaks: []string{"RNG-10"},
			Parts: misfits(func(b *alteredBuffer, chunk *tensor.Tensor, refusal error) error {
				newest, err := b.own.Last(1)
				if err != nil || newest.NumElements() != chunk.NumElements() {
					return refusal
				}
				as, err := chunk.Clone().Reshape(newest.Shape()...)
				if err != nil {
					return refusal
				}
				return b.own.Commit(as)
			}),
		}, {
			Name: "compares encoder frames by how many elements they have", Breaks: []string{"RNG-10"},
			Parts: misfitStreams(func(s *alteredStream, chunk *tensor.Tensor, refusal error) error {
				newest, err := s.held(1)
				if err != nil || newest == nil || newest.NumElements() != chunk.NumElements() {
					return refusal
				}
				as, err := chunk.Clone().Reshape(newest.Shape()...)
				if err != nil {
					return refusal
				}
				return s.State.AppendEncoderChunk(as)
			}),
		}, {
			Name: "dies of a frame of another shape", Breaks: []string{"RNG-10", "RNG-10.kind"},
			Parts: misfits(func(_ *alteredBuffer, _ *tensor.Tensor, refusal error) error { panic(refusal) }),
		}, {
			Name: "calls a frame of another shape an invalid argument", Breaks: []string{"RNG-10.kind"},
			Parts: misfits(func(_ *alteredBuffer, chunk *tensor.Tensor, _ error) error {
				return fault.New(fault.ErrInvalidArgument, "commit %v", chunk)
			}),
		}, {
			Name: "calls an encoder frame of another shape not ready", Breaks: []string{"RNG-10.kind"},
			Parts: misfitStreams(func(_ *alteredStream, chunk *tensor.Tensor, _ error) error {
				return fault.New(fault.ErrNotReady, "append %v", chunk)
			}),
		},
	}
}

// misfits is a subject whose rings, of frames, do something else with a chunk of
// another shape; refusal is what is due.
func misfits(otherwise func(b *alteredBuffer, chunk *tensor.Tensor, refusal error) error) parts {
	return buffers(func(b *alteredBuffer) {
		b.commit = func(ps ...*tensor.Tensor) error {
			err := b.own.Commit(ps...)
			if b.unit() == object.Frames && len(ps) == 1 && errors.Is(err, fault.ErrShapeMismatch) {
				return otherwise(b, ps[0], err)
			}
			return err
		}
	})
}

// misfitStreams is the same of DreamZero's encoder streams.
func misfitStreams(otherwise func(s *alteredStream, chunk *tensor.Tensor, refusal error) error) parts {
	return streams(func(s *alteredStream) {
		s.append = func(chunk *tensor.Tensor) error {
			err := s.State.AppendEncoderChunk(chunk)
			if errors.Is(err, fault.ErrShapeMismatch) {
				return otherwise(s, chunk, err)
			}
			return err
		}
	})
}

// A misfit is the refusal of a chunk that a ring took all the same, until as many
// have come after it as the ring has frames.
type misfit struct {
	refusal error
	after   int
}

// took notes a chunk that was taken, and any that was not.
func (m *misfit) took(refusal error, frames int) {
	switch {
	case refusal != nil:
		*m = misfit{refusal: refusal}
	case m.refusal != nil:
		if m.after++; m.after >= frames {
			*m = misfit{}
		}
	}
}

// takesAny is a subject whose rings find out at the read that a chunk does not
// join the others.
func takesAny() parts {
	return buffers(func(b *alteredBuffer) {
		var m misfit
		b.allocate = func(bound object.Bound) error { m = misfit{}; return b.own.Allocate(bound) }
		b.commit = func(ps ...*tensor.Tensor) error {
			err := b.own.Commit(ps...)
			bound, _ := b.own.Bound()
			if bound.Unit != object.Frames || err != nil && !errors.Is(err, fault.ErrShapeMismatch) {
				return err
			}
			m.took(err, bound.N)
			return nil
		}
		b.last = func(n int) (*tensor.Tensor, error) {
			if m.refusal != nil {
				return nil, m.refusal
			}
			return b.own.Last(n)
		}
	})
}

// takesAnyStream is the same of DreamZero's encoder streams.
func takesAnyStream() parts {
	return streams(func(s *alteredStream) {
		var m misfit
		s.seed = func(chunk *tensor.Tensor) error { m = misfit{}; return s.State.SeedEncoder(chunk) }
		s.append = func(chunk *tensor.Tensor) error {
			err := s.State.AppendEncoderChunk(chunk)
			if err != nil && !errors.Is(err, fault.ErrShapeMismatch) {
				return err
			}
			m.took(err, s.managed().Window())
			return nil
		}
		s.observe = func(n int) (*tensor.Tensor, error) {
			if m.refusal != nil {
				return nil, m.refusal
			}
			return s.State.ObserveLatents(n)
		}
	})
}

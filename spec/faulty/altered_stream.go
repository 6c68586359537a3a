package faulty

import (
	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
)

// streamAxis is the time axis of encoder output (B, C, T, H, W).
const streamAxis = 2

// An alteredStream is a state of DreamZero of which a fault has replaced some
// steps of the encoder stream, of the stitched frames and of the resets. They
// begin as its own.
type alteredStream struct {
	dreamzero.State

	accumulate   func(frames *tensor.Tensor) (*tensor.Tensor, error)
	seed, append func(chunk *tensor.Tensor) error
	observe      func(n int) (*tensor.Tensor, error)
	frames       func() int
	windowReset  func() error
	sessionReset func() error
	bytes        func(name string) (int64, error)
}

// streams is a subject whose states are altered on the managed path.
func streams(change func(*alteredStream)) func() subject.Parts {
	return adapted(func(m *dreamzero.Managed) dreamzero.State { return altering(m, change) })
}

// bespokeStreams is a subject whose states are altered on the bespoke path.
func bespokeStreams(change func(*alteredStream)) func() subject.Parts {
	return func() subject.Parts {
		return subject.Parts{Store: func(own dreamzero.Store) dreamzero.Store {
			return stated{own, func(_ string, st dreamzero.State) dreamzero.State {
				if st.Path() == dreamzero.ManagedPath {
					return st
				}
				return altering(st, change)
			}}
		}}
	}
}

func altering(own dreamzero.State, change func(*alteredStream)) *alteredStream {
	s := &alteredStream{State: own, accumulate: own.AccumulateFrames, seed: own.SeedEncoder, append: own.AppendEncoderChunk,
		observe: own.ObserveLatents, frames: own.EncoderFrames, windowReset: own.WindowReset, sessionReset: own.SessionReset, bytes: own.Bytes}
	change(s)
	return s
}

func (s *alteredStream) AccumulateFrames(f *tensor.Tensor) (*tensor.Tensor, error) {
	return s.accumulate(f)
}
func (s *alteredStream) SeedEncoder(chunk *tensor.Tensor) error        { return s.seed(chunk) }
func (s *alteredStream) AppendEncoderChunk(chunk *tensor.Tensor) error { return s.append(chunk) }
func (s *alteredStream) ObserveLatents(n int) (*tensor.Tensor, error)  { return s.observe(n) }
func (s *alteredStream) EncoderFrames() int                            { return s.frames() }
func (s *alteredStream) WindowReset() error                            { return s.windowReset() }
func (s *alteredStream) SessionReset() error                           { return s.sessionReset() }
func (s *alteredStream) Bytes(name string) (int64, error)              { return s.bytes(name) }

// managed is the state that it stands in front of, on the managed path.
func (s *alteredStream) managed() *dreamzero.Managed { return s.State.(*dreamzero.Managed) }

// ring is the session's ring of encoder output.
func (s *alteredStream) ring() *object.LatentBuffer {
	o, err := s.managed().Session().Object(dreamzero.EncoderOut)
	if err != nil {
		return nil
	}
	ring, _ := o.(*object.LatentBuffer)
	return ring
}

// refill has the ring hold other frames, nil for none.
func (s *alteredStream) refill(frames *tensor.Tensor) error {
	ring := s.ring()
	bound, _ := ring.Bound()
	if err := ring.Allocate(bound); err != nil || frames == nil {
		return err
	}
	return ring.Append(frames)
}

// film has the state remember encoder frames in a film: of every chunk that it
// took the rule says what becomes of it there.
func (s *alteredStream) film(f *film, rule take) {
	remember := func(chunk *tensor.Tensor, err error) error {
		if err == nil {
			rule(f, s.managed().Window(), chunk)
		}
		return err
	}
	s.seed = func(chunk *tensor.Tensor) error { f.clear(); return remember(chunk, s.State.SeedEncoder(chunk)) }
	s.append = func(chunk *tensor.Tensor) error { return remember(chunk, s.State.AppendEncoderChunk(chunk)) }
	s.sessionReset = func() error { f.clear(); return s.State.SessionReset() }
}

// filmedStreams is a subject whose adapters remember a film each, that change may
// use in what else it replaces.
func filmedStreams(rule take, change func(*alteredStream, *film)) parts {
	return streams(func(s *alteredStream) {
		f := &film{axis: streamAxis}
		s.film(f, rule)
		change(s, f)
	})
}

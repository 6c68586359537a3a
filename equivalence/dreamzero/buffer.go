package dreamzero

import (
	"errors"

	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/object"
)

// ErrOtherWindow is the kind, beside fault.ErrInvalidArgument, of a refusal to
// read one session's encoder ring through another window than it has: two
// adapters of different num_frame_per_block would each be given what the other
// does not retain.
var ErrOtherWindow = errors.New("another encoder window")

// buffer returns the latent buffer of a name, made with a bound when the
// session has none that is resident. One that is there is taken as it is.
func buffer(s *manager.Session, name string, bound object.Bound) (*object.LatentBuffer, error) {
	obj, err := s.GetOrCreate(name, func() (object.StateObject, error) {
		b := object.NewLatentBuffer(name)
		return b, b.Allocate(bound)
	}, nil)
	if err != nil {
		return nil, err
	}
	b, ok := obj.(*object.LatentBuffer)
	if !ok {
		return nil, fault.New(fault.ErrTypeMismatch, "buffer %q of session %q: it is a %T, not a latent buffer", name, s.ID(), obj)
	}
	return b, nil
}

// frameBuffer returns the ring of stitched frames.
func frameBuffer(s *manager.Session) (*object.LatentBuffer, error) {
	return buffer(s, StitchedFrames, frameBound())
}

func frameBound() object.Bound {
	return object.Bound{Unit: object.Frames, N: FramesPerChunk, Axis: 0}
}

// latentBuffer returns the buffer of video latents.
func latentBuffer(s *manager.Session) (*object.LatentBuffer, error) {
	return buffer(s, VideoLatents, object.Bound{})
}

// encoderRing returns the ring of encoder output. The ring itself remembers
// the session's window; whoever has another is refused.
func encoderRing(s *manager.Session, window int) (*object.LatentBuffer, error) {
	b, err := buffer(s, EncoderOut, encoderBound(window))
	if err != nil {
		return nil, err
	}
	if bound, allocated := b.Bound(); allocated && bound != encoderBound(window) {
		return nil, fault.Also(fault.ErrInvalidArgument, ErrOtherWindow, "encoder window %d of session %q: its ring is bounded at %v", window, s.ID(), bound)
	}
	return b, nil
}

func encoderBound(window int) object.Bound {
	return object.Bound{Unit: object.Frames, N: window, Axis: timeAxis}
}

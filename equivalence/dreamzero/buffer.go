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
	return asBuffer(s, name, obj)
}

func asBuffer(s *manager.Session, name string, obj object.StateObject) (*object.LatentBuffer, error) {
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
	if err := checkBound(s, b, window); err != nil {
		return nil, err
	}
	return b, nil
}

// checkRing refuses what encoderRing would refuse, and makes nothing. A ring
// that is not there, or not resident, is yet to be made.
func checkRing(s *manager.Session, window int) error {
	obj, err := s.Object(EncoderOut)
	if err != nil || !obj.Resident() {
		return nil
	}
	b, err := asBuffer(s, EncoderOut, obj)
	if err != nil {
		return err
	}
	return checkBound(s, b, window)
}

func checkBound(s *manager.Session, b *object.LatentBuffer, window int) error {
	if bound, allocated := b.Bound(); allocated && bound != encoderBound(window) {
		return fault.Also(fault.ErrInvalidArgument, ErrOtherWindow, "encoder window %d of session %q: its ring is bounded at %v", window, s.ID(), bound)
	}
	return nil
}

func encoderBound(window int) object.Bound {
	return object.Bound{Unit: object.Frames, N: window, Axis: timeAxis}
}

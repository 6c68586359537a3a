package dreamzero

import (
	"slices"

	"github.com/statespec/statespec/reference/account"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/tensor"
)

// Managed is the state as an adapter over a session of the manager: it holds
// the session and nothing of its own, so that a second adapter sees what the
// first wrote. What accumulates is in latent buffers, made when first needed;
// the rest is attributes.
type Managed struct {
	session   *manager.Session
	window    int
	quantiser Quantiser
}

var _ State = (*Managed)(nil)

// NewManaged returns an adapter over a session whose encoder ring retains
// window frames. A nil quantiser is Identity. A window below one, and one that
// is not the session's (ErrOtherWindow), are ErrInvalidArgument.
func NewManaged(s *manager.Session, window int, quantiser Quantiser) (*Managed, error) {
	if s == nil {
		return nil, fault.New(fault.ErrInvalidArgument, "adapter over a nil session")
	}
	if err := checkWindow(window); err != nil {
		return nil, err
	}
	if quantiser == nil {
		quantiser = Identity{}
	}
	// The empty ring is there from now on, for the next adapter to see its bound.
	if _, err := encoderRing(s, window); err != nil {
		return nil, err
	}
	return &Managed{session: s, window: window, quantiser: quantiser}, nil
}

func checkWindow(window int) error {
	if window < 1 {
		return fault.New(fault.ErrInvalidArgument, "encoder window %d: at least 1 frame", window)
	}
	return nil
}

// Path returns ManagedPath.
func (m *Managed) Path() string { return ManagedPath }

// Session returns the session that holds the state.
func (m *Managed) Session() *manager.Session { return m.session }

// Window returns the frames that the encoder ring retains.
func (m *Managed) Window() int { return m.window }

// AccumulateFrames is State's.
func (m *Managed) AccumulateFrames(frames *tensor.Tensor) (*tensor.Tensor, error) {
	return m.accumulate(frames, tensor.New)
}

// AccumulateFramesInto is AccumulateFrames with the clip written into a tensor of
// the caller's: of the frames' dtype, and as long as the clip is, one frame for the
// first call and four from then on.
func (m *Managed) AccumulateFramesInto(into, frames *tensor.Tensor) error {
	_, err := m.accumulate(frames, func(dt dtype.DType, shape ...int) (*tensor.Tensor, error) {
		if into == nil || into.DType() != dt || !slices.Equal(into.Shape(), shape) {
			return nil, fault.New(fault.ErrInvalidArgument, "accumulate into %v: want %v of shape %v", into, dt, shape)
		}
		return into, nil
	})
	return err
}

// accumulate stores frames and writes the clip that is due into what into makes.
func (m *Managed) accumulate(frames *tensor.Tensor, into func(dtype.DType, ...int) (*tensor.Tensor, error)) (*tensor.Tensor, error) {
	c, err := clip(frames)
	if err != nil {
		return nil, err
	}
	calls, err := read(m.session, callCount)
	if err != nil {
		return nil, err
	}
	ring, err := frameBuffer(m.session)
	if err != nil {
		return nil, err
	}
	like := c
	if c.Dim(0) == 0 { // whose own shape says nothing
		if ring.Len() == 0 {
			return nil, noFrames(c)
		}
		if like, err = ring.Last(1); err != nil {
			return nil, err
		}
	}
	shape := like.Shape()
	shape[0] = framesDue(calls)
	due, err := into(like.DType(), shape...)
	if err != nil {
		return nil, err
	}
	if c.Dim(0) > 0 {
		if err := ring.Append(c); err != nil {
			return nil, err
		}
	}
	if err := padWindow(due, ring); err != nil {
		return nil, err
	}
	callCount.Set(m.session, calls+1)
	return due, nil
}

// padWindow copies the last frames of a ring that has at least one into a clip, its
// oldest repeated in front of what is there.
func padWindow(into *tensor.Tensor, ring *object.LatentBuffer) error {
	due := into.Dim(0)
	missing := max(0, due-ring.Len())
	held, err := into.Narrow(0, missing, due-missing)
	if err != nil {
		return err
	}
	if err := ring.CopyLast(held); err != nil || missing == 0 {
		return err
	}
	oldest, err := held.Narrow(0, 0, 1)
	if err != nil {
		return err
	}
	for i := range missing {
		to, err := into.Narrow(0, i, 1)
		if err != nil {
			return err
		}
		if err := to.CopyFrom(oldest); err != nil {
			return err
		}
	}
	return nil
}

// AppendVideoLatents is State's.
func (m *Managed) AppendVideoLatents(latents *tensor.Tensor) error {
	chunk, err := latentChunk(latents)
	if err != nil {
		return err
	}
	b, err := latentBuffer(m.session)
	if err != nil {
		return err
	}
	held, err := b.View(object.ViewOptions{})
	if err != nil {
		return err
	}
	if len(held) > 0 {
		if err := joins("append video latents", chunk, held[0], timeAxis); err != nil {
			return err
		}
	}
	return b.Append(chunk)
}

// ConcatenatedVideoLatents is State's.
func (m *Managed) ConcatenatedVideoLatents() (*tensor.Tensor, error) {
	b, err := latentBuffer(m.session)
	if err != nil {
		return nil, err
	}
	chunks, err := b.View(object.ViewOptions{})
	if err != nil {
		return nil, err
	}
	switch len(chunks) {
	case 0:
		return nil, nil
	case 1:
		return chunks[0], nil
	}
	return tensor.Cat(timeAxis, chunks...)
}

// ClearVideoLatents is State's.
func (m *Managed) ClearVideoLatents() error {
	b, err := latentBuffer(m.session)
	if err != nil {
		return err
	}
	return b.Allocate(object.Bound{})
}

// SeedEncoder is State's.
func (m *Managed) SeedEncoder(chunk *tensor.Tensor) error {
	if err := seedChunk(chunk); err != nil {
		return err
	}
	ring, err := encoderRing(m.session, m.window)
	if err != nil {
		return err
	}
	if err := ring.Allocate(encoderBound(m.window)); err != nil {
		return err
	}
	if err := ring.Append(chunk); err != nil {
		return err
	}
	streamInitialized.Set(m.session, true)
	return nil
}

// AppendEncoderChunk is State's.
func (m *Managed) AppendEncoderChunk(chunk *tensor.Tensor) error {
	if err := encoderChunk("append to the encoder stream", chunk); err != nil {
		return err
	}
	ring, err := encoderRing(m.session, m.window)
	if err != nil {
		return err
	}
	if ring.Len() == 0 {
		return notSeeded()
	}
	return ring.Append(chunk)
}

// ResetEncoderStream is State's.
func (m *Managed) ResetEncoderStream() error {
	ring, err := encoderRing(m.session, m.window)
	if err != nil {
		return err
	}
	if err := ring.Allocate(encoderBound(m.window)); err != nil {
		return err
	}
	featureMap.Clear(m.session)
	pendingFrames.Clear(m.session)
	streamInitialized.Clear(m.session)
	return nil
}

// EncoderFrames is State's: at most the window.
func (m *Managed) EncoderFrames() int {
	obj, err := m.session.Object(EncoderOut)
	if err != nil {
		return 0 // an object that is not there holds none
	}
	return obj.Len()
}

// ObserveLatents is State's. It quantises the frames asked for and no others.
func (m *Managed) ObserveLatents(n int) (*tensor.Tensor, error) {
	if n < 1 {
		return nil, notPositive(n)
	}
	ring, err := encoderRing(m.session, m.window)
	if err != nil {
		return nil, err
	}
	if n > m.window {
		return nil, fault.New(fault.ErrOverRead, "observe %d latent frames: the session retains at most %d", n, m.window)
	}
	held := ring.Len()
	if held == 0 {
		return nil, noEncoderOutput(n)
	}
	frames, err := ring.Last(min(n, held))
	if err != nil {
		return nil, err
	}
	return observe(m.quantiser, frames, n)
}

// WindowReset is State's.
func (m *Managed) WindowReset() error {
	frames, err := frameBuffer(m.session)
	if err != nil {
		return err
	}
	if err := frames.Allocate(frameBound()); err != nil {
		return err
	}
	callCount.Clear(m.session)
	currentStartFrame.Clear(m.session)
	clipFeatures.Clear(m.session)
	imageCondition.Clear(m.session)
	return nil
}

// SessionReset is State's. It clears DreamZero's values and leaves those of
// others in the session.
func (m *Managed) SessionReset() error {
	if err := m.ResetEncoderStream(); err != nil {
		return err
	}
	if err := m.ClearVideoLatents(); err != nil {
		return err
	}
	language.Clear(m.session)
	promptEmbeds.Clear(m.session)
	return m.WindowReset()
}

// Bytes is State's.
func (m *Managed) Bytes(name string) (int64, error) {
	if isBuffer(name) {
		obj, err := m.session.Object(name)
		if err != nil {
			return 0, nil // not there: it holds nothing
		}
		return account.Measure(obj).Total, nil
	}
	value, err := m.Get(name)
	if err != nil {
		return 0, bytesError(name)
	}
	return account.Measure(value).Total, nil
}

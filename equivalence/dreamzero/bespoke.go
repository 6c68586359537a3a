package dreamzero

import (
	"slices"

	"github.com/statespec/statespec/reference/account"
	"github.com/statespec/statespec/reference/tensor"
)

// Bespoke is the state as models wrote it by hand before there was a manager:
// plain fields. The encoder output is one tensor that each chunk is
// concatenated to and that only a session reset (or a new seed) clears, so it
// grows as long as the session lives, and reading it costs ever more.
type Bespoke struct {
	quantiser Quantiser

	frames     []*tensor.Tensor // (H, W, C), oldest first, at most four
	latents    []*tensor.Tensor // (B, C, T, H, W)
	encoderOut *tensor.Tensor   // (B, C, T, H, W), nil when there is none

	featureMap     any
	clipFeatures   any
	imageCondition any
	language       any
	promptEmbeds   any
	pendingFrames  any

	callCount         int
	currentStartFrame int
	streamInitialized bool
}

var _ State = (*Bespoke)(nil)

// NewBespoke returns an empty state. A nil quantiser is Identity.
func NewBespoke(quantiser Quantiser) *Bespoke {
	if quantiser == nil {
		quantiser = Identity{}
	}
	return &Bespoke{quantiser: quantiser}
}

// Path returns BespokePath.
func (b *Bespoke) Path() string { return BespokePath }

// AccumulateFrames is State's.
func (b *Bespoke) AccumulateFrames(frames *tensor.Tensor) (*tensor.Tensor, error) {
	c, err := clip(frames)
	if err != nil {
		return nil, err
	}
	if err := b.storeFrames(c); err != nil {
		return nil, err
	}
	due := framesDue(b.callCount)
	window := slices.Clone(b.frames[max(0, len(b.frames)-due):])
	for len(window) < due {
		window = slices.Insert(window, 0, b.frames[0])
	}
	stacked, err := stack(window)
	if err != nil {
		return nil, err
	}
	b.callCount++
	return stacked, nil
}

// storeFrames adds the frames of a clip and lets go of all but the last four.
func (b *Bespoke) storeFrames(c *tensor.Tensor) error {
	total := c.Dim(0)
	if total == 0 {
		if len(b.frames) == 0 {
			return noFrames(c)
		}
		return nil
	}
	if len(b.frames) > 0 {
		held, err := stack(b.frames[:1])
		if err != nil {
			return err
		}
		if err := joins("accumulate", c, held, 0); err != nil {
			return err
		}
	}
	for i := max(0, total-FramesPerChunk); i < total; i++ {
		frame, err := c.Select(0, i)
		if err != nil {
			return err
		}
		b.frames = append(b.frames, frame.Clone())
	}
	b.frames = slices.Delete(b.frames, 0, max(0, len(b.frames)-FramesPerChunk))
	return nil
}

// stack joins tensors of one shape along a new first axis.
func stack(ts []*tensor.Tensor) (*tensor.Tensor, error) {
	raised := make([]*tensor.Tensor, len(ts))
	for i, t := range ts {
		var err error
		if raised[i], err = t.Expand(append([]int{1}, t.Shape()...)...); err != nil {
			return nil, err
		}
	}
	return tensor.Cat(0, raised...)
}

// AppendVideoLatents is State's.
func (b *Bespoke) AppendVideoLatents(latents *tensor.Tensor) error {
	chunk, err := latentChunk(latents)
	if err != nil {
		return err
	}
	if len(b.latents) > 0 {
		if err := joins("append video latents", chunk, b.latents[0], timeAxis); err != nil {
			return err
		}
	}
	b.latents = append(b.latents, chunk.Clone())
	return nil
}

// ConcatenatedVideoLatents is State's.
func (b *Bespoke) ConcatenatedVideoLatents() (*tensor.Tensor, error) {
	switch len(b.latents) {
	case 0:
		return nil, nil
	case 1:
		return b.latents[0], nil
	}
	return tensor.Cat(timeAxis, b.latents...)
}

// ClearVideoLatents is State's.
func (b *Bespoke) ClearVideoLatents() error {
	b.latents = nil
	return nil
}

// SeedEncoder is State's.
func (b *Bespoke) SeedEncoder(chunk *tensor.Tensor) error {
	if err := seedChunk(chunk); err != nil {
		return err
	}
	held, err := chunk.Copy()
	if err != nil {
		return err
	}
	b.encoderOut, b.streamInitialized = held, true
	return nil
}

// AppendEncoderChunk is State's.
func (b *Bespoke) AppendEncoderChunk(chunk *tensor.Tensor) error {
	if err := encoderChunk("append to the encoder stream", chunk); err != nil {
		return err
	}
	if b.encoderOut == nil {
		return notSeeded()
	}
	if err := joins("append to the encoder stream", chunk, b.encoderOut, timeAxis); err != nil {
		return err
	}
	longer, err := tensor.Cat(timeAxis, b.encoderOut, chunk)
	if err != nil {
		return err
	}
	b.encoderOut = longer
	return nil
}

// ResetEncoderStream is State's.
func (b *Bespoke) ResetEncoderStream() error {
	b.encoderOut, b.featureMap, b.pendingFrames, b.streamInitialized = nil, nil, nil, false
	return nil
}

// EncoderFrames is State's: every frame since the seed.
func (b *Bespoke) EncoderFrames() int {
	if b.encoderOut == nil {
		return 0
	}
	return b.encoderOut.Dim(timeAxis)
}

// ObserveLatents is State's. It quantises the whole history, and pads however
// many frames are asked.
func (b *Bespoke) ObserveLatents(n int) (*tensor.Tensor, error) {
	if n < 1 {
		return nil, notPositive(n)
	}
	if b.encoderOut == nil {
		return nil, noEncoderOutput(n)
	}
	return observe(b.quantiser, b.encoderOut, n)
}

// ResetReason is State's.
func (b *Bespoke) ResetReason(textTokens *tensor.Tensor, numVideoFrames, localAttnSize int) (Reason, error) {
	return situation{language: b.language, callCount: b.callCount, currentStartFrame: b.currentStartFrame,
		textTokens: textTokens, numVideoFrames: numVideoFrames, localAttnSize: localAttnSize}.reason()
}

// WindowReset is State's.
func (b *Bespoke) WindowReset() error {
	b.frames = nil
	b.callCount, b.currentStartFrame = 0, 0
	b.clipFeatures, b.imageCondition = nil, nil
	return nil
}

// SessionReset is State's.
func (b *Bespoke) SessionReset() error {
	*b = Bespoke{quantiser: b.quantiser}
	return nil
}

// Set is State's.
func (b *Bespoke) Set(name string, value any) error {
	value, err := carry(name, value)
	if err != nil {
		return err
	}
	switch name {
	case CallCount:
		b.callCount = value.(int)
	case CurrentStartFrame:
		b.currentStartFrame = value.(int)
	case StreamInitialized:
		b.streamInitialized = value.(bool)
	case FeatureMap:
		b.featureMap = value
	case ClipFeatures:
		b.clipFeatures = value
	case ImageCondition:
		b.imageCondition = value
	case Language:
		b.language = value
	case PromptEmbeds:
		b.promptEmbeds = value
	case PendingFrames:
		b.pendingFrames = value
	default:
		return carriedError("set", name)
	}
	return nil
}

// Get is State's.
func (b *Bespoke) Get(name string) (any, error) {
	switch name {
	case CallCount:
		return b.callCount, nil
	case CurrentStartFrame:
		return b.currentStartFrame, nil
	case StreamInitialized:
		return b.streamInitialized, nil
	case FeatureMap:
		return b.featureMap, nil
	case ClipFeatures:
		return b.clipFeatures, nil
	case ImageCondition:
		return b.imageCondition, nil
	case Language:
		return b.language, nil
	case PromptEmbeds:
		return b.promptEmbeds, nil
	case PendingFrames:
		return b.pendingFrames, nil
	}
	return nil, carriedError("get", name)
}

// Bytes is State's.
func (b *Bespoke) Bytes(name string) (int64, error) {
	switch name {
	case StitchedFrames:
		return account.Measure(b.frames).Total, nil
	case VideoLatents:
		return account.Measure(b.latents).Total, nil
	case EncoderOut:
		return account.Measure(b.encoderOut).Total, nil
	}
	value, err := b.Get(name)
	if err != nil {
		return 0, bytesError(name)
	}
	return account.Measure(value).Total, nil
}

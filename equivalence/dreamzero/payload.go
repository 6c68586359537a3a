package dreamzero

import (
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/tensor"
)

// timeAxis is where time is in (B, C, T, H, W).
const timeAxis = 2

// clip returns frames as (T, H, W, C), a single frame (H, W, C) as a clip of
// one: on the host, where stitched frames are kept whatever device they came
// from.
func clip(frames *tensor.Tensor) (*tensor.Tensor, error) {
	frames, err := onHost("accumulate", frames)
	if err != nil {
		return nil, err
	}
	switch frames.Rank() {
	case 3:
		return frames.Expand(append([]int{1}, frames.Shape()...)...)
	case 4:
		return frames, nil
	}
	return nil, fault.New(fault.ErrInvalidArgument, "accumulate %v: %d axes; a frame has 3 (H, W, C), a clip 4 (T, H, W, C)", frames, frames.Rank())
}

// latentChunk returns a chunk (B, T, C, H, W) as a view (B, C, T, H, W), on the
// host as frames are.
func latentChunk(latents *tensor.Tensor) (*tensor.Tensor, error) {
	latents, err := onHost("append video latents", latents)
	if err != nil {
		return nil, err
	}
	if latents.Rank() != 5 {
		return nil, fault.New(fault.ErrInvalidArgument, "append video latents %v: %d axes; a chunk has 5 (B, T, C, H, W)", latents, latents.Rank())
	}
	return latents.Transpose(1, timeAxis)
}

// encoderChunk refuses what is not a chunk (B, C, T, H, W) of encoder output.
func encoderChunk(call string, chunk *tensor.Tensor) error {
	if err := readable(call, chunk); err != nil {
		return err
	}
	if chunk.Rank() != 5 {
		return fault.New(fault.ErrInvalidArgument, "%s %v: %d axes; a chunk has 5 (B, C, T, H, W)", call, chunk, chunk.Rank())
	}
	return nil
}

// seedChunk refuses what no encoder stream can start with.
func seedChunk(chunk *tensor.Tensor) error {
	if err := encoderChunk("seed encoder with", chunk); err != nil {
		return err
	}
	if chunk.Dim(timeAxis) == 0 {
		return fault.New(fault.ErrInvalidArgument, "seed encoder with %v: no frame; a stream starts with at least one", chunk)
	}
	return nil
}

// readable refuses a tensor that cannot be copied.
func readable(call string, t *tensor.Tensor) error {
	if t == nil {
		return fault.New(fault.ErrInvalidArgument, "%s nil: want a tensor", call)
	}
	if !t.Storage().Readable() {
		return fault.New(fault.ErrNotAddressable, "%s %v: copy it to the host first", call, t)
	}
	return nil
}

// onHost returns a tensor, or a copy on the host of one that lies elsewhere.
func onHost(call string, t *tensor.Tensor) (*tensor.Tensor, error) {
	if err := readable(call, t); err != nil {
		return nil, err
	}
	return t.OnHost()
}

// joins refuses a tensor that has another dtype, or on another axis than the
// given one another length, than what is held.
func joins(call string, t, held *tensor.Tensor, axis int) error {
	if t.DType() != held.DType() {
		return fault.New(fault.ErrTypeMismatch, "%s %v: held is %v", call, t, held)
	}
	if t.Rank() == held.Rank() {
		same := true
		for i := range t.Rank() {
			same = same && (i == axis || t.Dim(i) == held.Dim(i))
		}
		if same {
			return nil
		}
	}
	return fault.New(fault.ErrShapeMismatch, "%s %v: held is %v, joined along axis %d", call, t, held, axis)
}

// framesDue is how many frames a call returns.
func framesDue(callCount int) int {
	if callCount == 0 {
		return 1
	}
	return FramesPerChunk
}

func noFrames(c *tensor.Tensor) error {
	return fault.New(fault.ErrNotReady, "accumulate %v: it brings no frame and none is held", c)
}

func notSeeded() error {
	return fault.New(fault.ErrNotReady, "append to the encoder stream: it holds no frame; seed it first")
}

func noEncoderOutput(n int) error {
	return fault.New(fault.ErrNotReady, "observe %d latent frames: the encoder stream holds none; seed it first", n)
}

func notPositive(n int) error {
	return fault.New(fault.ErrInvalidArgument, "observe %d latent frames: at least 1", n)
}

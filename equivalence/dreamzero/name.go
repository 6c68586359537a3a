package dreamzero

import (
	"slices"

	"github.com/statespec/statespec/reference/fault"
)

// The values of a session, by the names of the document's table.
const (
	FeatureMap        = "vae_enc_feat_map"          // the encoder's causal-convolution cache, any container of tensors
	VideoLatents      = "video_latents_across_time" // chunks (B, C, T, H, W) kept for decode
	StitchedFrames    = "stitched_buffer"           // frames (H, W, C)
	EncoderOut        = "vae_encoder_out"           // encoded frames (B, C, T, H, W), before quantising
	ClipFeatures      = "clip_feas"                 // image features
	ImageCondition    = "ys"                        // the conditioning image's latents
	Language          = "language"                  // text tokens of the prompt
	PromptEmbeds      = "prompt_embeds"
	PendingFrames     = "vae_pending_body_frames" // raw frames that wait for a chunk of four
	CallCount         = "call_count"              // int
	CurrentStartFrame = "current_start_frame"     // int, in latent frames
	StreamInitialized = "vae_stream_initialized"  // bool
)

// FramesPerChunk is the pixel frames of a body chunk, and so the bound of the
// stitched frames.
const FramesPerChunk = 4

// DefaultWindow is the shipped num_frame_per_block: the latent frames that the
// model reads, and so the bound of the managed encoder output.
const DefaultWindow = 2

var (
	buffers = [...]string{VideoLatents, StitchedFrames, EncoderOut}
	carried = [...]string{FeatureMap, ClipFeatures, ImageCondition, Language, PromptEmbeds, PendingFrames,
		CallCount, CurrentStartFrame, StreamInitialized}
)

// Buffers returns the names of the values that accumulate. On the managed path
// they are state objects.
func Buffers() []string { return slices.Clone(buffers[:]) }

// Carried returns the names of the values that Set and Get take. On the managed
// path they are attributes.
func Carried() []string { return slices.Clone(carried[:]) }

func isBuffer(name string) bool { return slices.Contains(buffers[:], name) }

func isCarried(name string) bool { return slices.Contains(carried[:], name) }

// carriedError refuses a name that Set and Get do not take.
func carriedError(call, name string) error {
	if isBuffer(name) {
		return fault.New(fault.ErrInvalidArgument, "%s %q: it accumulates, and has calls of its own; carried are %q", call, name, Carried())
	}
	return fault.New(fault.ErrNotFound, "%s %q: DreamZero carries %q", call, name, Carried())
}

// bytesError refuses a name that is in no bucket.
func bytesError(name string) error {
	return fault.New(fault.ErrNotFound, "bytes of %q: DreamZero holds %q", name, slices.Concat(Buffers(), Carried()))
}

// carry makes of a value what a name holds: an int, a bool, or anything. Nil
// clears, which is the zero value.
func carry(name string, value any) (any, error) {
	switch name {
	case CallCount, CurrentStartFrame:
		switch v := value.(type) {
		case nil:
			return 0, nil
		case int:
			return v, nil
		case int64:
			if int64(int(v)) == v {
				return int(v), nil
			}
		}
		return nil, fault.New(fault.ErrTypeMismatch, "set %q to %v, a %T: it is an int", name, value, value)
	case StreamInitialized:
		switch v := value.(type) {
		case nil:
			return false, nil
		case bool:
			return v, nil
		}
		return nil, fault.New(fault.ErrTypeMismatch, "set %q to %v, a %T: it is a bool", name, value, value)
	}
	return value, nil
}

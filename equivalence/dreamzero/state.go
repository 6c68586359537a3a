package dreamzero

import "github.com/statespec/statespec/reference/tensor"

// A State is one session's non-KV state as the model sees it. Tensors handed
// in are copied: a caller may re-use its buffers. A refused call has changed
// nothing; its error is a kind of package fault.
//
// A State serves one forward at a time and is not safe for concurrent use. The
// manager may count the bytes of a managed one meanwhile.
type State interface {
	// Path is Bespoke's or Managed's name, what Store.Path says too.
	Path() string

	// AccumulateFrames stores a frame (H, W, C) or a clip (T, H, W, C), of
	// which the last four stay, counts the call, and returns a clip of its
	// own: one frame when no call was counted before, else four, padded in
	// front with the oldest frame held. A clip of no frames repeats what is
	// held; with nothing held it is ErrNotReady. Another frame shape or dtype
	// than is held is refused.
	AccumulateFrames(frames *tensor.Tensor) (*tensor.Tensor, error)

	// AppendVideoLatents stores a chunk (B, T, C, H, W) on the host as
	// (B, C, T, H, W). A chunk that could not be joined to those held is refused.
	AppendVideoLatents(latents *tensor.Tensor) error

	// ConcatenatedVideoLatents returns what is stored, joined along time: nil
	// of no chunk, one chunk as it is held, several in a tensor of its own.
	ConcatenatedVideoLatents() (*tensor.Tensor, error)

	// ClearVideoLatents drops them and touches nothing else.
	ClearVideoLatents() error

	// SeedEncoder starts the encoder stream over with a chunk (B, C, T, H, W)
	// of at least one frame, and marks it initialized. Feature map and pending
	// frames stay: ResetEncoderStream clears them.
	SeedEncoder(chunk *tensor.Tensor) error

	// AppendEncoderChunk appends to the stream. A stream without a frame, never
	// seeded or lost, is ErrNotReady; another shape or dtype is refused.
	AppendEncoderChunk(chunk *tensor.Tensor) error

	// ResetEncoderStream clears encoder output, feature map, pending frames
	// and the initialized flag.
	ResetEncoderStream() error

	// EncoderFrames returns the encoded frames held.
	EncoderFrames() int

	// ObserveLatents quantises the encoder output held and returns the first
	// half of its channels, the mean half, of the last n frames:
	// (B, (C+1)/2, n, H, W), a tensor of its own. Where fewer than n are held,
	// the newest is repeated in front. No frame at all is ErrNotReady, n below
	// one ErrInvalidArgument, and n above what a ring retains ErrOverRead.
	ObserveLatents(n int) (*tensor.Tensor, error)

	// Set assigns one of the Carried values wholesale, by reference; nil clears
	// it. Counters are int or int64, the flag is a bool; the rest is anything.
	Set(name string, value any) error

	// Get returns a Carried value, zero, false or nil when it is not set.
	Get(name string) (any, error)

	// ResetReason says why the state should be reset before the next forward.
	// It looks at, in this order: a prompt that was never set; text tokens
	// (nil: not asked) that differ from it in shape or values, whatever the
	// dtypes; a single frame after more than one call; and, unless
	// localAttnSize is -1, a start frame that has reached it.
	ResetReason(textTokens *tensor.Tensor, numVideoFrames, localAttnSize int) (Reason, error)

	// WindowReset clears frames, counters and image features. Video latents,
	// prompt, prompt embedding and the encoder stream stay.
	WindowReset() error

	// SessionReset clears everything.
	SessionReset() error

	// Bytes returns the storage bytes of one value, Buffers and Carried alike.
	Bytes(name string) (int64, error)
}

// The paths.
const (
	BespokePath = "bespoke"
	ManagedPath = "managed"
)

// A Reason says which reset is due.
type Reason string

const (
	NoReset         Reason = ""
	SessionReason   Reason = "session"   // SessionReset
	InferenceReason Reason = "inference" // WindowReset
)

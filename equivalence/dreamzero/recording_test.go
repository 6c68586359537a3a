package dreamzero_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/tensor"
)

// A recording is fixtures/upstream/rollout.json: what the real implementation
// answered, on both its paths, to random sequences of calls.
type recording struct {
	Rollouts []rollout `json:"rollouts"`
}

type rollout struct {
	Window int    `json:"encoder_window"`
	DType  string `json:"dtype"`
	Calls  []call `json:"ops"`
}

type call struct {
	Do    string `json:"op"`
	Seed  uint64 `json:"seed"`
	Shape []int  `json:"shape"`
	DType string `json:"dtype"`

	Frames            int     `json:"frames"`
	TextTokens        []int64 `json:"text_tokens"`
	NumVideoFrames    int     `json:"num_video_frames"`
	LocalAttnSize     int     `json:"local_attn_size"`
	Language          []int64 `json:"language"`
	CurrentStartFrame int     `json:"current_start_frame"`
	ClipSeed          uint64  `json:"clip_feas_seed"`

	Answer       answer          `json:"handwritten"`
	Managed      json.RawMessage `json:"managed"`
	CallCount    int             `json:"call_count"`
	ManagedBytes int64           `json:"managed_nbytes"`
}

type answer struct {
	OK json.RawMessage `json:"ok"` // a tensor, a reason or null
}

type tensorAnswer struct {
	SHA256 string `json:"sha256"`
	Shape  []int  `json:"shape"`
	DType  string `json:"dtype"`
}

func readRecording(t *testing.T) recording {
	t.Helper()
	b, err := os.ReadFile("../../fixtures/upstream/rollout.json")
	if err != nil {
		t.Fatal(err)
	}
	var r recording
	if err := json.Unmarshal(b, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// play carries out a recorded call and returns its output: a tensor, a reason
// or nil.
func (c call) play(t *testing.T, s dreamzero.State) (any, error) {
	t.Helper()
	input := func() *tensor.Tensor {
		dt := must[dtype.DType](t)(dtype.Parse(c.DType))
		return filled(t, dt, c.Seed, c.Shape...)
	}
	var out *tensor.Tensor
	var err error
	switch c.Do {
	case "accumulate_frames":
		out, err = s.AccumulateFrames(input())
	case "append_video_latents":
		err = s.AppendVideoLatents(input())
	case "concatenated_video_latents":
		out, err = s.ConcatenatedVideoLatents()
	case "clear_video_latents":
		err = s.ClearVideoLatents()
	case "seed_encoder":
		err = s.SeedEncoder(input())
	case "append_encoder_chunk":
		err = s.AppendEncoderChunk(input())
	case "observe_latents":
		out, err = s.ObserveLatents(c.Frames)
	case "reset_reason":
		reason, err := s.ResetReason(tokens(t, c.TextTokens...), c.NumVideoFrames, c.LocalAttnSize)
		return reason, err
	case "set":
		do(t, s.Set(dreamzero.Language, tokens(t, c.Language...)))
		do(t, s.Set(dreamzero.CurrentStartFrame, c.CurrentStartFrame))
		err = s.Set(dreamzero.ClipFeatures, filled(t, dtype.Float32, c.ClipSeed, 2, 3))
	case "window_reset":
		err = s.WindowReset()
	case "session_reset":
		err = s.SessionReset()
	default:
		t.Fatalf("the recording has a call %q that this test does not know", c.Do)
	}
	if out == nil {
		return nil, err
	}
	return out, err
}

// check compares an output with the recorded one and reports whether it was a
// tensor.
func (c call) check(t *testing.T, got any) (isTensor bool) {
	t.Helper()
	switch got := got.(type) {
	case *tensor.Tensor:
		var want tensorAnswer
		do(t, json.Unmarshal(c.Answer.OK, &want))
		if got.DType().String() != want.DType || !slices.Equal(got.Shape(), want.Shape) || digest(got) != want.SHA256 {
			t.Errorf("%s = %v with digest %.12s, want %s%v with %.12s", c.Do, got, digest(got), want.DType, want.Shape, want.SHA256)
		}
		return true
	case dreamzero.Reason:
		var want *dreamzero.Reason
		do(t, json.Unmarshal(c.Answer.OK, &want))
		if want == nil {
			want = new(dreamzero.NoReset)
		}
		if got != *want {
			t.Errorf("reset_reason = %q, want %q", got, *want)
		}
	case nil:
		if string(c.Answer.OK) != "null" {
			t.Errorf("%s = nothing, want %s", c.Do, c.Answer.OK)
		}
	}
	return false
}

// The log says how much was compared: every row must agree, and of those that
// answer with a tensor the digest, shape and dtype.
func TestEveryRecordedCallHasTheRecordedAnswerOnBothPaths(t *testing.T) {
	paths := map[string]func(t *testing.T, window int) dreamzero.State{
		"bespoke": func(*testing.T, int) dreamzero.State { return dreamzero.NewBespoke(nil) },
		"managed": func(t *testing.T, window int) dreamzero.State { return managed(t, window) },
	}
	recorded := readRecording(t)
	for path, open := range paths {
		t.Run(path, func(t *testing.T) {
			calls, tensors := 0, 0
			for i, r := range recorded.Rollouts {
				s := open(t, r.Window)
				for j, c := range r.Calls {
					if string(c.Managed) != `"same"` {
						t.Fatalf("rollout %d call %d: the recorded paths differ: %s", i, j, c.Managed)
					}
					got, err := c.play(t, s)
					if err != nil {
						t.Fatalf("rollout %d call %d: %s = error %v, want %s", i, j, c.Do, err, c.Answer.OK)
					}
					if c.check(t, got) {
						tensors++
					}
					count := must[any](t)(s.Get(dreamzero.CallCount))
					if count != c.CallCount || t.Failed() {
						t.Fatalf("rollout %d call %d, %s: call count = %v, want %d", i, j, c.Do, count, c.CallCount)
					}
					calls++
				}
			}
			if calls != 1920 {
				t.Errorf("replayed %d calls, want the 1920 of the recording", calls)
			}
			t.Logf("%d calls agree, %d of them by the digest of a tensor", calls, tensors)
		})
	}
}

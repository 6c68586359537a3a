package dreamzero_test

import (
	"fmt"
	"testing"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/fixtures/upstream"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/tensor"
)

// input is the tensor that a recorded call hands in.
func input(t *testing.T, c *upstream.StateCall) *tensor.Tensor {
	t.Helper()
	return filled(t, must[dtype.DType](t)(dtype.Parse(c.DType)), c.Seed, c.Shape...)
}

// play carries out a recorded call and returns its output: a tensor, a reason
// or nil.
func play(t *testing.T, s dreamzero.State, c *upstream.StateCall) (any, error) {
	t.Helper()
	var out *tensor.Tensor
	var err error
	switch c.Do {
	case "accumulate_frames":
		out, err = s.AccumulateFrames(input(t, c))
	case "append_video_latents":
		err = s.AppendVideoLatents(input(t, c))
	case "concatenated_video_latents":
		out, err = s.ConcatenatedVideoLatents()
	case "clear_video_latents":
		err = s.ClearVideoLatents()
	case "seed_encoder":
		err = s.SeedEncoder(input(t, c))
	case "append_encoder_chunk":
		err = s.AppendEncoderChunk(input(t, c))
	case "reset_encoder_stream":
		err = s.ResetEncoderStream()
	case "observe_latents":
		out, err = s.ObserveLatents(*c.Frames)
	case "reset_reason":
		return s.ResetReason(tokens(t, c.TextTokens...), *c.NumVideoFrames, *c.LocalAttnSize)
	case "set":
		do(t, s.Set(dreamzero.Language, tokens(t, c.Language...)))
		do(t, s.Set(dreamzero.CurrentStartFrame, *c.CurrentStartFrame))
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

// departs says how an output differs from the recorded one, empty when it does
// not.
func departs(got any, want upstream.Output) string {
	if gotten, wanted := told(got), recorded(want); gotten != wanted {
		return fmt.Sprintf("%s, want %s", gotten, wanted)
	}
	return ""
}

// told writes an output of ours as recorded writes one of the recording.
func told(out any) string {
	switch out := out.(type) {
	case *tensor.Tensor:
		return fmt.Sprintf("%v%v with digest %s", out.DType(), out.Shape(), digest(out))
	case dreamzero.Reason:
		if out != dreamzero.NoReset {
			return fmt.Sprintf("reason %q", string(out))
		}
	}
	return "nothing"
}

func recorded(out upstream.Output) string {
	switch {
	case out.Tensor != nil:
		return fmt.Sprintf("%s%v with digest %s", out.Tensor.DType, out.Tensor.Shape, out.Tensor.SHA256)
	case out.Reason != nil:
		return fmt.Sprintf("reason %q", *out.Reason)
	}
	return "nothing"
}

// The log says how much was compared: every row must agree, and of those that
// answer with a tensor the digest, shape and dtype.
func TestEveryRecordedCallHasTheRecordedAnswerOnBothPaths(t *testing.T) {
	paths := map[string]func(t *testing.T, window int) dreamzero.State{
		"bespoke": func(*testing.T, int) dreamzero.State { return dreamzero.NewBespoke(nil) },
		"managed": func(t *testing.T, window int) dreamzero.State { return managed(t, window) },
	}
	runs := must[[]upstream.Run](t)(upstream.Rollouts())
	for path, open := range paths {
		t.Run(path, func(t *testing.T) {
			calls, tensors := 0, 0
			for i, run := range runs {
				s := open(t, run.Window)
				for j := range run.Calls {
					c := &run.Calls[j]
					want, _ := c.Answers()
					if !c.PathsAgree() || want.Refused() {
						t.Fatalf("rollout %d call %d: the recorded paths differ or refuse, and none of these does", i, j)
					}
					got, err := play(t, s, c)
					if err != nil {
						t.Fatalf("rollout %d call %d: %s = error %v, want %s", i, j, c.Do, err, recorded(want.OK))
					}
					if how := departs(got, want.OK); how != "" {
						t.Fatalf("rollout %d call %d: %s = %s", i, j, c.Do, how)
					}
					if count := must[any](t)(s.Get(dreamzero.CallCount)); count != *c.CallCount {
						t.Fatalf("rollout %d call %d, %s: call count = %v, want %d", i, j, c.Do, count, *c.CallCount)
					}
					calls++
					if want.OK.Tensor != nil {
						tensors++
					}
				}
			}
			if calls != 1920 {
				t.Errorf("replayed %d calls, want the 1920 of the recording", calls)
			}
			t.Logf("%d calls agree, %d of them by the digest of a tensor", calls, tensors)
		})
	}
}

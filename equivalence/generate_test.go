package equivalence

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func told(ms []move) (lines []string) {
	for _, m := range ms {
		lines = append(lines, m.String())
	}
	return lines
}

func TestARolloutOfASeedIsTheSameEveryTime(t *testing.T) {
	a, b := told(generate(7, 3, moves, 2, "float32")), told(generate(7, 3, moves, 2, "float32"))
	if !slices.Equal(a, b) {
		t.Errorf("generate(7, 3) twice = two rollouts:\n%s\n\n%s", strings.Join(a, "\n"), strings.Join(b, "\n"))
	}
	for name, other := range map[string][]move{"number": generate(7, 4, moves, 2, "float32"), "seed": generate(8, 3, moves, 2, "float32")} {
		if slices.Equal(a, told(other)) {
			t.Errorf("a rollout of another %s is the same", name)
		}
	}
}

// What a path may refuse is not for a rollout to ask: it would be the same refusal
// twice, or the business of another row.
func TestARolloutReadsASeededStreamWithinItsWindow(t *testing.T) {
	for k := range 50 {
		window := 1 + k%4
		seeded := false
		for i, m := range generate(1, k, moves, window, "bfloat16") {
			switch m.do {
			case "seed_encoder":
				seeded = true
			case "session_reset":
				seeded = false
			case "append_encoder_chunk", "observe_latents":
				if !seeded {
					t.Errorf("move %d of rollout %d is %s, and no seed came before it", i, k, m)
				}
			}
			if n, reads := m.args["frames"].(int); reads && (n < 1 || n > window) {
				t.Errorf("move %d of rollout %d is %s, want a window of 1 to %d", i, k, m, window)
			}
		}
	}
}

func TestRolloutsHoldEveryStepAndEveryValue(t *testing.T) {
	all := ""
	for k := range 16 {
		all += strings.Join(told(generate(1, k, moves, 2, "bfloat16")), "\n")
	}
	want := []string{"accumulate_frames", "append_video_latents", "concatenated_video_latents", "clear_video_latents", "seed_encoder",
		"append_encoder_chunk", "observe_latents", "window_reset", "session_reset", "reset_reason local_attn_size=5 num_video_frames=1 text_tokens="}
	for _, name := range carried {
		want = append(want, "get name="+name)
		if name != "vae_stream_initialized" {
			want = append(want, fmt.Sprintf("set name=%s value=", name))
		}
	}
	for _, w := range want {
		if !strings.Contains(all, w) {
			t.Errorf("none of 16 rollouts has %q", w)
		}
	}
}

package dreamzero_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/fixtures/upstream"
	"github.com/statespec/statespec/reference/dtype"
)

// The recorded manager keeps references: what it holds is the very arrays that
// it was handed. Ours owns rings of fixed size. So the recorded figures cannot
// all be ours; instead both are derived here from the calls alone, one rule
// each, and the rows are counted by what tells them apart.
//
//	value               recorded                               ours
//	stitched_buffer     each clip that one of the last four    four frames from the first on
//	                    frames was cut out of, whole
//	vae_encoder_out     each of the last N chunks              N frames from the first on
//	everything else     the same                               the same

// holdings are the bytes of the two rules after some calls.
type holdings struct {
	clips        []int64 // of each of the last four frames, which clip it is from
	clipBytes    map[int64]int64
	frameBytes   int64
	chunks       []int64 // bytes of each encoder chunk within the window
	window       int
	latents      int64
	clip, prompt int64
}

func (h *holdings) after(t *testing.T, c *upstream.StateCall) {
	t.Helper()
	bytes := int64(1)
	for _, d := range c.Shape {
		bytes *= int64(d)
	}
	if c.DType != "" {
		bytes *= int64(must[dtype.DType](t)(dtype.Parse(c.DType)).Size())
	}
	switch c.Do {
	case "accumulate_frames":
		frames := 1
		if len(c.Shape) == 4 {
			frames = c.Shape[0]
		}
		h.clipBytes[int64(c.Seed)], h.frameBytes = bytes, bytes/int64(frames)
		for range frames {
			h.clips = append(h.clips, int64(c.Seed))
		}
		h.clips = h.clips[max(0, len(h.clips)-dreamzero.FramesPerChunk):]
	case "seed_encoder":
		h.chunks = []int64{bytes}
	case "append_encoder_chunk":
		h.chunks = append(h.chunks, bytes)
		h.chunks = h.chunks[max(0, len(h.chunks)-h.window):]
	case "append_video_latents":
		h.latents += bytes
	case "clear_video_latents":
		h.latents = 0
	case "set":
		h.clip, h.prompt = 24, int64(8*len(c.Language))
	case "window_reset":
		h.clips, h.clip = nil, 0
	case "session_reset":
		*h = holdings{clipBytes: h.clipBytes, window: h.window}
	}
}

// byReference is the recorded rule: each clip and each chunk as a whole.
func (h *holdings) byReference() (frames, encoder int64) {
	for _, clip := range slices.Compact(slices.Clone(h.clips)) {
		frames += h.clipBytes[clip]
	}
	for _, chunk := range h.chunks {
		encoder += chunk
	}
	return frames, encoder
}

// owned is our rule. Every recorded chunk is one frame.
func (h *holdings) owned() (frames, encoder int64) {
	if len(h.clips) > 0 {
		frames = dreamzero.FramesPerChunk * h.frameBytes
	}
	if len(h.chunks) > 0 {
		encoder = int64(h.window) * h.chunks[0]
	}
	return frames, encoder
}

func (h *holdings) rest() int64 { return h.latents + h.clip + h.prompt }

func TestManagedBytesDifferFromTheRecordedOnlyByOwnership(t *testing.T) {
	rows := map[string]int{}
	for i, r := range must[[]upstream.Run](t)(upstream.Rollouts()) {
		s := managed(t, r.Window)
		h := holdings{clipBytes: map[int64]int64{}, window: r.Window}
		for j := range r.Calls {
			c := &r.Calls[j]
			if _, err := play(t, s, c); err != nil {
				t.Fatalf("rollout %d call %d: %s = error %v", i, j, c.Do, err)
			}
			h.after(t, c)
			theirFrames, theirEncoder := h.byReference()
			ourFrames, ourEncoder := h.owned()
			if got := theirFrames + theirEncoder + h.rest(); got != *c.ManagedBytes {
				t.Fatalf("rollout %d call %d, %s: by references = %d bytes, want the recorded %d", i, j, c.Do, got, *c.ManagedBytes)
			}
			if got, want := s.Session().Bytes().Total, ourFrames+ourEncoder+h.rest(); got != want {
				t.Fatalf("rollout %d call %d, %s: session bytes = %d, want %d", i, j, c.Do, got, want)
			}
			rows[ownershipDifference(ourFrames-theirFrames, ourEncoder-theirEncoder)]++
		}
	}
	want := map[string]int{}
	for _, row := range ownershipTable {
		want[row.difference] = row.rows
	}
	if !maps.Equal(rows, want) {
		t.Errorf("rows by difference = %v, want %v", rows, want)
	}
}

func ownershipDifference(frames, encoder int64) string {
	sign := func(n int64) string {
		return [...]string{"less", "equal", "more"}[max(-1, min(1, n))+1]
	}
	return fmt.Sprintf("frames %s, encoder %s", sign(frames), sign(encoder))
}

// ownershipTable counts the 1,920 rows by our figure against the recorded one.
var ownershipTable = []struct {
	difference string
	rows       int
	why        string
}{
	{"frames equal, encoder equal", 757, "nothing held, or both rings full of frames that came one a clip"},
	{"frames more, encoder equal", 289, "fewer than four frames so far: ours has the room already"},
	{"frames less, encoder equal", 307, "a clip of more frames than are kept: theirs pins all of it"},
	{"frames equal, encoder more", 294, "fewer encoded frames than the window so far: ours has the room already"},
	{"frames more, encoder more", 119, "both rings not full yet"},
	{"frames less, encoder more", 154, "a long clip pinned, and the encoder ring not full yet"},
}

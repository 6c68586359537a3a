package rollout_test

import (
	"testing"

	"github.com/statespec/statespec/equivalence/rollout"
)

// The document's own figures, from the shapes alone.
func TestTheShippedFeatureMapHas603MiBIn24Entries(t *testing.T) {
	layout := rollout.Shipped.Layout()
	if len(layout) != 24 {
		t.Fatalf("Layout() = %d entries, want 24", len(layout))
	}
	want := []int{0: 2_703_360, 1: 86_507_520, 2: 86_507_520, 3: 86_507_520, 4: 86_507_520, 5: 21_626_880,
		6: 43_253_760, 7: 43_253_760, 8: 43_253_760, 9: 5_406_720, 10: 10_813_440, 11: 21_626_880, 12: 21_626_880, 13: 21_626_880,
		14: 2_703_360, 15: 5_406_720, 16: 5_406_720, 17: 5_406_720, 18: 5_406_720, 19: 5_406_720, 20: 5_406_720, 21: 5_406_720, 22: 5_406_720, 23: 5_406_720}
	for i, e := range layout {
		if got := e.Bytes(e.Frames); got != want[i] {
			t.Errorf("entry %d, %s: %d bytes, want %d", i, e.Name, got, want[i])
		}
	}
	const full, seeded = 632_586_240, 320_348_160 // 603.281 and 305.508 MiB
	for chunks, want := range map[int]int{1: seeded, 2: full, 3: full, 101: full} {
		if got := rollout.Shipped.FeatureMapBytes(chunks); got != want {
			t.Errorf("FeatureMapBytes(%d chunks) = %d, want %d", chunks, got, want)
		}
	}
	if got, want := 64*rollout.Shipped.FeatureMapBytes(2), 40_485_519_360; got != want { // 37.705 GiB
		t.Errorf("feature maps of 64 sessions = %d bytes, want %d", got, want)
	}
}

func TestTheShippedFramesHaveTheDocumentsSizes(t *testing.T) {
	p := rollout.Shipped
	bytes := func(size int, shape []int) int {
		for _, d := range shape {
			size *= d
		}
		return size
	}
	for name, c := range map[string]struct{ got, want int }{
		"rows":                             {p.Height(), 352},
		"columns":                          {p.Width(), 640},
		"a latent frame (0.215 MiB)":       {bytes(2, p.LatentFrameShape()), 225_280},
		"the ring of two (0.43 MiB)":       {rollout.LatentFrames * bytes(2, p.LatentFrameShape()), 450_560},
		"100 latent frames (21.5 MiB)":     {100 * bytes(2, p.LatentFrameShape()), 22_528_000},
		"four pending frames (2.6 MiB)":    {4 * bytes(1, p.FrameShape()), 2_703_360},
		"latents observed in a step":       {bytes(2, p.ObservedShape()), 225_280},
		"a video chunk":                    {bytes(2, p.ChunkShape()), 225_280},
		"small's feature map (10.28 MiB)":  {rollout.Small.FeatureMapBytes(2), 10_782_720},
		"tiny's feature map (1.75 MiB)":    {rollout.Tiny.FeatureMapBytes(2), 1_835_520},
		"the order's switch, real: T = 15": {crossed(rollout.Shipped), 15},
		"the order's switch, small":        {crossed(rollout.Small), 15},
		"the order's switch, tiny":         {crossed(rollout.Tiny), 15},
	} {
		if c.got != c.want {
			t.Errorf("%s = %d, want %d", name, c.got, c.want)
		}
	}
}

// crossed is the first length in latent frames past the switch of the faults.
func crossed(p rollout.Profile) int {
	t := 1
	for rollout.LatentChannels*t*p.Height()/rollout.LatentScale <= p.SwitchAt {
		t++
	}
	return t
}

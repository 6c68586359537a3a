package rollout

import (
	"context"
	"encoding/hex"

	"github.com/zeebo/xxh3"

	"github.com/statespec/statespec/reference/config"
	"github.com/statespec/statespec/reference/tensor"
)

// Digests are those of a whole rollout: each of one quantity at every step, as
// bytes little-endian and row-major, xxh3 of 128 bits in hexadecimal.
type Digests struct {
	Counters   string `json:"counters"`
	Frames     string `json:"stitched_frames"`
	FeatureMap string `json:"feature_map_digests"`
	Observed   string `json:"observed_latents"`
	Chunks     string `json:"video_chunks"`
	Actions    string `json:"actions"`
	Videos     string `json:"video_latents"`
}

// Digest runs a rollout and keeps nothing of it but digests. Rollouts of the
// same options have the same on every processor, and, without a fault, on both
// paths.
func Digest(ctx context.Context, resolved config.Resolution, o Options) (Digests, error) {
	r, err := New(resolved, o)
	if err != nil {
		return Digests{}, err
	}
	var of [7]xxh3.Hasher
	write := func(i int, b []byte) { _, _ = of[i].Write(b) } // which never fails
	bits := func(t *tensor.Tensor) []byte { return t.AppendBytes(nil) }
	err = r.Run(ctx, func(s *Step) error {
		write(0, words(s.Counters.list()))
		write(1, bits(s.Frame))
		write(2, words(s.Digests[:]))
		write(3, bits(s.Observed))
		write(4, bits(s.Chunk))
		write(5, floats(s.Action[:]))
		write(5, words([]int64{s.Counters.Rows, s.Counters.Columns}))
		return nil
	})
	if err != nil {
		return Digests{}, err
	}
	err = r.Videos(func(v Video) error {
		write(6, []byte(v.Session))
		write(6, bits(v.Latents))
		return nil
	})
	sum := func(i int) string {
		b := of[i].Sum128().Bytes()
		return hex.EncodeToString(b[:])
	}
	return Digests{sum(0), sum(1), sum(2), sum(3), sum(4), sum(5), sum(6)}, err
}

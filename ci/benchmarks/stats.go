package benchmarks

import (
	"context"
	"fmt"

	"github.com/statespec/statespec/ci/paired"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/tensor"
)

// A shape says how many tensors of a session are where: 41 in 12 values, as
// DreamZero's.
type shape struct {
	buffers, lists map[string]int
	alone          []string
}

var likeDreamZero = shape{
	buffers: map[string]int{"video_latents_across_time": 6, "stitched_buffer": 4, "vae_encoder_out": 1},
	lists:   map[string]int{"vae_enc_feat_map": 24, "vae_pending_body_frames": 2},
	alone:   []string{"clip_feas", "ys", "language", "prompt_embeds"},
}

// held puts tensors into a session, and returns their storages.
func (sh shape) held(s *manager.Session) (storages []*tensor.Storage, err error) {
	list := func(n int) (ts []*tensor.Tensor) {
		for range n {
			t, e := tensor.New(dtype.BFloat16, 1, 4, 1, 8)
			if err = e; err != nil {
				return nil
			}
			storages, ts = append(storages, t.Storage()), append(ts, t)
		}
		return ts
	}
	for name, n := range sh.buffers {
		b := object.NewLatentBuffer(name, object.KeepReferences())
		if err := b.Allocate(object.Bound{}); err != nil {
			return nil, err
		}
		if err := b.Commit(list(n)...); err != nil {
			return nil, err
		}
		if err := s.Put(name, b); err != nil {
			return nil, err
		}
	}
	for name, n := range sh.lists {
		manager.NewAttr[[]*tensor.Tensor](name, nil).Set(s, list(n))
	}
	for _, name := range sh.alone {
		for _, t := range list(1) {
			manager.NewAttr[*tensor.Tensor](name, nil).Set(s, t)
		}
	}
	for _, name := range []string{"call_count", "current_start_frame", "vae_stream_initialized"} {
		manager.NewAttr(name, 0).Set(s, 7)
	}
	return storages, err
}

// filled is a manager of as many sessions of a shape, with all storages and their bytes.
func (sh shape) filled(n int) (m *manager.Manager, storages []*tensor.Storage, bytes int64, err error) {
	keys := ids(n)
	if m, err = full(keys); err != nil {
		return nil, nil, 0, err
	}
	for _, id := range keys {
		s, err := m.Session(id)
		if err != nil {
			return nil, nil, 0, err
		}
		held, err := sh.held(s)
		if err != nil {
			return nil, nil, 0, err
		}
		storages = append(storages, held...)
	}
	for _, st := range storages {
		bytes += int64(st.Len())
	}
	return m, storages, bytes, nil
}

func (sh shape) statistics(n int) func(context.Context) (*paired.Body, error) {
	return func(context.Context) (*paired.Body, error) {
		m, _, want, err := sh.filled(n)
		return &paired.Body{
			Run: func(n int) error {
				for range n {
					if got := m.Stats().TotalBytes; got != want {
						return unlike("Stats().TotalBytes", got, want)
					}
				}
				return nil
			},
			Units: func() (map[string]float64, error) { return held(m.Stats().TotalBytes), nil },
		}, err
	}
}

// held is bytes that are held, as the accounting counts them: exact.
func held(bytes int64) map[string]float64 { return map[string]float64{"bytes-held": float64(bytes)} }

func (sh shape) walked(n int) func(context.Context) (*paired.Body, error) {
	return func(context.Context) (*paired.Body, error) {
		_, storages, want, err := sh.filled(n)
		return &paired.Body{Run: func(n int) error {
			for range n {
				got, seen := int64(0), make(map[*tensor.Storage]struct{}, len(storages))
				for _, st := range storages {
					if _, met := seen[st]; !met {
						seen[st] = struct{}{}
						got += int64(st.Len())
					}
				}
				if got != want {
					return unlike("bytes of the storages walked", got, want)
				}
			}
			return nil
		}}, err
	}
}

func stats() paired.Benchmark {
	return paired.Benchmark{
		Name: "Stats", Doc: "statistics of 64 sessions with 12 values of 41 tensors; the control walks the same 2,624 storages in a slice, with a map of those met",
		Variants: []paired.Variant{
			{Name: ours("/sessions=64"), Most: paired.AtMost(1.5), SetUp: likeDreamZero.statistics(sessions)},
			{Name: controlled("/sessions=64"), SetUp: likeDreamZero.walked(sessions)},
		},
	}
}

// growthOfStats is statistics of 1 to 100,000 sessions that hold one tensor each.
func growthOfStats() paired.Benchmark {
	one := shape{alone: []string{"prompt_embeds"}}
	b := paired.Benchmark{Name: "StatsGrowth", Doc: "statistics by sessions, one tensor in each; the control is one session"}
	b.Variants = append(b.Variants, paired.Variant{Name: controlled(""), SetUp: one.statistics(1)})
	for _, n := range []int{1, 10, 100, 1000, 10_000, 100_000} {
		b.Variants = append(b.Variants, paired.Variant{Name: ours(fmt.Sprintf("/sessions=%d", n)), SetUp: one.statistics(n)})
	}
	return b
}

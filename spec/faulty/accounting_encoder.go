package faulty

import (
	"slices"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/equivalence/rollout"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
)

// byteEncoder holds faults of what the encoder of the shipped size leaves in a
// session.
func byteEncoder() []Fault {
	return []Fault{
		{
			Name: "keeps the feature map of the chunk before beside the last", Breaks: []string{"ACC-17.encoder"},
			Parts: mapped(func(_ int, before, after rollout.FeatureMap) rollout.FeatureMap {
				return append(after, before...)
			}),
		}, {
			Name: "keeps one more feature map entry a chunk", Breaks: []string{"ACC-17.encoder"},
			Parts: mapped(func(chunks int, _, after rollout.FeatureMap) rollout.FeatureMap {
				for range chunks {
					after = append(after, after[rollout.Entries-1].Clone()) // a small one
				}
				return after
			}),
		}, {
			Name: "leaves the largest entry out of the feature map", Breaks: []string{"ACC-17.encoder"},
			Parts: mapped(func(_ int, _, after rollout.FeatureMap) rollout.FeatureMap {
				after[1] = after[0]
				return after
			}),
		}, {
			Name: "lets a waiting frame pin its clip", Breaks: []string{"ACC-17.pending"}, Met: "the real pipeline, of whose three frames that wait the first pins its clip",
			Parts: waits(func(waiting []*tensor.Tensor, clip *tensor.Tensor) []*tensor.Tensor {
				last, err := clip.Select(0, clip.Dim(0)-1)
				if err != nil {
					return waiting
				}
				waiting[len(waiting)-1] = last
				return waiting
			}),
		}, {
			Name: "lets frames wait as bfloat16", Breaks: []string{"ACC-17.pending"},
			Parts: waits(func(waiting []*tensor.Tensor, _ *tensor.Tensor) []*tensor.Tensor {
				for i, frame := range waiting {
					wide, err := tensor.New(dtype.BFloat16, frame.Shape()...)
					if err != nil {
						return waiting
					}
					waiting[i] = wide
				}
				return waiting
			}),
		}, {
			Name: "lets a fourth frame wait", Breaks: []string{"ACC-17.pending"},
			Parts: waits(func(waiting []*tensor.Tensor, _ *tensor.Tensor) []*tensor.Tensor {
				if len(waiting) == 3 {
					waiting = append(waiting, waiting[0].Clone())
				}
				return waiting
			}),
		},
	}
}

// mapped is a subject whose encoder leaves another feature map than it wrote: by
// how many chunks there were, and the map written for the chunk before, nil for
// the seed. It works on what it wrote itself.
func mapped(change func(chunks int, before, after rollout.FeatureMap) rollout.FeatureMap) func() subject.Parts {
	return encodes(dreamzero.FeatureMap, func() func(written any, clip *tensor.Tensor) any {
		var before, last rollout.FeatureMap
		chunks := 0
		return func(written any, _ *tensor.Tensor) any {
			after, ok := written.(rollout.FeatureMap)
			if !ok {
				return written
			}
			if last == nil || last[0] != after[0] {
				before, last, chunks = last, after, chunks+1
			}
			return change(chunks, before, slices.Clone(after))
		}
	})
}

// waits is a subject that lets frames wait in another way.
func waits(change func(waiting []*tensor.Tensor, clip *tensor.Tensor) []*tensor.Tensor) func() subject.Parts {
	return encodes(dreamzero.PendingFrames, func() func(written any, clip *tensor.Tensor) any {
		return func(written any, clip *tensor.Tensor) any {
			waiting, ok := written.([]*tensor.Tensor)
			if !ok || len(waiting) == 0 {
				return written
			}
			return change(slices.Clone(waiting), clip)
		}
	})
}

// encodes is a subject with the shipped encoder and one session. The encoder works
// on what it wrote itself; between two frames another value stands in the session,
// which is made of that and the clip.
func encodes(name string, changing func() func(written any, clip *tensor.Tensor) any) func() subject.Parts {
	return func() subject.Parts {
		var own any
		encode, change := subject.ShippedEncoder(), changing()
		return subject.Parts{Encode: func(st dreamzero.State, clip *tensor.Tensor) error {
			if err := st.Set(name, own); err != nil {
				return err
			}
			if err := encode(st, clip); err != nil {
				return err
			}
			written, err := st.Get(name)
			if err != nil {
				return err
			}
			own = written
			return st.Set(name, change(written, clip))
		}}
	}
}

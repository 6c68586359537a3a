package faulty

import (
	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/tensor"
)

// partedResets are faults of what a reset leaves on one path.
func partedResets() []Fault {
	return []Fault{
		{
			Name: "keeps image features over a window reset on the managed path", Breaks: []string{"EQV-04"}, Follows: []string{"EQV-06"},
			Parts: statesOn(managedPath, func(s *alteredState) {
				s.windowReset = s.carriedOver(s.State.WindowReset, dreamzero.ClipFeatures)
			}),
		}, {
			Name: "clears the prompt embedding at a window reset on the bespoke path", Breaks: []string{"EQV-04"}, Follows: []string{"EQV-06"},
			Parts: statesOn(bespokePath, func(s *alteredState) {
				s.windowReset = func() error { return s.dropping(s.State.WindowReset, dreamzero.PromptEmbeds) }
			}),
		}, {
			Name: "clears video latents at a window reset on the managed path", Breaks: []string{"EQV-04"}, Follows: []string{"EQV-06"},
			Parts: statesOn(managedPath, func(s *alteredState) {
				s.windowReset = func() error {
					if err := s.State.ClearVideoLatents(); err != nil {
						return err
					}
					return s.State.WindowReset()
				}
			}),
		}, {
			Name: "keeps the feature map over a session reset on the managed path", Breaks: []string{"EQV-04"}, Follows: []string{"EQV-06"},
			Parts: statesOn(managedPath, func(s *alteredState) {
				s.sessionReset = s.carriedOver(s.State.SessionReset, dreamzero.FeatureMap)
			}),
		}, {
			Name: "keeps the start frame over a session reset on the bespoke path", Breaks: []string{"EQV-04"}, Follows: []string{"EQV-06"},
			Parts: statesOn(bespokePath, func(s *alteredState) {
				s.sessionReset = s.carriedOver(s.State.SessionReset, dreamzero.CurrentStartFrame)
			}),
		}, {
			Name: "keeps stitched frames over a window reset on the managed path", Breaks: []string{"EQV-04"}, Follows: []string{"EQV-06"},
			Parts: statesOn(managedPath, func(s *alteredState) {
				var last *tensor.Tensor // what a call showed before the reset
				left := false
				s.accumulate = func(clip *tensor.Tensor) (*tensor.Tensor, error) {
					shown, err := s.State.AccumulateFrames(clip)
					if err != nil {
						return nil, err
					}
					if left && last != nil && shown.Dim(0) == dreamzero.FramesPerChunk {
						left = false
						return olderInFront(last, shown)
					}
					if !left {
						last = shown.Clone()
					}
					return shown, nil
				}
				s.windowReset = func() error { left = last != nil; return s.State.WindowReset() }
				s.sessionReset = func() error { last, left = nil, false; return s.State.SessionReset() }
			}),
		},
	}
}

// olderInFront is a chunk of frames whose first is one of an older chunk.
func olderInFront(older, shown *tensor.Tensor) (*tensor.Tensor, error) {
	first, err := tail(older, 0, 1)
	if err != nil {
		return nil, err
	}
	others, err := tail(shown, 0, shown.Dim(0)-1)
	if err != nil {
		return nil, err
	}
	return tensor.Cat(0, first, others)
}

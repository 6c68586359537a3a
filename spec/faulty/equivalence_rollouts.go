package faulty

import (
	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/tensor"
)

// partedRollouts are faults of a path that only a sequence of steps shows: each of
// them alone is as it should be.
func partedRollouts() []Fault {
	return []Fault{
		{
			Name: "clears video latents at the third window reset of a session on the managed path", Breaks: []string{"EQV-06"},
			Parts: statesOn(managedPath, func(s *alteredState) {
				resets := 0
				s.windowReset = func() error {
					if resets++; resets == 3 {
						if err := s.State.ClearVideoLatents(); err != nil {
							return err
						}
					}
					return s.State.WindowReset()
				}
			}),
		}, {
			Name: "clears the prompt embedding with video latents after a window reset on the bespoke path", Breaks: []string{"EQV-06"},
			Parts: statesOn(bespokePath, func(s *alteredState) {
				reset := false
				s.windowReset = func() error { reset = true; return s.State.WindowReset() }
				s.clear = func() error {
					if reset {
						return s.dropping(s.State.ClearVideoLatents, dreamzero.PromptEmbeds)
					}
					return s.State.ClearVideoLatents()
				}
			}),
		}, {
			Name: "forgets the stream of a second episode at its window reset on the managed path", Breaks: []string{"EQV-06"},
			Parts: statesOn(managedPath, func(s *alteredState) {
				second := false
				s.sessionReset = func() error { second = true; return s.State.SessionReset() }
				s.windowReset = func() error {
					if second {
						if err := s.refill(nil); err != nil {
							return err
						}
					}
					return s.State.WindowReset()
				}
			}),
		}, {
			Name: "takes another float32 kernel for long input when nobody says how many threads", Breaks: []string{"EQV-06"},
			Met: "the real build as it runs by default, where 34 of 90 steps part, the first at 56",
			Parts: inexact(func(in *tensor.Tensor, threads int) bool {
				return in.DType() == dtype.Float32 && threads == 0 && in.Dim(0)*in.Dim(1)*in.Dim(2)*in.Dim(3) > kernelSwitch
			}),
		},
	}
}

package faulty

import (
	"errors"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/tensor"
)

// partedRefusals are faults of input that only one path refuses.
func partedRefusals() []Fault {
	unseeded := []string{"EQV-11.unseeded"}
	return []Fault{
		{
			Name: "takes a frame without colours on the managed path", Breaks: []string{"EQV-11"},
			Parts: takingFrames(managedPath, func(_ *alteredState, clip *tensor.Tensor) (*tensor.Tensor, error) {
				if clip.Rank() != 2 {
					return clip, nil
				}
				h, w := clip.Dim(0), clip.Dim(1)
				grey, err := clip.Reshape(h, w, 1)
				if err != nil {
					return nil, err
				}
				return grey.Expand(h, w, 3)
			}),
		}, {
			Name: "takes the first clip of a batch of clips on the bespoke path", Breaks: []string{"EQV-11"},
			Parts: takingFrames(bespokePath, func(_ *alteredState, clip *tensor.Tensor) (*tensor.Tensor, error) {
				if clip.Rank() != 5 {
					return clip, nil
				}
				return clip.Select(0, 0)
			}),
		}, {
			Name: "shows no frames for an empty first clip on the managed path", Breaks: []string{"EQV-11"},
			Parts: statesOn(managedPath, func(s *alteredState) {
				s.accumulate = func(clip *tensor.Tensor) (*tensor.Tensor, error) {
					shown, err := s.State.AccumulateFrames(clip)
					if errors.Is(err, fault.ErrNotReady) {
						return clip.Clone(), nil
					}
					return shown, err
				}
			}),
		}, {
			Name: "refuses an empty later clip on the bespoke path", Breaks: []string{"EQV-11"}, Follows: []string{"EQV-01"},
			Parts: takingFrames(bespokePath, func(_ *alteredState, clip *tensor.Tensor) (*tensor.Tensor, error) {
				if clip.NumElements() == 0 {
					return nil, fault.New(fault.ErrInvalidArgument, "accumulate %v: no frame", clip)
				}
				return clip, nil
			}),
		}, {
			Name: "takes video latents without a batch on the managed path", Breaks: []string{"EQV-11"},
			Parts: statesOn(managedPath, func(s *alteredState) {
				s.add = func(latents *tensor.Tensor) error {
					if latents.Rank() == 4 {
						var err error
						if latents, err = latents.Expand(append([]int{1}, latents.Shape()...)...); err != nil {
							return err
						}
					}
					return s.State.AppendVideoLatents(latents)
				}
			}),
		}, {
			Name: "reads zeros of a stream that holds nothing on the bespoke path", Breaks: []string{"EQV-11"}, Follows: []string{"EQV-03"},
			Parts: statesOn(bespokePath, func(s *alteredState) {
				s.observe = func(n int) (*tensor.Tensor, error) {
					window, err := s.State.ObserveLatents(n)
					if errors.Is(err, fault.ErrNotReady) {
						return tensor.New(dtype.BFloat16, 1, 1, n, 1, 1)
					}
					return window, err
				}
			}),
		}, {
			Name: "takes the first chunk that is appended for a seed on the managed path", Breaks: unseeded,
			Met:   "the real manager, which accepts what the bespoke path refuses",
			Parts: seeding(managedPath),
		}, {
			Name: "takes the first chunk that is appended for a seed on the bespoke path", Breaks: unseeded,
			Parts: seeding(bespokePath),
		}, {
			Name: "takes the first chunk of an episode for a seed on the managed path, after a session reset", Breaks: unseeded,
			Parts: statesOn(managedPath, func(s *alteredState) {
				again := false
				s.sessionReset = func() error { again = true; return s.State.SessionReset() }
				s.append = func(chunk *tensor.Tensor) error {
					err := s.State.AppendEncoderChunk(chunk)
					if again && errors.Is(err, fault.ErrNotReady) {
						return s.State.SeedEncoder(chunk)
					}
					return err
				}
			}),
		},
	}
}

// seeding is a subject that seeds the stream of a path with a chunk that is
// appended, where it holds nothing.
func seeding(path string) parts {
	return statesOn(path, func(s *alteredState) {
		s.append = func(chunk *tensor.Tensor) error {
			err := s.State.AppendEncoderChunk(chunk)
			if errors.Is(err, fault.ErrNotReady) {
				return s.dropping(func() error { return s.State.SeedEncoder(chunk) }, dreamzero.StreamInitialized)
			}
			return err
		}
	})
}

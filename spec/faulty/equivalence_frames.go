package faulty

import (
	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/tensor"
)

// partedFrames are faults of the frames that a path shows.
func partedFrames() []Fault {
	const oldest = 0
	return []Fault{
		{
			Name: "pads frames with the newest on the managed path", Breaks: []string{"EQV-01"}, Follows: []string{"EQV-06"},
			Parts: framing(managedPath, func(shown *tensor.Tensor, held int) (*tensor.Tensor, error) {
				return repadded(shown, held, held-1)
			}),
		}, {
			Name: "pads frames with zeros on the bespoke path", Breaks: []string{"EQV-01"}, Follows: []string{"EQV-06"},
			Parts: framing(bespokePath, func(shown *tensor.Tensor, held int) (*tensor.Tensor, error) {
				frames, err := tail(shown, 0, held)
				if err != nil {
					return nil, err
				}
				shape := shown.Shape()
				shape[0] -= held
				zeros, err := tensor.New(shown.DType(), shape...)
				if err != nil {
					return nil, err
				}
				return tensor.Cat(0, zeros, frames)
			}),
		}, {
			Name: "pads frames with the newest on both paths", Breaks: []string{"EQV-01"},
			Parts: framing(bothPaths, func(shown *tensor.Tensor, held int) (*tensor.Tensor, error) {
				return repadded(shown, held, held-1)
			}),
		}, {
			Name: "pads frames behind what is there on both paths", Breaks: []string{"EQV-01"},
			Parts: framing(bothPaths, func(shown *tensor.Tensor, held int) (*tensor.Tensor, error) {
				frames, err := tail(shown, 0, held)
				if err != nil {
					return nil, err
				}
				pad, err := head(shown, 0, shown.Dim(0)-held)
				if err != nil {
					return nil, err
				}
				return tensor.Cat(0, frames, pad)
			}),
		}, {
			Name: "keeps the first frames of a long clip on the managed path", Breaks: []string{"EQV-01"}, Follows: []string{"EQV-06"},
			Parts: takingFrames(managedPath, func(s *alteredState, clip *tensor.Tensor) (*tensor.Tensor, error) {
				if clip.Rank() == 4 && clip.Dim(0) > dreamzero.FramesPerChunk {
					return head(clip, 0, dreamzero.FramesPerChunk)
				}
				return clip, nil
			}),
		}, {
			Name: "takes a frame a call on the bespoke path, the last of a clip", Breaks: []string{"EQV-01"}, Follows: []string{"EQV-06"},
			Parts: takingFrames(bespokePath, func(s *alteredState, clip *tensor.Tensor) (*tensor.Tensor, error) {
				if clip.Rank() == 4 {
					return tail(clip, 0, 1)
				}
				return clip, nil
			}),
		}, {
			Name: "counts a clip by its frames on the bespoke path", Breaks: []string{"EQV-01"}, Follows: []string{"EQV-06"},
			Parts: countingCalls(bespokePath, func(clip *tensor.Tensor) int {
				if clip.Rank() == 4 {
					return clip.Dim(0) - 1
				}
				return 0
			}),
		}, {
			Name: "does not count a clip of no frames on the managed path", Breaks: []string{"EQV-01"},
			Parts: countingCalls(managedPath, func(clip *tensor.Tensor) int {
				if clip.NumElements() == 0 {
					return -1
				}
				return 0
			}),
		}, {
			Name: "takes frames as they lie in memory on the managed path", Breaks: []string{"EQV-01"},
			Parts: takingFrames(managedPath, func(_ *alteredState, clip *tensor.Tensor) (*tensor.Tensor, error) {
				if clip.IsContiguous() {
					return clip, nil
				}
				return asItLies(clip)
			}),
		},
	}
}

// framing is a subject that shows frames on a path in another way where they are
// padded; held is how many of those that it shows are not padding.
func framing(path string, show func(shown *tensor.Tensor, held int) (*tensor.Tensor, error)) parts {
	return statesOn(path, func(s *alteredState) {
		came := 0
		s.accumulate = func(clip *tensor.Tensor) (*tensor.Tensor, error) {
			shown, err := s.State.AccumulateFrames(clip)
			if err != nil {
				return nil, err
			}
			if clip.Rank() == 4 {
				came += clip.Dim(0)
			} else {
				came++
			}
			if came > 0 && came < shown.Dim(0) {
				return show(shown, came)
			}
			return shown, nil
		}
		s.windowReset = func() error { came = 0; return s.State.WindowReset() }
		s.sessionReset = func() error { came = 0; return s.State.SessionReset() }
	})
}

// repadded is frames of which the last are held, padded with another of these.
func repadded(shown *tensor.Tensor, held, with int) (*tensor.Tensor, error) {
	frames, err := tail(shown, 0, held)
	if err != nil {
		return nil, err
	}
	return padded(frames, 0, shown.Dim(0), with)
}

// takingFrames is a subject that takes other frames on a path than it is given.
func takingFrames(path string, as func(s *alteredState, clip *tensor.Tensor) (*tensor.Tensor, error)) parts {
	return statesOn(path, func(s *alteredState) {
		s.accumulate = func(clip *tensor.Tensor) (*tensor.Tensor, error) {
			clip, err := as(s, clip)
			if err != nil {
				return nil, err
			}
			return s.State.AccumulateFrames(clip)
		}
	})
}

// countingCalls is a subject that counts so many calls more on a path.
func countingCalls(path string, more func(clip *tensor.Tensor) int) parts {
	return statesOn(path, func(s *alteredState) {
		s.accumulate = func(clip *tensor.Tensor) (*tensor.Tensor, error) {
			shown, err := s.State.AccumulateFrames(clip)
			if err != nil {
				return nil, err
			}
			calls, err := s.State.Get(dreamzero.CallCount)
			if err != nil {
				return nil, err
			}
			return shown, s.State.Set(dreamzero.CallCount, calls.(int)+more(clip))
		}
	})
}

// asItLies is the elements of a view in the order in which they are stored, from
// its first one on.
func asItLies(t *tensor.Tensor) (*tensor.Tensor, error) {
	raw, at := t.Storage().Bytes(), t.Offset()*t.DType().Size()
	return tensor.FromBytes(t.DType(), raw[at:at+t.NumBytes()], t.Shape()...)
}

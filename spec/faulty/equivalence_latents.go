package faulty

import (
	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/tensor"
)

// fullVideo is a number of chunks past which a fault of long videos shows: more
// than a generated rollout brings.
const fullVideo = 20

// partedLatents are faults of the video latents of a path.
func partedLatents() []Fault {
	return []Fault{
		{
			Name: "joins video latents newest first on the managed path", Breaks: []string{"EQV-02"}, Follows: []string{"EQV-06"},
			Parts: joining(managedPath, func(chunks []*tensor.Tensor) []*tensor.Tensor {
				for i, j := 0, len(chunks)-1; i < j; i, j = i+1, j-1 {
					chunks[i], chunks[j] = chunks[j], chunks[i]
				}
				return chunks
			}),
		}, {
			Name: "joins video latents along the channels on the bespoke path", Breaks: []string{"EQV-02"}, Follows: []string{"EQV-06"},
			Parts: statesOn(bespokePath, func(s *alteredState) {
				s.joined = func() (*tensor.Tensor, error) {
					out, err := s.State.ConcatenatedVideoLatents()
					if err != nil || out == nil {
						return nil, err
					}
					return out.Transpose(1, streamAxis)
				}
			}),
		}, {
			Name: "loses the oldest video latents of a long video on the managed path", Breaks: []string{"EQV-02"},
			Parts: joining(managedPath, func(chunks []*tensor.Tensor) []*tensor.Tensor {
				return chunks[max(0, len(chunks)-fullVideo):]
			}),
		}, {
			Name: "does not clear video latents on the managed path", Breaks: []string{"EQV-02"}, Follows: []string{"EQV-06"},
			Parts: statesOn(managedPath, func(s *alteredState) { s.clear = func() error { return nil } }),
		}, {
			Name: "clears the prompt embedding with the video latents on the bespoke path", Breaks: []string{"EQV-02"}, Follows: []string{"EQV-06"},
			Parts: statesOn(bespokePath, func(s *alteredState) {
				s.clear = func() error { return s.dropping(s.State.ClearVideoLatents, dreamzero.PromptEmbeds) }
			}),
		}, {
			Name: "takes video latents as they lie in memory on the bespoke path", Breaks: []string{"EQV-02"},
			Parts: statesOn(bespokePath, func(s *alteredState) {
				s.add = func(latents *tensor.Tensor) error {
					if !latents.IsContiguous() {
						var err error
						if latents, err = asItLies(latents); err != nil {
							return err
						}
					}
					return s.State.AppendVideoLatents(latents)
				}
			}),
		},
	}
}

// joining is a subject that joins other chunks of video latents on a path than
// those that it holds.
func joining(path string, which func(chunks []*tensor.Tensor) []*tensor.Tensor) parts {
	return statesOn(path, func(s *alteredState) {
		var lengths []int
		s.add = func(latents *tensor.Tensor) error {
			err := s.State.AppendVideoLatents(latents)
			if err == nil {
				lengths = append(lengths, latents.Dim(1))
			}
			return err
		}
		s.clear = func() error { lengths = nil; return s.State.ClearVideoLatents() }
		s.sessionReset = func() error { lengths = nil; return s.State.SessionReset() }
		s.joined = func() (*tensor.Tensor, error) {
			out, err := s.State.ConcatenatedVideoLatents()
			if err != nil || out == nil || len(lengths) < 2 {
				return out, err
			}
			all := 0
			for _, n := range lengths {
				all += n
			}
			if all != out.Dim(streamAxis) { // others than it saw coming
				return out, nil
			}
			var chunks []*tensor.Tensor
			at := 0
			for _, n := range lengths {
				chunk, err := out.Narrow(streamAxis, at, n)
				if err != nil {
					return nil, err
				}
				chunks, at = append(chunks, chunk), at+n
			}
			return tensor.Cat(streamAxis, which(chunks)...)
		}
	})
}

package faulty

import (
	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/tensor"
)

// partedStreams are faults of the encoder stream of a path, beyond what its ring
// does.
func partedStreams() []Fault {
	return []Fault{
		{
			Name: "appends when a stream is seeded again on the managed path", Breaks: []string{"EQV-03"}, Follows: []string{"EQV-06"},
			Parts: statesOn(managedPath, func(s *alteredState) {
				s.seed = func(chunk *tensor.Tensor) error {
					if s.State.EncoderFrames() > 0 {
						return s.State.AppendEncoderChunk(chunk)
					}
					return s.State.SeedEncoder(chunk)
				}
			}),
		}, {
			Name: "does not mark a stream as seeded on the bespoke path", Breaks: []string{"EQV-03"}, Follows: []string{"EQV-06"},
			Parts: statesOn(bespokePath, func(s *alteredState) {
				s.seed = func(chunk *tensor.Tensor) error {
					return s.dropping(func() error { return s.State.SeedEncoder(chunk) }, dreamzero.StreamInitialized)
				}
			}),
		}, {
			Name: "clears the frames that wait when a stream is seeded on the managed path", Breaks: []string{"EQV-03"}, Follows: []string{"EQV-06"},
			Parts: statesOn(managedPath, func(s *alteredState) {
				s.seed = func(chunk *tensor.Tensor) error {
					return s.dropping(func() error { return s.State.SeedEncoder(chunk) }, dreamzero.PendingFrames)
				}
			}),
		}, {
			Name: "clears the feature map when a chunk is appended on the bespoke path", Breaks: []string{"EQV-03"}, Follows: []string{"EQV-06"},
			Parts: statesOn(bespokePath, func(s *alteredState) {
				s.append = func(chunk *tensor.Tensor) error {
					return s.dropping(func() error { return s.State.AppendEncoderChunk(chunk) }, dreamzero.FeatureMap)
				}
			}),
		}, {
			Name: "clears the frames that wait when a stream is seeded on both paths", Breaks: []string{"EQV-03"},
			Parts: statesOn(bothPaths, func(s *alteredState) {
				s.seed = func(chunk *tensor.Tensor) error {
					return s.dropping(func() error { return s.State.SeedEncoder(chunk) }, dreamzero.PendingFrames)
				}
			}),
		}, {
			Name: "takes encoder chunks as they lie in memory on the bespoke path", Breaks: []string{"EQV-03"},
			Parts: statesOn(bespokePath, func(s *alteredState) {
				s.append = func(chunk *tensor.Tensor) error {
					if !chunk.IsContiguous() {
						var err error
						if chunk, err = asItLies(chunk); err != nil {
							return err
						}
					}
					return s.State.AppendEncoderChunk(chunk)
				}
			}),
		},
	}
}

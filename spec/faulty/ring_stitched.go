package faulty

import (
	"slices"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/tensor"
)

// stitchedFrames are faults of the buffer of stitched frames.
func stitchedFrames() []Fault {
	return []Fault{
		{
			Name: "holds a stitched frame more than a chunk", Breaks: []string{"RNG-13"},
			Parts: stitching(dreamzero.FramesPerChunk + 1),
		}, {
			Name: "holds two chunks of stitched frames", Breaks: []string{"RNG-13"},
			Parts: stitching(2 * dreamzero.FramesPerChunk),
		}, {
			Name: "keeps every stitched frame behind the four that it shows", Breaks: []string{"RNG-13"},
			Parts: keepingClips(forEver, func(clips []*tensor.Tensor) (bytes int64) {
				for _, c := range clips {
					bytes += int64(c.NumBytes())
				}
				return bytes
			}, (*tensor.Tensor).Clone),
		}, {
			Name: "keeps the clips of stitched frames and counts the frames", Breaks: []string{"RNG-13.pinned"},
			Met:   "the real buffer, which keeps the caller's array by reference",
			Parts: keepingClips(dreamzero.FramesPerChunk, uncounted, itself),
		}, {
			Name: "keeps every clip that a stitched frame was cut from", Breaks: []string{"RNG-13.pinned"},
			Parts: keepingClips(forEver, uncounted, itself),
		}, {
			Name: "keeps a clip more than a chunk has frames, and counts it", Breaks: []string{"RNG-13.pinned"},
			Parts: keepingClips(dreamzero.FramesPerChunk+1, func(clips []*tensor.Tensor) (bytes int64) {
				for _, c := range clips {
					bytes += int64(c.Storage().Len())
				}
				return bytes
			}, itself),
		},
	}
}

// stitching is a subject whose buffer of stitched frames has another bound.
func stitching(frames int) parts {
	return streams(func(s *alteredStream) {
		s.accumulate = func(clip *tensor.Tensor) (*tensor.Tensor, error) {
			_, err := s.managed().Session().GetOrCreate(dreamzero.StitchedFrames, func() (object.StateObject, error) {
				b := object.NewLatentBuffer(dreamzero.StitchedFrames)
				return b, b.Allocate(object.Bound{Unit: object.Frames, N: frames})
			}, nil)
			if err != nil {
				return nil, err
			}
			return s.State.AccumulateFrames(clip)
		}
	})
}

// keepingClips is a subject whose states keep so many of the clips that brought
// stitched frames, in a form, and add a figure to the buffer's own.
func keepingClips(most int, figure func(clips []*tensor.Tensor) int64, form func(clip *tensor.Tensor) *tensor.Tensor) parts {
	return streams(func(s *alteredStream) {
		var clips []*tensor.Tensor
		s.accumulate = func(clip *tensor.Tensor) (*tensor.Tensor, error) {
			out, err := s.State.AccumulateFrames(clip)
			if err == nil {
				clips = append(clips, form(clip))
				clips = slices.Clone(clips[max(0, len(clips)-most):])
			}
			return out, err
		}
		s.windowReset = func() error { clips = nil; return s.State.WindowReset() }
		s.sessionReset = func() error { clips = nil; return s.State.SessionReset() }
		s.bytes = func(name string) (int64, error) {
			n, err := s.State.Bytes(name)
			if name == dreamzero.StitchedFrames && resident(s.managed(), name) {
				n += figure(clips)
			}
			return n, err
		}
	})
}

func uncounted([]*tensor.Tensor) int64 { return 0 }

func itself(t *tensor.Tensor) *tensor.Tensor { return t }

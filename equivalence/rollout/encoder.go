package rollout

import (
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/tensor"
)

// bodyFrames is the pixel frames of a body chunk; a seed has one.
const bodyFrames = 4

// An Encoder is a causal video encoder: one frame first, the seed, then chunks
// of four, each with the feature map that the chunk before it left. It serves
// one call at a time.
//
// Channels never mix before the head, and space only where it is halved; so
// that a channel of the first level and the eight rows under one row of the
// last level, with all that becomes of them, are worked out by themselves, and
// nothing large lies between the map read and the map written.
type Encoder struct {
	layout  []Entry
	weights *encoderWeights
	workers int
	centred [256]float32

	colours []uint16  // the stem's output, [colour][frame][row][column]
	deepest []float32 // the head's input, [channel][row][column]
}

// NewEncoder returns the encoder of a profile, with weights from a seed. It
// works on so many goroutines, or as many as Go has processors where that is 0.
func NewEncoder(p Profile, seed uint64, workers int) (*Encoder, error) {
	if p.Height() < LatentScale || p.Height()%LatentScale != 0 || p.Width() < LatentScale || p.Width()%LatentScale != 0 || p.Base < 1 {
		return nil, fmt.Errorf("encoder of %d channels for frames of %d×%d: want at least one, and multiples of %d", p.Base, p.Height(), p.Width(), LatentScale)
	}
	if workers < 0 {
		return nil, fmt.Errorf("encoder on %d workers: want at least 1, or 0 for all", workers)
	}
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	layout := p.Layout()
	head := layout[entryHead]
	return &Encoder{
		layout: layout, weights: drawEncoder(seed, layout), workers: workers, centred: centred(),
		colours: make([]uint16, ColourChannels*bodyFrames*p.Height()*p.Width()),
		deepest: make([]float32, head.Channels*head.Height*head.Width),
	}, nil
}

// Encode returns the latent frame of a chunk, (1, LatentChannels, 1, H/8, W/8)
// of bfloat16, and writes the map for the next one. Frames are (H, W, C) of
// uint8: one where the map in is nil, the seed, else four. Out has the shapes
// that follow on in, and shares no memory with it.
func (e *Encoder) Encode(frames []*tensor.Tensor, in, out FeatureMap) (*tensor.Tensor, error) {
	pictures, err := e.pictures(frames, in == nil)
	if err != nil {
		return nil, err
	}
	before, err := open(in, e.layout)
	if err != nil {
		return nil, err
	}
	after, err := open(out, e.layout)
	if err != nil {
		return nil, err
	}
	for i, entry := range e.layout {
		if want := entry.FramesAfter(before[i].frames + 1); after[i].frames != want {
			return nil, fmt.Errorf("feature map entry %d, %s, to write: %d frames after %d, want %d", i, entry.Name, after[i].frames, before[i].frames, want)
		}
	}
	head := e.layout[entryHead]
	latent, err := tensor.New(dtype.BFloat16, 1, LatentChannels, 1, head.Height, head.Width)
	if err != nil {
		return nil, err
	}
	e.stem(pictures, &before, &after)
	e.pyramid(len(pictures), &before, &after)
	bytes, _ := latent.Bytes()
	e.head(bytes)
	return latent, nil
}

// pictures returns the bytes of the frames.
func (e *Encoder) pictures(frames []*tensor.Tensor, seed bool) ([][]byte, error) {
	want := bodyFrames
	if seed {
		want = 1
	}
	if len(frames) != want {
		return nil, fmt.Errorf("encode a chunk of %d frames: want %d", len(frames), want)
	}
	stem := e.layout[entryStem]
	shape := []int{stem.Height, stem.Width, ColourChannels}
	pictures := make([][]byte, len(frames))
	for i, f := range frames {
		if f == nil || f.DType() != dtype.UInt8 || !slices.Equal(f.Shape(), shape) || !f.Storage().Addressable() {
			return nil, fault.New(fault.ErrInvalidArgument, "encode frame %d of a chunk: it is %v, want uint8%v on the host", i, f, shape)
		}
		pictures[i], _ = f.Contiguous().Bytes()
	}
	return pictures, nil
}

// share has n items done by the workers, each with working memory of its own.
// What an item writes nobody else does, so that their order means nothing.
func share[T any](workers, n int, memory func() T, do func(own T, item int)) {
	var group sync.WaitGroup
	for first := range min(workers, n) {
		group.Go(func() {
			own := memory()
			for item := first; item < n; item += workers {
				do(own, item)
			}
		})
	}
	group.Wait()
}

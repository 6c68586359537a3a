package rollout

import (
	"sync"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/tensor"
)

// A StreamEncoder hands the frames of sessions to an encoder: the first of a
// session at once, as the seed, and after it every four that have come. Until
// then they wait in the session's state as the raw frames that they are, which
// is half of what they would be in bfloat16.
type StreamEncoder struct {
	mu      sync.Mutex // the encoder serves one call at a time
	encoder *Encoder
	maps    mapSource
}

// NewStreamEncoder returns one of a profile, whose weights are from a seed. It
// works on so many goroutines, or as many as Go has processors where that is 0. It
// makes every feature map anew.
func NewStreamEncoder(p Profile, seed uint64, workers int) (*StreamEncoder, error) {
	encoder, err := NewEncoder(p, seed, workers)
	if err != nil {
		return nil, err
	}
	return &StreamEncoder{encoder: encoder, maps: fresh{encoder.layout}}, nil
}

// Pooled has it write feature maps into memory that earlier ones were in, once the
// state has the next: memory that nobody touched before is the slowest thing there
// is. What a session held when it ended is not used again.
func (s *StreamEncoder) Pooled() *StreamEncoder {
	s.maps = newPool(s.encoder.layout)
	return s
}

// Encode takes the newest frame of a clip, (T, H, W, C) of uint8, which is what
// a state accumulates.
func (s *StreamEncoder) Encode(state dreamzero.State, clip *tensor.Tensor) error {
	frame, err := newest(clip)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err = s.take(state, frame)
	return err
}

// newest copies the last frame of a clip: a view would keep the whole clip.
func newest(clip *tensor.Tensor) (*tensor.Tensor, error) {
	if clip.Rank() != 4 || clip.Dim(0) < 1 {
		return nil, fault.New(fault.ErrInvalidArgument, "a clip of frames is %v, want at least one of (T, H, W, C)", clip)
	}
	last, err := clip.Select(0, clip.Dim(0)-1)
	if err != nil {
		return nil, err
	}
	return last.Clone(), nil
}

// taken is what became of a frame.
type taken struct {
	pending int64      // storage bytes of the frames that waited with it, before any was encoded
	next    FeatureMap // that the state was assigned; nil where the frame waits
}

// take hands a frame (H, W, C) on. The state keeps it while it waits.
func (s *StreamEncoder) take(state dreamzero.State, frame *tensor.Tensor) (t taken, err error) {
	seeded, err := get[bool](state, dreamzero.StreamInitialized)
	if err != nil {
		return t, err
	}
	if !seeded {
		latent, next, err := s.turn(state, []*tensor.Tensor{frame})
		if err != nil {
			return t, err
		}
		return taken{next: next}, state.SeedEncoder(latent)
	}
	waiting, err := get[[]*tensor.Tensor](state, dreamzero.PendingFrames)
	if err != nil {
		return t, err
	}
	waiting = append(append(make([]*tensor.Tensor, 0, bodyFrames), waiting...), frame)
	if err := state.Set(dreamzero.PendingFrames, waiting); err != nil {
		return t, err
	}
	if t.pending, err = state.Bytes(dreamzero.PendingFrames); err != nil || len(waiting) < bodyFrames {
		return t, err
	}
	latent, next, err := s.turn(state, waiting)
	if err != nil {
		return t, err
	}
	t.next = next
	if err := state.AppendEncoderChunk(latent); err != nil {
		return t, err
	}
	return t, state.Set(dreamzero.PendingFrames, nil)
}

// turn encodes a chunk and assigns the next feature map.
func (s *StreamEncoder) turn(state dreamzero.State, frames []*tensor.Tensor) (latent *tensor.Tensor, after FeatureMap, err error) {
	before, err := get[FeatureMap](state, dreamzero.FeatureMap)
	if err != nil {
		return nil, nil, err
	}
	if after, err = s.maps.next(before); err != nil {
		return nil, nil, err
	}
	if latent, err = s.encoder.Encode(frames, before, after); err != nil {
		return nil, nil, err
	}
	if err := state.Set(dreamzero.FeatureMap, after); err != nil {
		return nil, nil, err
	}
	s.maps.release(before)
	return latent, after, nil
}

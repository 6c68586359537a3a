package faulty

import (
	"slices"
	"weak"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/tensor"
)

// partedAliases are faults of what a path keeps, or hands out, itself where the
// other copies, or the other way round.
func partedAliases() []Fault {
	return []Fault{
		{
			Name: "copies image features that are set on the managed path", Breaks: []string{"EQV-12"},
			Parts: statesOn(managedPath, func(s *alteredState) {
				s.set = func(name string, value any) error {
					if name == dreamzero.ClipFeatures {
						value = copyOf(value)
					}
					return s.State.Set(name, value)
				}
			}),
		}, {
			Name: "hands out copies of the conditioning image on the bespoke path", Breaks: []string{"EQV-12"},
			Parts: statesOn(bespokePath, func(s *alteredState) {
				s.get = func(name string) (any, error) {
					v, err := s.State.Get(name)
					if name == dreamzero.ImageCondition {
						v = copyOf(v)
					}
					return v, err
				}
			}),
		}, {
			Name: "keeps another list of the feature map's entries on the managed path", Breaks: []string{"EQV-12"},
			Parts: statesOn(managedPath, func(s *alteredState) {
				s.set = func(name string, value any) error {
					if l, is := value.(*[]any); is && name == dreamzero.FeatureMap {
						value = new(slices.Clone(*l))
					}
					return s.State.Set(name, value)
				}
			}),
		}, {
			Name: "hands out a copy of a single chunk of video latents on the managed path", Breaks: []string{"EQV-12"},
			Parts: statesOn(managedPath, func(s *alteredState) {
				s.joined = func() (*tensor.Tensor, error) {
					out, err := s.State.ConcatenatedVideoLatents()
					if err != nil || out == nil {
						return nil, err
					}
					return out.Clone(), nil
				}
			}),
		}, {
			Name: "hands out the encoder ring itself on the managed path", Breaks: []string{"EQV-12"},
			Parts: statesOn(managedPath, func(s *alteredState) {
				s.observe = func(n int) (*tensor.Tensor, error) {
					window, err := s.State.ObserveLatents(n)
					if err != nil || s.ring().Len() < n {
						return window, err
					}
					return s.itself(window, n)
				}
			}),
		}, {
			Name: "keeps frames by reference on the bespoke path", Breaks: []string{"EQV-12.frames"},
			Met:   "the real implementation, on both paths",
			Parts: statesOn(bespokePath, func(s *alteredState) { s.referFrames() }),
		}, {
			Name: "keeps the newest frames by reference on the managed path while the caller has them", Breaks: []string{"EQV-12.frames"},
			Parts: statesOn(managedPath, func(s *alteredState) {
				var newest weak.Pointer[tensor.Tensor]
				s.accumulate = func(clip *tensor.Tensor) (*tensor.Tensor, error) {
					before := newest.Value()
					shown, err := s.State.AccumulateFrames(clip)
					newest = weak.Make(clip)
					if err != nil || before == nil || clip.Rank() != 3 || before.Rank() != 3 || shown.Dim(0) < 2 {
						return shown, err
					}
					return withFrame(shown, shown.Dim(0)-2, before)
				}
				s.windowReset = func() error { newest = weak.Pointer[tensor.Tensor]{}; return s.State.WindowReset() }
				s.sessionReset = func() error { newest = weak.Pointer[tensor.Tensor]{}; return s.State.SessionReset() }
			}),
		}, {
			Name: "keeps video latents by reference on the managed path", Breaks: []string{"EQV-12.latents"},
			Met:   "the real implementation, on both paths where they are on the host",
			Parts: statesOn(managedPath, func(s *alteredState) { s.referLatents() }),
		}, {
			Name: "keeps video latents by reference on the bespoke path", Breaks: []string{"EQV-12.latents"},
			Parts: statesOn(bespokePath, func(s *alteredState) { s.referLatents() }),
		}, {
			Name: "keeps encoder chunks by reference on the bespoke path", Breaks: []string{"EQV-12.chunks"},
			Parts: statesOn(bespokePath, func(s *alteredState) { s.referChunks() }),
		}, {
			Name: "keeps the newest encoder chunk by reference on the managed path while the caller has it", Breaks: []string{"EQV-12.chunks"},
			Met:   "the real manager: a chunk that is changed after it was appended changes the managed history only",
			Parts: statesOn(managedPath, func(s *alteredState) { s.referNewestChunk() }),
		},
	}
}

// copyOf is a copy of a tensor; anything else is left.
func copyOf(v any) any {
	if t, is := v.(*tensor.Tensor); is && t != nil {
		return t.Clone()
	}
	return v
}

// itself is a window of the encoder ring, where the quantiser leaves it as it is.
func (s *alteredState) itself(window *tensor.Tensor, n int) (*tensor.Tensor, error) {
	frames, err := s.ring().Last(n)
	if err != nil {
		return nil, err
	}
	mean, err := frames.Narrow(1, 0, window.Dim(1))
	if err != nil || string(mean.AppendBytes(nil)) != string(window.AppendBytes(nil)) {
		return window, err
	}
	return mean, nil
}

// withFrame is a clip with another frame at an index.
func withFrame(clip *tensor.Tensor, i int, frame *tensor.Tensor) (*tensor.Tensor, error) {
	clip = clip.Clone()
	at, err := clip.Select(0, i)
	if err != nil {
		return nil, err
	}
	return clip, at.CopyFrom(frame)
}

// referFrames has the state show the frames that came as they are now.
func (s *alteredState) referFrames() {
	var frames []*tensor.Tensor // since a reset, the last of them
	s.accumulate = func(clip *tensor.Tensor) (*tensor.Tensor, error) {
		if n, err := s.State.Get(dreamzero.CallCount); err == nil && n == 0 {
			frames = nil // of a session that was closed
		}
		shown, err := s.State.AccumulateFrames(clip)
		if err != nil {
			return nil, err
		}
		if clip.Rank() == 3 {
			frames = append(frames, clip)
		} else {
			for i := range clip.Dim(0) {
				frame, err := clip.Select(0, i)
				if err != nil {
					return nil, err
				}
				frames = append(frames, frame)
			}
		}
		frames = slices.Clone(frames[max(0, len(frames)-dreamzero.FramesPerChunk):])
		for i := range min(len(frames), shown.Dim(0)) {
			if shown, err = withFrame(shown, shown.Dim(0)-1-i, frames[len(frames)-1-i]); err != nil {
				return nil, err
			}
		}
		return shown, nil
	}
	s.windowReset = func() error { frames = nil; return s.State.WindowReset() }
	s.sessionReset = func() error { frames = nil; return s.State.SessionReset() }
}

// referLatents has the state show the video latents that came as they are now.
func (s *alteredState) referLatents() {
	var chunks []*tensor.Tensor
	frames := 0
	forget := func(step func() error) func() error {
		return func() error { chunks, frames = nil, 0; return step() }
	}
	s.clear, s.sessionReset = forget(s.State.ClearVideoLatents), forget(s.State.SessionReset)
	s.add = func(latents *tensor.Tensor) error {
		if err := s.State.AppendVideoLatents(latents); err != nil {
			return err
		}
		chunk, err := latents.Transpose(1, streamAxis)
		chunks, frames = append(chunks, chunk), frames+latents.Dim(1)
		return err
	}
	s.joined = func() (*tensor.Tensor, error) {
		out, err := s.State.ConcatenatedVideoLatents()
		switch {
		case err != nil || out == nil || out.Dim(streamAxis) != frames:
			return out, err
		case len(chunks) == 1:
			return chunks[0], nil
		}
		return tensor.Cat(streamAxis, chunks...)
	}
}

// referChunks has the state read the chunks that came as they are now.
func (s *alteredState) referChunks() {
	var chunks []*tensor.Tensor
	s.seed = func(chunk *tensor.Tensor) error {
		err := s.State.SeedEncoder(chunk)
		if err == nil {
			chunks = []*tensor.Tensor{chunk}
		}
		return err
	}
	s.append = func(chunk *tensor.Tensor) error {
		err := s.State.AppendEncoderChunk(chunk)
		if err == nil {
			chunks = append(chunks, chunk)
		}
		return err
	}
	s.sessionReset = func() error { chunks = nil; return s.State.SessionReset() }
	s.observe = func(n int) (*tensor.Tensor, error) {
		if len(chunks) > 0 {
			now, err := tensor.Cat(streamAxis, chunks...)
			if err != nil {
				return nil, err
			}
			if now.Dim(streamAxis) == s.State.EncoderFrames() {
				if err := s.carriedOver(func() error { return s.State.SeedEncoder(now) }, dreamzero.StreamInitialized)(); err != nil {
					return nil, err
				}
			}
		}
		return s.State.ObserveLatents(n)
	}
}

// referNewestChunk has the ring hold its newest chunk as it is now.
func (s *alteredState) referNewestChunk() {
	var newest weak.Pointer[tensor.Tensor]
	remember := func(step func(*tensor.Tensor) error) func(*tensor.Tensor) error {
		return func(chunk *tensor.Tensor) error {
			err := step(chunk)
			if err == nil {
				newest = weak.Make(chunk)
			}
			return err
		}
	}
	s.seed, s.append = remember(s.State.SeedEncoder), remember(s.State.AppendEncoderChunk)
	s.sessionReset = func() error { newest = weak.Pointer[tensor.Tensor]{}; return s.State.SessionReset() }
	s.observe = func(n int) (*tensor.Tensor, error) {
		if chunk := newest.Value(); chunk != nil && chunk.Dim(streamAxis) > 0 {
			if err := s.replaceNewest(chunk); err != nil {
				return nil, err
			}
		}
		return s.State.ObserveLatents(n)
	}
}

// replaceNewest has the ring hold a chunk in the place of as many of its newest
// frames.
func (s *alteredState) replaceNewest(chunk *tensor.Tensor) error {
	held, err := s.held(s.managed().Window())
	if err != nil || held == nil {
		return err
	}
	n := min(chunk.Dim(streamAxis), held.Dim(streamAxis))
	older, err := head(held, streamAxis, held.Dim(streamAxis)-n)
	if err != nil {
		return err
	}
	newer, err := tail(chunk, streamAxis, n)
	if err != nil {
		return err
	}
	both, err := tensor.Cat(streamAxis, older, newer)
	if err != nil {
		return err
	}
	return s.refill(both)
}

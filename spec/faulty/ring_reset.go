package faulty

import "github.com/statespec/statespec/reference/tensor"

// ringResets are faults of what the resets of a state do to the encoder ring.
func ringResets() []Fault {
	return []Fault{
		{
			Name: "clears the encoder ring at a window reset", Breaks: []string{"RNG-06"}, Follows: []string{"EQV-04", "EQV-06"},
			Parts: streams(func(s *alteredStream) {
				s.windowReset = func() error {
					if err := s.refill(nil); err != nil {
						return err
					}
					return s.State.WindowReset()
				}
			}),
		}, {
			Name: "keeps the newest encoder frame alone at a window reset", Breaks: []string{"RNG-06"}, Follows: []string{"EQV-04", "EQV-06"},
			Parts: streams(func(s *alteredStream) {
				s.windowReset = func() error {
					newest, err := s.held(1)
					if err == nil {
						err = s.refill(newest)
					}
					if err != nil {
						return err
					}
					return s.State.WindowReset()
				}
			}),
		}, {
			Name: "keeps the encoder ring at a session reset", Breaks: []string{"RNG-06"}, Follows: []string{"EQV-03", "EQV-04", "EQV-11", "EQV-11.unseeded"},
			Parts: streams(func(s *alteredStream) { s.sessionReset = s.keeping(2) }),
		}, {
			Name: "keeps the newest encoder frame at a session reset", Breaks: []string{"RNG-06"}, Follows: []string{"EQV-03", "EQV-04", "EQV-11", "EQV-11.unseeded"},
			Parts: streams(func(s *alteredStream) { s.sessionReset = s.keeping(1) }),
		}, {
			Name: "begins an episode with the encoder frames of the last", Breaks: []string{"RNG-06"}, Follows: []string{"EQV-03", "EQV-04", "EQV-06"},
			Parts: streams(func(s *alteredStream) {
				var last *tensor.Tensor
				s.sessionReset = func() (err error) {
					if last, err = s.held(2); err != nil {
						return err
					}
					return s.State.SessionReset()
				}
				s.seed = func(chunk *tensor.Tensor) error {
					if last != nil {
						if joined, err := tensor.Cat(streamAxis, last, chunk); err == nil {
							chunk = joined
						}
					}
					last = nil
					return s.State.SeedEncoder(chunk)
				}
			}),
		},
	}
}

// held are copies of the last n encoder frames, fewer where there are no more;
// nil for none.
func (s *alteredStream) held(n int) (*tensor.Tensor, error) {
	ring := s.ring()
	if ring == nil || ring.Len() == 0 {
		return nil, nil
	}
	frames, err := ring.Last(min(n, ring.Len()))
	if err != nil {
		return nil, err
	}
	return frames.Clone(), nil
}

// keeping is a session reset that leaves n encoder frames.
func (s *alteredStream) keeping(n int) func() error {
	return func() error {
		left, err := s.held(n)
		if err != nil {
			return err
		}
		if err := s.State.SessionReset(); err != nil {
			return err
		}
		return s.refill(left)
	}
}

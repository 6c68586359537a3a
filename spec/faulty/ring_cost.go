package faulty

import "github.com/statespec/statespec/reference/tensor"

// ringCosts are faults of what a step costs as its session grows.
func ringCosts() []Fault {
	return []Fault{
		{
			Name: "appends an encoder frame by copying the history", Breaks: []string{"RNG-08"},
			Parts: growing(func(s *alteredStream, history *[]byte) {
				own := s.append
				s.append = func(chunk *tensor.Tensor) error {
					longer := make([]byte, 0, len(*history)+chunk.NumBytes())
					*history = chunk.AppendBytes(append(longer, *history...))
					return own(chunk)
				}
			}),
		}, {
			Name: "reads an encoder window by walking the history", Breaks: []string{"RNG-08"},
			Parts: growing(func(s *alteredStream, history *[]byte) {
				own := s.append
				s.append = func(chunk *tensor.Tensor) error {
					*history = chunk.AppendBytes(*history)
					return own(chunk)
				}
				s.observe = func(n int) (*tensor.Tensor, error) {
					if parity(*history) > 1 {
						return nil, refused("a byte of more than eight bits")
					}
					return s.State.ObserveLatents(n)
				}
			}),
		}, {
			Name: "quantises the whole encoder history for a window", Breaks: []string{"RNG-08"},
			Parts: quantisesAll(),
		},
	}
}

// quantisesAll has the managed reader quantise all frames that ever came, and
// then read what it should.
func quantisesAll() parts {
	return filmedStreams(func(f *film, _ int, chunk *tensor.Tensor) { f.add(chunk) }, func(s *alteredStream, f *film) {
		q := &alteredQuantiser{threads: 1, quantise: exactly}
		s.observe = func(n int) (*tensor.Tensor, error) {
			if all, err := f.last(f.len()); err == nil {
				if _, err := q.Quantise(all); err != nil {
					return nil, err
				}
			}
			return s.State.ObserveLatents(n)
		}
	})
}

// growing is a subject whose states keep the bytes of every encoder frame
// beside the stream, and count none of them.
func growing(change func(s *alteredStream, history *[]byte)) parts {
	return streams(func(s *alteredStream) {
		var history []byte
		change(s, &history)
	})
}

// parity looks at every byte.
func parity(bs []byte) (p byte) {
	for _, b := range bs {
		p ^= b & 1
	}
	return p
}

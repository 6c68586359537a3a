package faulty

import (
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/tensor"
)

// paddings are faults of what a reader gets who comes too early.
func paddings() []Fault {
	const oldest = 0
	return []Fault{
		{
			Name: "pads the encoder with its oldest frame", Breaks: []string{"RNG-09"}, Follows: []string{"EQV-03", "EQV-06"},
			Parts: padding(streams, func(held *tensor.Tensor, n int) (*tensor.Tensor, error) {
				return padded(held, streamAxis, n, oldest)
			}),
		}, {
			Name: "pads the encoder behind what is there", Breaks: []string{"RNG-09"}, Follows: []string{"EQV-03", "EQV-06"},
			Parts: padding(streams, newestBehind),
		}, {
			Name: "pads the encoder with zeros", Breaks: []string{"RNG-09"}, Follows: []string{"EQV-03", "EQV-06"},
			Parts: padding(streams, func(held *tensor.Tensor, n int) (*tensor.Tensor, error) {
				shape := held.Shape()
				shape[streamAxis] = n - held.Dim(streamAxis)
				zeros, err := tensor.New(held.DType(), shape...)
				if err != nil {
					return nil, err
				}
				return tensor.Cat(streamAxis, zeros, held)
			}),
		}, {
			Name: "refuses an encoder window that is not full yet", Breaks: []string{"RNG-09"}, Follows: []string{"EQV-03", "EQV-06"},
			Parts: padding(streams, func(held *tensor.Tensor, n int) (*tensor.Tensor, error) {
				return nil, fault.New(fault.ErrNotReady, "observe %d latent frames: %d so far", n, held.Dim(streamAxis))
			}),
		}, {
			Name: "reads a shorter encoder window while it is not full", Breaks: []string{"RNG-09"}, Follows: []string{"EQV-03", "EQV-06"},
			Parts: padding(streams, func(held *tensor.Tensor, _ int) (*tensor.Tensor, error) { return held, nil }),
		}, {
			Name: "pads the bespoke encoder with its oldest frame", Breaks: []string{"RNG-09"}, Follows: []string{"EQV-03", "EQV-06"},
			Parts: padding(bespokeStreams, func(held *tensor.Tensor, n int) (*tensor.Tensor, error) {
				return padded(held, streamAxis, n, oldest)
			}),
		}, {
			Name: "pads the bespoke encoder behind what is there", Breaks: []string{"RNG-09"}, Follows: []string{"EQV-03", "EQV-06"},
			Parts: padding(bespokeStreams, newestBehind),
		},
	}
}

// padding is a subject whose readers, on one path, pad in another way: held is
// what there is of the n frames.
func padding(path func(func(*alteredStream)) parts, pad func(held *tensor.Tensor, n int) (*tensor.Tensor, error)) parts {
	return path(func(s *alteredStream) {
		s.observe = func(n int) (*tensor.Tensor, error) {
			window, err := s.State.ObserveLatents(n)
			held := s.State.EncoderFrames()
			if err != nil || n <= held {
				return window, err
			}
			all, err := tail(window, streamAxis, held)
			if err != nil {
				return nil, err
			}
			out, err := pad(all, n)
			if err != nil {
				return nil, err
			}
			return out.Clone(), nil
		}
	})
}

// newestBehind pads with the newest frame, behind it.
func newestBehind(held *tensor.Tensor, n int) (*tensor.Tensor, error) {
	newest, err := tail(held, streamAxis, 1)
	if err != nil {
		return nil, err
	}
	for held.Dim(streamAxis) < n {
		if held, err = tensor.Cat(streamAxis, held, newest); err != nil {
			return nil, err
		}
	}
	return held, nil
}

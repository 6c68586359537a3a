package dreamzero

import "github.com/statespec/statespec/reference/tensor"

// A Quantiser stands for the model's quant_conv, a convolution of kernel size
// one: it maps encoder output (B, C, T, H, W) to latents (B, C', T, H, W) of
// the same dtype, every position on its own. The reader keeps the first half
// of C'. It may return its argument, and must not change it.
type Quantiser interface {
	Quantise(encoderOut *tensor.Tensor) (*tensor.Tensor, error)
}

// Identity is the quantiser of the recordings: the latents are the encoder
// output itself.
type Identity struct{}

// Quantise returns its argument.
func (Identity) Quantise(encoderOut *tensor.Tensor) (*tensor.Tensor, error) { return encoderOut, nil }

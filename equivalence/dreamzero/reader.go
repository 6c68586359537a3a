package dreamzero

import "github.com/statespec/statespec/reference/tensor"

// observe quantises what is held of the encoder output, (B, C, T, H, W) with T
// of at least 1, and returns the mean half of its last n frames in a tensor of
// its own. It is the one reader of the encoder output; since a Quantiser is
// pointwise in time, what it returns does not depend on frames before those.
func observe(q Quantiser, held *tensor.Tensor, n int) (*tensor.Tensor, error) {
	latents, err := q.Quantise(held)
	if err != nil {
		return nil, err
	}
	mean, err := latents.Narrow(1, 0, (latents.Dim(1)+1)/2)
	if err != nil {
		return nil, err
	}
	frames := mean.Dim(timeAxis)
	if frames >= n {
		last, err := mean.Narrow(timeAxis, frames-n, n)
		if err != nil {
			return nil, err
		}
		return last.Copy()
	}
	newest, err := mean.Narrow(timeAxis, frames-1, 1)
	if err != nil {
		return nil, err
	}
	shape := newest.Shape()
	shape[timeAxis] = n - frames
	pad, err := newest.Expand(shape...)
	if err != nil {
		return nil, err
	}
	return tensor.Cat(timeAxis, pad, mean)
}

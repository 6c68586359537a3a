package rollout

import (
	"fmt"
	"math"

	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/tensor"
)

// A denoiser stands for the model's: two Euler steps from noise that is always
// the same, led by the latents observed, the chunk before, the prompt and the
// image. It only ever weakens the chunk before, so that chunks stay bounded.
type denoiser struct {
	profile Profile
	noise   []float32 // [frame][channel][position]
	lead    []lead    // of each channel
}

// lead are the weights of what leads a channel.
type lead struct{ observed, before, prompt float32 }

// Each Euler step goes half the way along the velocity, which draws to the
// centre with these weights.
const eulerStep = 0.5

var draw = [...]float32{-0.75, -0.5}

func newDenoiser(p Profile, seed uint64) *denoiser {
	channels := LatentChannels / 2
	d := &denoiser{profile: p, noise: drawSmall(stream(seed, ofNoise), LatentFrames*channels*positions(p), 1), lead: make([]lead, channels)}
	s := stream(seed, ofDenoiser)
	for c := range d.lead {
		u := s.Uint64()
		d.lead[c] = lead{
			observed: signed(0.125+float32(float32(u>>40&15)/64), u>>63),
			before:   signed(0.25+float32(float32(u>>36&15)/128), u>>62),
			prompt:   signed(0.25+float32(float32(u>>32&15)/64), u>>61),
		}
	}
	return d
}

// positions is how many there are in a latent frame.
func positions(p Profile) int { return p.Height() / LatentScale * p.Width() / LatentScale }

// chunk returns a video chunk (B, T, C, H, W) of bfloat16. Observed is
// (B, C, T, H, W) of the quantiser's dtype; before is a chunk, or nil; the
// conditions have a value a channel each.
func (d *denoiser) chunk(observed, before *tensor.Tensor, conditions ...*tensor.Tensor) (*tensor.Tensor, error) {
	chunk, err := tensor.New(dtype.BFloat16, d.profile.ChunkShape()...)
	if err != nil {
		return nil, err
	}
	led, err := d.condition(conditions)
	if err != nil {
		return nil, err
	}
	n, channels := positions(d.profile), len(d.lead)
	seen, previous, out := observed.AppendBytes(nil), []byte(nil), chunk.Storage().Bytes()
	if before != nil {
		previous = before.AppendBytes(nil)
	}
	for t := range LatentFrames {
		for c, lead := range d.lead {
			for i := range n {
				at := (t*channels+c)*n + i
				pull := float32(lead.observed * load(seen, observed.DType(), (c*LatentFrames+t)*n+i))
				if previous != nil {
					pull += float32(lead.before * load(previous, dtype.BFloat16, at))
				}
				store(out, dtype.BFloat16, at, euler(d.noise[at], pull+led[c]))
			}
		}
	}
	return chunk, nil
}

// euler goes from noise along what pulls.
func euler(x, pull float32) float32 {
	for _, centre := range draw {
		velocity := float32(centre*x) + pull
		x += float32(eulerStep * velocity)
	}
	return x
}

// condition adds up the conditions, a value a channel.
func (d *denoiser) condition(conditions []*tensor.Tensor) ([]float32, error) {
	led := make([]float32, len(d.lead))
	for _, condition := range conditions {
		if condition == nil || condition.DType() != dtype.BFloat16 || condition.NumElements() != len(led) {
			return nil, fmt.Errorf("denoise led by %v: want bfloat16 of %d channels", condition, len(led))
		}
		b := condition.AppendBytes(nil)
		for c := range led {
			led[c] += float32(d.lead[c].prompt * load(b, dtype.BFloat16, c))
		}
	}
	return led, nil
}

// act reads an action out of a chunk: the sum of each of its frames, in one
// order, in float32.
func act(p Profile, chunk *tensor.Tensor) (action [LatentFrames]float32, err error) {
	b := chunk.AppendBytes(nil)
	n := LatentChannels / 2 * positions(p)
	for t := range action {
		for i := range n {
			action[t] += load(b, dtype.BFloat16, t*n+i)
		}
		if limit := float32(1 << 24); !(action[t] > -limit && action[t] < limit) {
			return action, fmt.Errorf("the action's sum %d is %v: want it between −2^24 and 2^24", t, action[t])
		}
	}
	return action, nil
}

// shift is the action in whole pixels: where a divergence of sums becomes one
// of pictures, if it does.
func shift(action [LatentFrames]float32) Shift {
	whole := func(f float32) int { return within(int(math.Floor(float64(f))), 32) }
	return Shift{Rows: whole(action[0]), Columns: whole(action[1])}
}

package rollout

import "github.com/statespec/statespec/fixtures/fill"

// What is drawn from the seed. Each has a stream of its own, so that one more
// of one kind changes none of another.
const (
	ofEncoder uint64 = iota + 1
	ofQuantiser
	ofDenoiser
	ofNoise
	ofTexture
	ofPrompt
)

// stream returns the stream of one thing that is drawn from a seed.
func stream(seed uint64, of ...uint64) *fill.Stream { return fill.Seeded(derive(seed, of...)) }

// derive mixes a path of numbers into a seed.
func derive(seed uint64, of ...uint64) uint64 {
	for _, n := range of {
		seed = fill.Seeded(seed ^ fill.Seeded(n).Uint64()).Uint64()
	}
	return seed
}

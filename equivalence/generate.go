package equivalence

import (
	"math/rand/v2"
	"slices"
)

// A script is the moves of a generated rollout, of a model of a window whose
// latents are of a dtype: the same for the same seed on every machine. It asks
// for nothing that a path may refuse: a stream is read once it is seeded, and no
// further than the window.
type script struct {
	r      *rand.Rand
	window int
	dtype  string

	seeded bool   // the stream is
	value  uint64 // seeds of the values so far
}

// generate makes the k-th script of a seed.
func generate(seed int64, k, length, window int, dtype string) []move {
	g := &script{r: rand.New(rand.NewPCG(uint64(seed), uint64(k))), window: window, dtype: dtype, value: uint64(k) << 16}
	ms := g.episode()
	for len(ms) < length {
		ms = append(ms, g.next()...)
	}
	if !g.seeded {
		ms = append(ms, g.stream()...)
	}
	return append(ms, shows(window)...)
}

// next is what a model does next. Most of it is what forwards do; resets come at
// any time.
func (g *script) next() []move {
	switch n := g.r.IntN(32); {
	case n < 6:
		return []move{accumulate(g.frames())}
	case n < 13:
		return g.stream()
	case n < 17:
		return []move{appendLatents(latent(g.dtype, g.seed(), 1+g.r.IntN(3)))}
	case n < 20:
		return []move{concatenated}
	case n < 24:
		return []move{g.assign()}
	case n < 28:
		return g.reason()
	case n < 29:
		return []move{clearLatents}
	case n < 31:
		return append([]move{windowReset}, look()...)
	}
	g.seeded = false
	return slices.Concat([]move{sessionReset}, look(), g.episode())
}

// look is what the model looks up once a reset is over: all that it carries.
func look() (ms []move) {
	for _, name := range carried {
		ms = append(ms, get(name))
	}
	return ms
}

// episode is what a model sets as an episode begins: its prompt, and most of its
// conditioning.
func (g *script) episode() (ms []move) {
	if g.r.IntN(4) > 0 {
		ms = append(ms, set("language", int64s(1, 2, 3)))
	}
	for _, name := range carried {
		if name != "language" && name != "vae_stream_initialized" && g.r.IntN(4) > 0 {
			ms = append(ms, set(name, condition(name, g.dtype, g.seed())))
		}
	}
	return ms
}

func (g *script) seed() uint64 { g.value++; return g.value }

// frames are a single frame, or a clip that may be longer than a chunk.
func (g *script) frames() content {
	if g.r.IntN(2) == 0 {
		return clip(g.seed(), single)
	}
	return clip(g.seed(), 1+g.r.IntN(6))
}

// stream is what a model does with its encoder stream: it brings it a chunk, or
// starts it over, and reads it.
func (g *script) stream() []move {
	c := chunk(g.dtype, g.seed(), 1+g.r.IntN(3))
	bring := appendChunk(c)
	if !g.seeded || g.r.IntN(8) == 0 {
		bring, g.seeded = seed(c), true
	}
	return []move{bring, get("vae_stream_initialized"), observe(1 + g.r.IntN(g.window))}
}

// assign sets a carried value, or clears or reads one.
func (g *script) assign() move {
	name := carried[g.r.IntN(len(carried))]
	switch g.r.IntN(6) {
	case 0:
		return get(name)
	case 1:
		if name != "vae_stream_initialized" {
			return unset(name)
		}
	}
	switch name {
	case "vae_stream_initialized": // which the stream has its own say in
		return get(name)
	case "language":
		return set(name, int64s(1, 2, byte(3+g.r.IntN(2))))
	case "current_start_frame":
		return set(name, g.start())
	}
	return set(name, condition(name, g.dtype, g.seed()))
}

// start is a start frame before or past the attention window of a request.
func (g *script) start() content { return integer([]int{0, 3, 7, 9}[g.r.IntN(4)]) }

// reason asks about a request, by when the session has come to a start frame: most
// go on with the prompt that is there.
func (g *script) reason() []move {
	q := situation{frames: []int{1, 4, 4}[g.r.IntN(3)], window: []int{-1, 5, 5}[g.r.IntN(3)]}
	if g.r.IntN(3) > 0 {
		q.tokens = new(int64s(1, 2, byte(3+g.r.IntN(2))))
	}
	return []move{set("current_start_frame", g.start()), q.ask()}
}

package equivalence

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

// latent is a chunk (B, T, C, H, W) of so many video latents.
func latent(dtype string, seed uint64, length int) content {
	return tensor(dtype, seed, 1, length, 4, 3, 2)
}

// latents is what both paths hold for the video that is decoded at the end.
func latents(open Open) {
	DescribeTable("holds the same video latents:", Promise("EQV-02"),
		func(ctx SpecContext, lengths ...int) {
			s := open.Subject(ctx)
			for _, dtype := range latentDTypes(s) {
				p := opened(s, options{})
				p.agree(concatenated)
				for i, n := range lengths {
					p.agree(appendLatents(latent(dtype, uint64(i+1), n)), concatenated)
				}
				p.decided()
				p.letGo()
			}
		},
		Entry("one chunk", 1),
		Entry("one chunk of several", 3),
		Entry("two chunks", 1, 1),
		Entry("chunks of several lengths", 2, 1, 3, 1, 1, 4),
		Entry("many chunks", 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1),
	)

	It("holds the same video latents: of a batch, cut out of a longer chunk, and with axes exchanged", Promise("EQV-02"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		dtype := latentDType(s)
		for _, shape := range []func(seed uint64) content{
			func(seed uint64) content { return tensor(dtype, seed, 3, 2, 4, 3, 2) },
			func(seed uint64) content { return tensor(dtype, seed, 1, 9, 4, 3, 2).cutOut(1, int(seed), 2) },
			func(seed uint64) content { return tensor(dtype, seed, 1, 4, 2, 3, 2).turned(1, 2) },
		} {
			p := opened(s, options{})
			for i := range uint64(3) {
				p.agree(appendLatents(shape(i+1)), concatenated)
			}
			p.decided()
			p.letGo()
		}
	})

	for _, chunks := range []int{0, 1, 3} {
		It(fmt.Sprintf("is left with the same by a clear of %d chunks of video latents", chunks), Promise("EQV-02"), func(ctx SpecContext) {
			s := open.Subject(ctx)
			dtype := latentDType(s)
			p := opened(s, options{})
			p.agree(clearLatents, concatenated)
			for i := range uint64(chunks) {
				p.agree(appendLatents(latent(dtype, i+1, 2)))
			}
			p.agree(clearLatents, concatenated)
			p.agree(appendLatents(latent(dtype, 9, 1)), concatenated)
			p.agree(appendLatents(latent(dtype, 10, 2)), concatenated, clearLatents, concatenated)
			p.decided()
		})
	}

	It("is left with the same of all else by a clear of video latents", Promise("EQV-02"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		expectUnlikeControls(func() *pair { return opened(s, options{}) }, func(p *pair) {
			p.take(busy(latentDType(s))...)
			p.happens(func() { p.take(clearLatents) })
			p.agree(shows(2)...)
			p.agree(accumulate(clip(7, single)), accumulate(clip(8, single)), get("call_count"), appendChunk(chunk(latentDType(s), 9, 1)), observe(2))
		})
	})
}

// busy are moves after which every value of a session is set.
func busy(dtype string) []move {
	ms := []move{
		accumulate(clip(1, 1)), accumulate(clip(2, 3)), accumulate(clip(3, single)),
		appendLatents(latent(dtype, 1, 1)), appendLatents(latent(dtype, 2, 2)),
		seed(chunk(dtype, 1, 1)), appendChunk(chunk(dtype, 2, 1)), appendChunk(chunk(dtype, 3, 2)),
	}
	for i, name := range carried {
		ms = append(ms, set(name, condition(name, dtype, uint64(30+i))))
	}
	return ms
}

// condition is a value for a name of the table.
func condition(name, dtype string, seed uint64) content {
	switch name {
	case "vae_enc_feat_map":
		return list(tensor(dtype, seed, 1, 4, 2, 3, 2), tensor(dtype, seed+100, 1, 2, 1, 6, 4), content{recipe: spec.Nothing()})
	case "vae_pending_body_frames":
		return list(tensor("uint8", seed, 6, 8, 3), tensor("uint8", seed+100, 6, 8, 3))
	case "language":
		return int64s(byte(seed), 2, 3)
	case "call_count", "current_start_frame":
		return integer(int(seed % 8))
	case "vae_stream_initialized":
		return flag(true)
	}
	return tensor(dtype, seed, 1, 5, 4)
}

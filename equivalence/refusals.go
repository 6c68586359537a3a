package equivalence

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "github.com/statespec/statespec/spec/suite"
)

// refusals is what both paths do not take. That a window is read beyond what the
// ring retains, that no frame is asked for, or fewer, and that chunks of several
// dtypes come is not asked: there the paths may differ.
func refusals(open Open) {
	const dtype = "bfloat16"
	DescribeTable("refuses on both paths or on neither", Promise("EQV-11"),
		func(ctx SpecContext, before []move, odd move, after ...move) {
			s := open.Subject(ctx)
			p := opened(s, options{})
			p.take(before...)
			p.expectRefusedAlike(odd)
			for _, m := range after {
				p.expectRefusedAlike(m)
			}
		},
		Entry("a frame of two axes", nil, accumulate(tensor("uint8", 1, 6, 8)), accumulate(clip(2, single))),
		Entry("a clip of five axes", nil, accumulate(tensor("uint8", 1, 1, 2, 6, 8, 3)), accumulate(clip(2, single))),
		Entry("a frame of two axes among others", of(accumulate(clip(1, 2))), accumulate(tensor("uint8", 1, 6, 8)), accumulate(clip(2, 4))),
		Entry("an empty first clip", nil, accumulate(clip(1, 0)), accumulate(clip(2, single))),
		Entry("an empty first clip after a window reset", of(accumulate(clip(1, 2)), windowReset), accumulate(clip(1, 0)), accumulate(clip(2, single))),
		Entry("an empty later clip", of(accumulate(clip(1, 2))), accumulate(clip(1, 0)), accumulate(clip(2, 4))),
		Entry("latents of four axes", nil, appendLatents(tensor(dtype, 1, 1, 4, 3, 2)), concatenated),
		Entry("latents of six axes", nil, appendLatents(tensor(dtype, 1, 1, 1, 1, 4, 3, 2)), concatenated),
		Entry("latents of four axes among others", of(appendLatents(latent(dtype, 1, 1))), appendLatents(tensor(dtype, 1, 1, 4, 3, 2)), concatenated,
			appendLatents(latent(dtype, 2, 1)), concatenated),
		Entry("an encoder chunk of another height", of(seed(chunk(dtype, 1, 1)), appendChunk(chunk(dtype, 2, 1))), appendChunk(tensor(dtype, 3, 1, 4, 1, 5, 2)),
			appendChunk(chunk(dtype, 4, 1))),
		Entry("an encoder chunk of other channels", of(seed(chunk(dtype, 1, 1))), appendChunk(tensor(dtype, 3, 1, 6, 1, 3, 2)), appendChunk(chunk(dtype, 4, 1))),
		Entry("an encoder chunk of four axes", of(seed(chunk(dtype, 1, 1))), appendChunk(tensor(dtype, 3, 1, 4, 3, 2)), appendChunk(chunk(dtype, 4, 1))),
		Entry("a window of a stream that was never seeded", nil, observe(1), seed(chunk(dtype, 1, 1)), observe(1)),
		Entry("a window of a stream that a session reset cleared", of(seed(chunk(dtype, 1, 1)), sessionReset), observe(1), seed(chunk(dtype, 2, 1)), observe(1)),
	)

	DescribeTable("refuses on both paths or on neither to append to an encoder stream", Promise("EQV-11.unseeded"),
		func(ctx SpecContext, before ...move) {
			p := opened(open.Subject(ctx), options{})
			p.take(before...)
			p.expectRefusedAlike(appendChunk(chunk(dtype, 7, 1)))
			p.expectRefusedAlike(appendChunk(chunk(dtype, 8, 2)))
		},
		Entry("that was never seeded"),
		Entry("that was never seeded, of a session that has worked", accumulate(clip(1, 2)), appendLatents(latent(dtype, 1, 1)), windowReset),
		Entry("that a session reset cleared", seed(chunk(dtype, 1, 1)), appendChunk(chunk(dtype, 2, 1)), sessionReset),
	)

	It("refuses on both paths or on neither to append to the encoder stream of a session that left and came back",
		Promise("EQV-11.unseeded"), func(ctx SpecContext) {
			s := open.Subject(ctx)
			m := both(s, options{cap: 1})
			p := m.open("lost")
			p.take(seed(chunk(dtype, 1, 1)))
			p.letGo()
			m.open("other").letGo()
			m.needsEvicted("lost")
			p = m.open("lost")
			if b, g := p.read(get("vae_stream_initialized")); outline(b) != outline(g) {
				CannotTell("the session came back on one path alone: its stream is initialized = %s, %s", outline(b), outline(g))
			}
			p.expectRefusedAlike(appendChunk(chunk(dtype, 2, 1)))
		})
}

// of is moves that come before another one.
func of(ms ...move) []move { return ms }

// expectRefusedAlike asks that both paths refuse a move or that both take it.
func (p *pair) expectRefusedAlike(m move) {
	GinkgoHelper()
	bespoke, managed := p.read(m)
	word := func(taken bool) string {
		if taken {
			return "taken"
		}
		return refused
	}
	Expect(word(managed.Kind != refused)).To(Equal(word(bespoke.Kind != refused)), "%s on the managed path, against the bespoke one; the moves so far:\n%s", m, p.history())
}

// needsEvicted ends the spec where a session is still in the manager. Whether it
// left the bespoke path's store too is for a spec to compare.
func (m model) needsEvicted(id string) {
	GinkgoHelper()
	if Must(m.manager.Contains(id)) {
		CannotTell("session %q was not evicted from the manager", id)
	}
}

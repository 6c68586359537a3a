package equivalence

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "github.com/statespec/statespec/spec/suite"
)

// chunk is a chunk (B, C, T, H, W) of so many latent frames.
func chunk(dtype string, seed uint64, length int) content {
	return tensor(dtype, seed, 1, 4, length, 3, 2)
}

// encoder is what both paths answer of the encoder stream, of which one keeps a
// ring and the other everything.
func encoder(open Open) {
	for window := 1; window <= 4; window++ {
		It(fmt.Sprintf("reads alike every window up to %d of the encoder stream", window), Promise("EQV-03"), func(ctx SpecContext) {
			s := open.Subject(ctx)
			for _, dtype := range latentDTypes(s) {
				for _, first := range []int{1, 2, 5} {
					p := opened(s, options{window: window})
					p.agree(get("vae_stream_initialized"), seed(chunk(dtype, 1, first)), get("vae_stream_initialized"))
					p.watch(window)
					for i, n := range []int{1, 1, 2, 1, 3, 1, 1, 5, 1} {
						p.agree(appendChunk(chunk(dtype, uint64(i+2), n)))
						p.watch(window)
					}
					p.decided()
					p.letGo()
				}
			}
		})
	}

	It("reads alike the encoder stream of a batch, of chunks cut out of longer ones and with axes exchanged", Promise("EQV-03"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		dtype := latentDType(s)
		for _, of := range []func(seed uint64) content{
			func(seed uint64) content { return tensor(dtype, seed, 3, 4, 1, 3, 2) },
			func(seed uint64) content { return tensor(dtype, seed, 1, 4, 9, 3, 2).cutOut(2, int(seed), 1) },
			func(seed uint64) content { return tensor(dtype, seed, 1, 1, 4, 3, 2).turned(1, 2) },
		} {
			p := opened(s, options{})
			p.agree(seed(of(1)))
			for i := range uint64(4) {
				p.agree(appendChunk(of(i + 2)))
				p.watch(2)
			}
			p.decided()
			p.letGo()
		}
	})

	It("starts the encoder stream over alike when it is seeded again", Promise("EQV-03"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		dtype := latentDType(s)
		for _, first := range []int{1, 3} {
			p := opened(s, options{window: 3})
			p.agree(seed(chunk(dtype, 1, 2)), appendChunk(chunk(dtype, 2, 1)), appendChunk(chunk(dtype, 3, 2)))
			p.agree(seed(chunk(dtype, 4, first)), get("vae_stream_initialized"))
			p.watch(3)
			p.agree(appendChunk(chunk(dtype, 5, 1)))
			p.watch(3)
			p.decided()
			p.letGo()
		}
	})

	It("clears the encoder stream alike", Promise("EQV-03"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		dtype := latentDType(s)
		p := opened(s, options{})
		p.agree(seed(chunk(dtype, 1, 1)), appendChunk(chunk(dtype, 2, 1)), sessionReset)
		p.agree(get("vae_stream_initialized"), get("vae_enc_feat_map"), get("vae_pending_body_frames"))
		p.watch(2)
		p.agree(seed(chunk(dtype, 3, 1)), get("vae_stream_initialized"))
		p.watch(2)
		p.agree(appendChunk(chunk(dtype, 4, 1)))
		p.watch(2)
		p.decided()
	})

	// The feature map and the frames that wait belong to the model, which sets
	// them: nothing that the stream does changes them.
	It("leaves what the model keeps for its encoder as it is set", Promise("EQV-03"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		dtype := latentDType(s)
		p := opened(s, options{})
		kept := map[string]string{}
		for i, name := range []string{"vae_enc_feat_map", "vae_pending_body_frames"} {
			p.agree(set(name, condition(name, dtype, uint64(i+1))))
			kept[name] = p.agree(get(name))
		}
		for _, m := range []move{seed(chunk(dtype, 1, 1)), observe(1), appendChunk(chunk(dtype, 2, 1)), observe(2), seed(chunk(dtype, 3, 2)), observe(2)} {
			p.agree(m)
			for _, name := range []string{"vae_enc_feat_map", "vae_pending_body_frames"} {
				Expect(p.agree(get(name))).To(Equal(kept[name]), "%s on both paths, after %s", name, m)
			}
		}
	})
}

// watch has both paths read every window up to one.
func (p *pair) watch(window int) {
	GinkgoHelper()
	for n := 1; n <= window; n++ {
		p.agree(observe(n))
	}
}

package equivalence

import (
	"fmt"
	"math/rand/v2"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

// sessions are many sessions at once, of which the least recently used leave and
// come back.
func sessions(open Open) {
	DescribeTable("gives the same bits per session to more sessions than the cap, interleaved", Promise("EQV-07"),
		func(ctx SpecContext, limit, turns int) {
			s := open.Subject(ctx)
			dtype := latentDType(s)
			alone := opened(s, options{})
			for i := range 3 {
				if move, same := alone.forward(dtype, uint64(i+1)); !same {
					CannotTell("one session alone differs on the two paths: %s", move)
				}
			}
			m := both(s, options{cap: limit})
			r := rand.New(rand.NewPCG(uint64(GinkgoRandomSeed()), uint64(limit)))
			for turn := range turns {
				id := visitor(r, turn, limit)
				p := m.open(id)
				move, same := p.forward(dtype, uint64(turn+1))
				Expect(same).To(BeTrue(), "turn %d, of session %s at a cap of %d on both paths: %s", turn+1, id, limit, move)
				p.letGo()
			}
			left := 0 // asked once, at the end: a membership test may count as use
			for i := range visitors(limit) {
				if !Must(m.manager.Contains(visitorName(i))) {
					left++
				}
			}
			if left == 0 {
				CannotTell("no session left in %d turns at a cap of %d", turns, limit)
			}
		},
		Entry("at a cap of 1", 1, 24),
		Entry("at a cap of 2", 2, 40),
		Entry("at a cap of 3", 3, 60),
		Entry("at the shipped cap of 64", 64, 200),
	)
}

// visitor is whose turn it is: first all come once, then any, some more often.
func visitor(r *rand.Rand, turn, limit int) string {
	n := visitors(limit)
	if turn < n {
		return visitorName(turn)
	}
	return visitorName(min(r.IntN(n), r.IntN(n)+n/4))
}

// visitors is how many sessions there are, more than the cap.
func visitors(limit int) int { return limit + 1 + limit/3 }

func visitorName(i int) string { return fmt.Sprintf("session %d", i) }

// forward is what one request makes of its session, which may have begun anew. It
// stops at the first move that the paths answer differently, and says which.
func (p *pair) forward(dtype string, n uint64) (said string, same bool) {
	GinkgoHelper()
	initialized, bespoke, managed := get("vae_stream_initialized"), "", ""
	try := func(m move) bool {
		GinkgoHelper()
		b, g := p.read(m)
		bespoke, managed = outline(b), outline(g)
		said = fmt.Sprintf("%s = %s on the managed path, %s on the bespoke one", m, managed, bespoke)
		return bespoke == managed
	}
	if !try(initialized) {
		return said, false
	}
	bring := seed(chunk(dtype, n, 1))
	if bespoke == outline(spec.Reading{Kind: spec.KindBool, Int: 1}) {
		bring = appendChunk(chunk(dtype, n, 1))
	}
	for _, m := range []move{bring, observe(2), accumulate(clip(n, single)), get("call_count"),
		appendLatents(latent(dtype, n, 1)), concatenated, get("clip_feas"), set("clip_feas", tensor(dtype, n, 1, 4))} {
		if !try(m) {
			return said, false
		}
	}
	return said, true
}

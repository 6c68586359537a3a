package equivalence

import (
	. "github.com/onsi/ginkgo/v2"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

// resets is what both resets leave of a session: of each value of the table, and
// of what shows in the forwards after it alone.
func resets(open Open) {
	DescribeTable("keeps and clears the same at", Promise("EQV-04"),
		func(ctx SpecContext, reset ...move) {
			s := open.Subject(ctx)
			var before, after string
			body := func(p *pair) {
				p.take(busy(latentDType(s))...)
				before = p.table()
				p.happens(func() { p.take(reset...) })
				after = p.table()
				p.goOn(latentDType(s))
			}
			expectUnlikeControls(func() *pair { return opened(s, options{}) }, body, func(p *pair) { p.table(); p.goOn(latentDType(s)) })
			if before == after {
				CannotTell("no value changed")
			}
		},
		Entry("a window reset", windowReset),
		Entry("a second window reset", windowReset, windowReset),
		Entry("a session reset", sessionReset),
		Entry("a session reset after a window reset", windowReset, sessionReset),
		Entry("a second session reset", sessionReset, sessionReset),
	)

	DescribeTable("keeps and clears nothing of a new session at", Promise("EQV-04"),
		func(ctx SpecContext, reset move) {
			s := open.Subject(ctx)
			expectUnlikeControls(func() *pair { return opened(s, options{}) }, func(p *pair) {
				p.happens(func() { p.take(reset) })
				p.table()
				p.goOn(latentDType(s))
			})
		},
		Entry("a window reset", windowReset),
		Entry("a session reset", sessionReset),
	)
}

// table has both paths agree on every value of the table, and returns what the
// bespoke one shows.
func (p *pair) table() (shown string) {
	GinkgoHelper()
	for _, m := range shows(2) {
		shown += p.agree(m) + "\n"
	}
	return shown
}

// goOn is the session's next forwards: what is left of frames shows in the padding
// of the second one, and what is left of the stream in its window.
func (p *pair) goOn(dtype string) {
	GinkgoHelper()
	p.agree(accumulate(clip(41, single)), get("call_count"), accumulate(clip(42, single)), accumulate(clip(43, 2)), get("call_count"))
	p.agree(appendLatents(latent(dtype, 44, 1)), concatenated)
	if p.agree(get("vae_stream_initialized")) == outline(spec.Reading{Kind: spec.KindBool, Int: 1}) {
		p.agree(appendChunk(chunk(dtype, 45, 1)))
	} else {
		p.agree(seed(chunk(dtype, 45, 1)))
	}
	p.table()
}

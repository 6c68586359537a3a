package accounting

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

func sessions(open Open) {
	It("counts a storage once that two sessions share", Promise("ACC-07"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m, _, _ := sharing(s)

		Expect(m.Stats()).To(CountBytes(1007), "1000 bytes that both hold, and 7 of the second alone")
	})

	It("counts a storage that two sessions share in the figure of each", Promise("ACC-07.session"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		_, a, b := sharing(s)

		Expect(sum(Must(a.Contents()).Bytes)).To(BeEquivalentTo(1000), "the first session's own bytes: the shared ones")
		Expect(sum(Must(b.Contents()).Bytes)).To(BeEquivalentTo(1007), "the second session's own bytes: the shared ones and 7")
	})

	It("leaves an evicted session's bytes out of the retained totals", Promise("ACC-08"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m := Must(s.NewManager(spec.ManagerSpec{Cap: new(1), Attrs: Attrs("x")}))
		held := Must(m.Session("held"))
		give(held, "x", storage(s, 1000))
		if count(m) == 0 {
			CannotTell("stats = 0 bytes for an attribute of 1000: attributes are not counted at all")
		}
		b := Must(m.Session("b"))
		Expect(m.Contains("held")).To(BeFalse(), "the premise: it was evicted")
		give(b, "x", storage(s, 52))

		Expect(m.Stats()).To(CountBytes(52), "the session that is retained has 52 bytes; one that is only held has 1000")
	})
}

// sharing is two sessions that hold one storage of 1000 bytes, the second of
// them 7 bytes more.
func sharing(s *op.Client) (m spec.Manager, a, b spec.Session) {
	GinkgoHelper()
	m, a = retained(s)
	b = Must(m.Session("b"))
	base := sheet(s)
	give(a, "x", Must(s.Make(spec.Alias(base))))
	give(b, "x", base)
	give(b, "y", storage(s, 7))
	return m, a, b
}

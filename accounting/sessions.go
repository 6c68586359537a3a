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
		m, _, _, told := sharing(s)

		expectBytes(m, big+small, told, "%d bytes that both hold, and %d of the second alone", big, small)
	})

	It("counts a storage that two sessions share in the figure of each", Promise("ACC-07.session"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		_, a, b, _ := sharing(s)

		Expect(sum(Must(a.Contents()).Bytes)).To(BeEquivalentTo(big), "the first session's own bytes: the shared ones")
		Expect(sum(Must(b.Contents()).Bytes)).To(BeEquivalentTo(big+small), "the second session's own bytes: the shared ones and %d", small)
	})

	It("leaves an evicted session's bytes out of the retained totals", Promise("ACC-08"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m := Must(s.NewManager(spec.ManagerSpec{Cap: new(2), Attrs: Attrs("x")}))
		held := Must(m.Session("held"))
		give(held, "x", storage(s, big))
		if count(m) == 0 {
			CannotTell("stats = 0 bytes for an attribute of %d: attributes are not counted at all", big)
		}
		LetGo(Must(m.Session("b")), Must(m.Session("c")))
		last := Must(m.Session("last"))
		if Must(m.Contains("held")) || !Must(m.Contains("last")) {
			CannotTell("of the first and the last of four sessions at a cap of 2, the first should have been evicted and not the last")
		}
		give(last, "x", storage(s, medium))

		Expect(m.Stats()).To(CountBytes(medium), "the session that is retained has %d bytes; one that is only held has %d", medium, big)
	})
}

// sharing is two sessions that hold one big storage, the second of them a small
// one too.
func sharing(s *op.Client) (m spec.Manager, a, b spec.Session, told bool) {
	GinkgoHelper()
	m, a = retained(s)
	b = Must(m.Session("b"))
	base := sheet(s)
	give(a, "x", Must(s.Make(spec.Alias(base))))
	Do(b.SetAttr("x", base))
	give(b, "y", storage(s, small))
	told = kept(base, place{a, "x"}, place{b, "x"})
	LetGo(base)
	return m, a, b, told
}

package eviction

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// holder is what eviction leaves to whoever holds the session.
func holder(open Open) {
	It("leaves a holder's objects resident, with all they had", Promise("EVI-05"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		for _, kind := range stateKinds(s) {
			By(string(kind.Kind))
			m := manager(s, 1)
			held := Must(m.Session("held"))
			o := filled(s, held, kind, 1)
			before := content(o)

			visit(m, "other")
			gone(m, "held")
			Expect(Must(o.State()).Resident).To(BeTrue(), "%s of an evicted session, resident", kind.Kind)
			Expect(content(o)).To(Equal(before), "%s of an evicted session, viewed", kind.Kind)
			again, err := held.Object("state")
			Expect(err).NotTo(HaveOccurred(), "%s of an evicted session, by its name", kind.Kind)
			Expect(content(again)).To(Equal(before), "%s of an evicted session, by its name", kind.Kind)
		}
	})

	It("leaves a holder's attributes set, bit for bit", Promise("EVI-05"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m := manager(s, 2, "tensor", "list", "count", "unset")
		held := Must(m.Session("held"))
		tensor, count := Must(s.Make(spec.Tensor("float32", 1, 2, 3))), Must(s.Make(spec.Int(41)))
		list := Must(s.Make(spec.List(tensor, count)))
		Do(held.SetAttr("tensor", tensor))
		Do(held.SetAttr("list", list))
		Do(held.SetAttr("count", count))

		visit(m, "other", "another", "and another")
		gone(m, "held")
		Expect(held.Attr("tensor")).To(HaveBits(Bits(tensor)), "a tensor of an evicted session")
		Expect(held.Attr("list")).To(HaveBits(Bits(list)), "a list of an evicted session")
		Expect(held.Attr("count")).To(HaveBits(Bits(count)), "a count of an evicted session")
		Expect(held.Attr("unset")).To(HaveBits(spec.Reading{Kind: spec.KindNone}), "what was never set")
	})

	It("lets a holder commit to an evicted session's objects", Promise("EVI-05.writable"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		for _, kind := range stateKinds(s) {
			By(string(kind.Kind))
			// What a commit does to a view is the kind's own affair: a session
			// that is still retained shows it.
			shown := func(m spec.Manager, evict func()) (before, after string) {
				o := filled(s, Must(m.Session("held")), kind, 1)
				before = content(o)
				evict()
				expectCommit(s, o, 2)
				return before, content(o)
			}
			before, want := shown(manager(s, 1), func() {})
			if want == before {
				CannotTell("a %s of a session that is retained does not show what was committed", kind.Kind)
			}
			m := manager(s, 1)
			_, got := shown(m, func() { visit(m, "other"); gone(m, "held") })
			Expect(got).To(Equal(want), "%s of an evicted session, viewed after a commit", kind.Kind)
		}
	})

	It("lets a holder write an evicted session's attributes", Promise("EVI-05.writable"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m := manager(s, 1, "replaced", "new", "cleared")
		held := Must(m.Session("held"))
		old, wrote := Must(s.Make(spec.Tensor("uint8", 1, 8))), Must(s.Make(spec.Tensor("uint8", 2, 8)))
		Do(held.SetAttr("replaced", old))
		Do(held.SetAttr("cleared", old))

		visit(m, "other")
		gone(m, "held")
		Expect(held.SetAttr("replaced", wrote)).To(Succeed(), "a holder replaces an attribute")
		Expect(held.SetAttr("new", wrote)).To(Succeed(), "a holder writes an attribute for the first time")
		Expect(held.SetAttr("cleared", nil)).To(Succeed(), "a holder clears an attribute")
		Expect(held.Attr("replaced")).To(HaveBits(Bits(wrote)), "what a holder replaced")
		Expect(held.Attr("new")).To(HaveBits(Bits(wrote)), "what a holder wrote")
		Expect(held.Attr("cleared")).To(HaveBits(spec.Reading{Kind: spec.KindNone}), "what a holder cleared")
	})
}

// expectCommit is commit where that it succeeds is what was promised.
func expectCommit(s *op.Client, to spec.Object, seed uint64) {
	GinkgoHelper()
	v := Must(s.Make(spec.Tensor("uint8", seed, 1, 16)))
	Expect(to.Commit(v)).To(Succeed(), "a holder commits")
	LetGo(v)
}

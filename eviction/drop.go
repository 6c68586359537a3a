package eviction

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

// drop is the end of a session that its client asked for. [drop]
func drop(open Open) {
	It("removes a dropped session, and says whether it was retained", Promise("EVI-16"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m := manager(s, 2)
		Expect(m.Drop("a")).To(BeFalse(), "a session that never was, dropped")
		visit(m, "a", "b")
		Expect(m.Drop("a")).To(BeTrue(), "a session that is retained, dropped")
		Expect(retained(m, "a", "b")).To(Equal([]string{"b"}), "retained of a and b after a was dropped")
		Expect(m.Drop("a")).To(BeFalse(), "a session that was dropped before, dropped")

		visit(m, "c")
		Expect(retained(m, "b", "c")).To(Equal([]string{"b", "c"}), "retained at a cap of 2 when a place was freed before c came")
	})

	It("makes a fresh session of a dropped id", Promise("EVI-16"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m := manager(s, 2)
		session := Must(m.Session("a"))
		mark(s, session, 1)
		LetGo(filled(s, session, stateKinds(s)[0], 1), session)
		Must(m.Drop("a"))
		expectEmpty(Must(m.Session("a")))
	})

	It("removes a dropped session's bytes", Promise("EVI-16"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m, kind := manager(s, 2), stateKinds(s)[0]
		stays := Must(m.Session("stays"))
		write(s, stays, "mark", 512)
		before := Must(m.Stats()).Total()
		goes := Must(m.Session("goes"))
		write(s, goes, "mark", 4096)
		LetGo(filled(s, goes, kind, 1), goes)
		with := Must(m.Stats()).Total()
		if with == before {
			CannotTell("total_nbytes = %d with and without a session of 4096 bytes", with)
		}
		Must(m.Drop("goes"))
		Expect(Must(m.Stats()).Total()).To(Equal(before), "total_nbytes after a session was dropped; %d with it", with)
	})

	It("gives back the storages of a dropped session", Promise("EVI-16"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Needs(s, spec.CanCollect)
		m := manager(s, 2, "list")
		session := Must(m.Session("a"))
		tags := furnish(s, session)
		LetGo(session)
		expectAlive(s, tags, "of a session that is retained")
		Must(m.Drop("a"))
		expectReclaimed(s, tags, "of a dropped session that nobody holds")
	})

	It("does not count a drop as an eviction", Promise("EVI-16.counter"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m := manager(s, 2)
		visit(m, "a", "b", "c")
		before := tallied(m, "evictions")
		dropped(m, "b")
		dropped(m, "c")
		Expect(tallied(m, "evictions")).To(Equal(before), "evictions after two sessions were dropped, against before")
		if len(before) == 0 {
			CannotTell("stats gives no evictions")
		}
	})

	It("leaves the holder of a dropped session with what is declared", Promise("EVI-16.holder"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		for _, kind := range stateKinds(s) {
			By(string(kind.Kind))
			m := manager(s, 2)
			held := Must(m.Session("a"))
			mark(s, held, 1)
			o := filled(s, held, kind, 1)
			before := content(o)
			dropped(m, "a")
			switch declared := s.Hello().Drop; declared {
			case "its-state":
				Expect(markOf(held)).To(Equal(1), "the attribute of a dropped session, to its holder")
				Expect(Must(o.State()).Resident).To(BeTrue(), "%s of a dropped session, resident", kind.Kind)
				Expect(content(o)).To(Equal(before), "%s of a dropped session, viewed by its holder", kind.Kind)
			case "nothing":
				expectWiped(held, o, kind)
			default:
				Unclaimed("what a drop leaves is declared as %q, neither its-state nor nothing", declared)
			}
		}
	})
}

// expectWiped finds nothing in a session, whose reads may be refused.
func expectWiped(held spec.Session, o spec.Object, kind spec.KindInfo) {
	GinkgoHelper()
	if v, err := held.Attr("mark"); !Refused(err) {
		Expect(Outline(Bits(v))).To(Equal("none"), "the attribute of a dropped session, to its holder; declared: nothing")
	}
	if st, err := o.State(); !Refused(err) {
		Expect(st.Resident).To(BeFalse(), "%s of a dropped session, resident; declared: nothing", kind.Kind)
		Expect(st.Total()).To(BeZero(), "bytes of the %s of a dropped session; declared: nothing", kind.Kind)
	}
}

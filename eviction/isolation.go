package eviction

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "github.com/statespec/statespec/spec/suite"
)

// isolation is two managers in one process.
func isolation(open Open) {
	It("shares no session with another manager", Promise("EVI-21"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		kind := stateKinds(s)[0]
		one, other := manager(s, 1), manager(s, 1)
		ours := Must(one.Session("a"))
		mark(s, ours, 1)
		o := filled(s, ours, kind, 1)
		before := content(o)
		Expect(other.Contains("a")).To(BeFalse(), "another manager, asked for a session of ours")

		theirs := Must(other.Session("a"))
		Expect(markOf(theirs)).To(BeZero(), "the mark of another manager's session of the same id")
		mark(s, theirs, 2)
		filled(s, theirs, kind, 2)
		Expect(markOf(ours)).To(Equal(1), "the mark of our session, after another manager's of the same id was marked")
		Expect(content(o)).To(Equal(before), "the %s of our session, after a commit to another manager's", kind.Kind)

		visit(other, "b", "c")
		Expect(one.Contains("a")).To(BeTrue(), "our session, after another manager evicted its own of the same id")
	})

	It("shares no place with another manager", Promise("EVI-21"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		one, other := manager(s, 2), manager(s, 3)
		visit(one, "a", "b")
		visit(other, "c", "d", "e")
		Expect(retained(one, "a", "b", "c", "d", "e")).To(Equal([]string{"a", "b"}), "retained of our two sessions, at a cap of 2")
		Expect(retained(other, "a", "b", "c", "d", "e")).To(Equal([]string{"c", "d", "e"}), "retained of the other manager's three, at a cap of 3")
	})

	It("shares no counter with another manager", Promise("EVI-21"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		counters := []string{"sessions", "hits", "misses", "evictions"}
		one, other := manager(s, 1), manager(s, 1)
		visit(one, "a", "b", "b")
		ours := tallied(one, counters...)
		untouched := tallied(other, counters...)
		for name, n := range untouched {
			Expect(n).To(BeZero(), "%s of a manager that nobody asked for a session, beside one with %v", name, ours)
		}

		visit(other, "a", "a", "c", "d")
		Expect(tallied(one, counters...)).To(Equal(ours), "our counters, after another manager was asked for sessions")
		if len(ours) == 0 || len(tallied(other, counters...)) == 0 {
			CannotTell("stats gives none of %q", counters)
		}
	})

	It("shares no byte with another manager", Promise("EVI-21"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		one, other := manager(s, 1), manager(s, 1)
		empty := Must(other.Stats()).Total()
		session := Must(one.Session("a"))
		write(s, session, "mark", 4096)
		ours := Must(one.Stats()).Total()
		if ours == 0 {
			CannotTell("total_nbytes = 0 of a session that holds 4096 bytes")
		}
		Expect(Must(other.Stats()).Total()).To(Equal(empty), "bytes of a manager without sessions, beside one with %d", ours)

		write(s, Must(other.Session("a")), "mark", 1<<16)
		Expect(Must(one.Stats()).Total()).To(Equal(ours), "our bytes, after another manager's session was written")
	})
}

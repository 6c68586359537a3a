package eviction

import (
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "github.com/statespec/statespec/spec/suite"
)

// isolation is two managers in one process.
func isolation(open Open) {
	It("shares no session with another manager", Promise("EVI-21"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		kind := stateKinds(s)[0]
		one, other := manager(s, 8), manager(s, 2)
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

		// Ids of both: whichever the other manager evicts, we have one too.
		ids := []string{"a", "b", "c", "d"}
		visit(one, ids...)
		if got := retained(one, ids...); len(got) < len(ids) {
			CannotTell("retained of %q at a cap of 8 = %q, before another manager evicted any", ids, got)
		}
		visit(other, ids...)
		Expect(retained(one, ids...)).To(Equal(ids), "retained of our sessions, after another manager evicted some of the same ids")
		if len(retained(other, ids...)) == len(ids) {
			CannotTell("another manager of two evicted none of %q", ids)
		}
	})

	It("shares no place with another manager", Promise("EVI-21"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		// Each has a place to spare, and both together more sessions than either
		// has places.
		ours, theirs := []string{"a", "b", "c"}, []string{"d", "e", "f", "g"}
		all := slices.Concat(ours, theirs)
		kept(s, 5, names(len(theirs)))
		one, other := manager(s, 4), manager(s, 5)
		visit(one, ours...)
		if got := retained(one, ours...); len(got) < len(ours) {
			CannotTell("retained of %q at a cap of 4 = %q, before another manager was asked for any", ours, got)
		}
		visit(other, theirs...)
		Expect(retained(one, all...)).To(Equal(ours), "retained of our three sessions, at a cap of 4, beside another manager's four")
		Expect(retained(other, all...)).To(Equal(theirs), "retained of another manager's four sessions, at a cap of 5, beside our three")
	})

	It("shares no counter with another manager", Promise("EVI-21"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		counters := []string{"sessions", "hits", "misses", "evictions"}
		one, other := manager(s, 2), manager(s, 2)
		untouched := tallied(other, counters...) // zero or not is another row's to ask
		visit(one, "a", "b", "c", "d", "d")
		ours := tallied(one, counters...)
		Expect(tallied(other, counters...)).To(Equal(untouched), "counters of a manager that nobody asked for a session, after requests to another, against before")

		visit(other, "a", "a", "c", "d")
		Expect(tallied(one, counters...)).To(Equal(ours), "our counters, after another manager was asked for sessions")
		if len(ours) == 0 || len(tallied(other, counters...)) == 0 {
			CannotTell("stats gives none of %q", counters)
		}
	})

	It("shares no byte with another manager", Promise("EVI-21"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		one, other := manager(s, 4), manager(s, 4)
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

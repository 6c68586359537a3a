package eviction

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// admission is the policy of refusing a new session at the cap. [admission]
func admission(open Open) {
	It("refuses a new session at the cap, and changes nothing", Promise("EVI-18"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m := refusing(s, 2)
		for i, id := range []string{"a", "b"} {
			mark(s, Must(m.Session(id)), i+1)
		}
		before := tallied(m, "sessions", "hits", "misses", "evictions")
		for range 2 {
			for _, id := range []string{"c", "d"} {
				_, err := m.Session(id)
				Expect(Refused(err)).To(BeTrue(), "session(%q) at the cap, refused", id)
			}
		}
		Expect(tallied(m, "sessions", "hits", "misses", "evictions")).To(Equal(before), "counters after refusals, against before")
		Expect(retained(m, "a", "b", "c", "d")).To(Equal([]string{"a", "b"}), "retained after refusals")
		for i, id := range []string{"a", "b"} {
			Expect(markOf(Must(m.Session(id)))).To(Equal(i+1), "the mark of session %q, after refusals", id)
		}
	})

	It("serves hits at the cap", Promise("EVI-18"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m := refusing(s, 1)
		mark(s, Must(m.Session("a")), 1)
		for range 3 {
			session, err := m.Session("a")
			Expect(err).NotTo(HaveOccurred(), `session("a"), retained, at the cap`)
			Expect(markOf(session)).To(Equal(1), "the mark of a session that was hit at the cap")
		}
	})

	It("admits as many of several callers' new sessions as there are places", Promise("EVI-18.concurrent"), func(ctx SpecContext) {
		admitTogether(open.Subject(ctx))
	})

	It("says that admission was refused", Promise("EVI-18.kind"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m := refusing(s, 1)
		visit(m, "a")
		_, err := m.Session("b")
		if !Refused(err) {
			CannotTell("a new session at the cap is not refused")
		}
		Expect(err).To(BeRefusedAs(spec.AdmissionRefused), "session, new, at the cap")
	})

	It("admits a new session when a drop freed a place", Promise("EVI-18.freed"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m := refusing(s, 2)
		visit(m, "a", "b")
		dropped(m, "a")
		_, err := m.Session("c")
		Expect(err).NotTo(HaveOccurred(), "session, new, after a drop freed a place")
		Expect(retained(m, "a", "b", "c")).To(Equal([]string{"b", "c"}), "retained after a was dropped and c admitted")
	})
}

// admitTogether has several callers ask managers with one free place each for
// new sessions of their own, and one for the session that is retained.
func admitTogether(s *op.Client) {
	GinkgoHelper()
	const managers, callers = 24, 3
	counters := []string{"sessions", "evictions"}
	races(12, func(int) (int, int) {
		ms, threads := make([]spec.Manager, managers), make([][]op.Call, callers+1)
		for k := range ms {
			ms[k] = refusing(s, 2)
			visit(ms[k], "resident")
			for i := range callers {
				threads[i] = append(threads[i], op.GetSession(ms[k], names(callers)[i]))
			}
			threads[callers] = append(threads[callers], op.GetSession(ms[k], "resident"))
		}
		race := Must(s.Race(threads...))
		for k, m := range ms {
			admitted := []string{}
			for i, id := range names(callers) {
				if !Refused(race[i][k].Err) {
					admitted = append(admitted, id)
				}
			}
			Expect(admitted).To(HaveLen(1), "admitted of %d callers' new sessions, with one place free", callers)
			Expect(retained(m, append(names(callers), "resident")...)).To(Equal(append(admitted, "resident")), "retained after %q was admitted beside a resident", admitted)
			Expect(race[callers][k].Err).NotTo(HaveOccurred(), "session of the resident, beside callers that are refused")
			alone := refusing(s, 2)
			visit(alone, "resident", admitted[0])
			Expect(tallied(m, counters...)).To(Equal(tallied(alone, counters...)), "counters, against those of a manager that was asked for the two sessions alone")
			LetGo(m, alone)
		}
		return op.Overlaps(race), managers * (callers + 1)
	})
}

// refusing makes a manager of a cap that refuses new sessions there.
func refusing(s *op.Client, n int) spec.Manager {
	GinkgoHelper()
	return Must(s.NewManager(spec.ManagerSpec{Cap: &n, Refuse: true, Attrs: Attrs("mark")}))
}

package eviction

import (
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

// continuation is a request that expects state. [continuation]
func continuation(open Open) {
	It("refuses to continue a session that is not retained", Promise("EVI-19"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m := manager(s, 2)
		mark(s, Must(m.Session("lost")), 1)
		visit(m, "between", "another")
		mark(s, Must(m.Session("kept")), 2)
		gone(m, "lost")
		if !Must(m.Contains("kept")) {
			CannotTell("a session that was asked for last is not retained")
		}
		Expect(markOf(Must(m.Continue("kept")))).To(Equal(2), "the mark of the session continued")

		for _, id := range []string{"lost", "never"} {
			_, err := m.Continue(id)
			Expect(Refused(err)).To(BeTrue(), "continue(%q), not retained, refused", id)
		}
		Expect(retained(m, "lost", "never", "kept")).To(Equal([]string{"kept"}), "retained after refusals to continue two others, at a cap of 2")
	})

	// Whether it is a hit as well is left open: a manager may count continuations
	// apart.
	It("takes the continuation of a session for use", Promise("EVI-19.use"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		asked := left(s, func(m spec.Manager) { visit(m, "a") })
		if slices.Equal(asked, left(s, func(spec.Manager) {})) {
			CannotTell("retained of a to e = %q, whether a was asked for again or not", asked)
		}
		expectSame(
			func() []string { return left(s, func(m spec.Manager) { LetGo(Must(m.Continue("a"))) }) },
			func() []string { return left(s, func(m spec.Manager) { visit(m, "a") }) },
			"retained after a, b and c, a continued, then d and e, against a asked for again")
	})

	It("says that the session is lost", Promise("EVI-19.kind"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m := manager(s, 1)
		visit(m, "lost", "kept")
		gone(m, "lost")
		_, err := m.Continue("lost")
		if !Refused(err) {
			CannotTell("continue of a session that is not retained is not refused")
		}
		Expect(err).To(BeRefusedAs(spec.SessionLost), "continue of a session that was evicted")
	})
}

package eviction

import (
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

// objects is what eviction does to objects themselves: nothing.
func objects(open Open) {
	It("calls neither evict nor reset of an evicted session's object", Promise("EVI-06"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Needs(s, spec.CanSpy)
		for _, held := range []bool{false, true} {
			m := manager(s, 1)
			o := Roomy(KindOf(s, spec.Spy))
			spy := Must(s.NewObject(o))
			Do(spy.Allocate(o.Bound))
			watched := Must(m.Session("watched"))
			Do(watched.Put("spy", spy))
			if !held {
				LetGo(watched)
			}

			visit(m, "other", "another")
			gone(m, "watched")
			calls := Must(spy.State()).Calls
			Expect(calls).NotTo(ContainElement("evict"), "calls of an object, from the session that it was in to after the eviction")
			Expect(calls).NotTo(ContainElement("reset"), "calls of an object, from the session that it was in to after the eviction")

			_, err := spy.Evict()
			Do(err)
			Do(spy.Reset())
			recorded := Must(spy.State()).Calls
			if !slices.Contains(recorded, "evict") || !slices.Contains(recorded, "reset") {
				CannotTell("a spy that was asked to evict and to reset recorded %q", recorded)
			}
		}
	})

	// An object can be held without its session, by a reader in another thread.
	It("leaves an object as it was when nobody holds the evicted session", Promise("EVI-06"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		for _, kind := range stateKinds(s) {
			By(string(kind.Kind))
			m := manager(s, 1)
			session := Must(m.Session("session"))
			o := filled(s, session, kind, 1)
			before := content(o)
			LetGo(session)

			visit(m, "other", "another")
			gone(m, "session")
			Expect(Must(o.State()).Resident).To(BeTrue(), "%s, held alone after its session was evicted, resident", kind.Kind)
			Expect(content(o)).To(Equal(before), "%s, held alone after its session was evicted, viewed", kind.Kind)
		}
	})
}

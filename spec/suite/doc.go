// Package suite is how specs are written: an ordinary Ginkgo It with Gomega
// assertions, tied by [Promise] to exactly one guarantee or case, on a subject
// that [Open] starts for it alone.
//
//	It("refreshes a session that was asked for", Promise("EVI-03"), func(ctx SpecContext) {
//		s := open.Subject(ctx)
//		m := Must(s.NewManager(spec.ManagerSpec{Cap: new(2)}))
//		…
//		Expect(m.Contains("a")).To(BeTrue())
//	})
//
// [Must] and [Do] are for premises; Expect(call()).To(…) is for the promise. A
// spec that has no say ends with [Unclaimed] or [CannotTell]: Ginkgo has one word
// for both, so the word travels in a report entry. [Told] reads it back.
//
// Not here: specs, and what becomes of outcomes (packages run and verdict).
package suite

package eviction

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

// pipeline is what a model's stores do to the table: how they end a session, and
// what they take for themselves.
func pipeline(open Open) {
	ending(open)
	places(open)
}

// ending is the model's close hook for a session.
func ending(open Open) {
	It("retains no session that its model ended, and none of its bytes", Promise("EVI-22"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m := manager(s, 4)
		model := dreamZero(s, m)
		serve(s, model, "stays", "")
		before := Must(m.Stats()).Total()
		serve(s, model, "goes", "")
		with := Must(m.Stats()).Total()
		if with == before || !Must(m.Contains("goes")) {
			CannotTell("total_nbytes = %d before and %d after a session was opened and filled", before, with)
		}
		Do(model.End("goes"))
		Expect(m.Contains("goes")).To(BeFalse(), "the session that was ended, retained")
		Expect(Must(m.Stats()).Total()).To(Equal(before), "total_nbytes after a session was ended; %d with it", with)
		Expect(m.Contains("stays")).To(BeTrue(), "the other session, retained")
	})

	DescribeTable("starts an ended session anew", Promise("EVI-22.fresh"),
		func(ctx SpecContext, path string) {
			s := open.Subject(ctx)
			var m spec.Manager
			if path == spec.Managed {
				m = manager(s, 4)
			}
			model := dreamZeroOn(s, path, m)
			serve(s, model, "a", "")
			if shownOf(model, "a") == shownOf(model, "empty") {
				CannotTell("a session that was filled shows what one does that was not")
			}
			Do(model.End("a"))
			Expect(shownOf(model, "a")).To(Equal(shownOf(model, "new")), "what an ended session shows when it is opened again, against a new one")
		},
		Entry("on the bespoke path", spec.Bespoke),
		Entry("on the managed path", spec.Managed),
	)

	It("gives back the storages of a session that its model ended", Promise("EVI-22.reclaimed"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		model := dreamZero(s, manager(s, 4))
		// A state that copies lets what it was given die at once, and its copy
		// has no tag.
		kept := alive(s, serve(s, model, "a", "given"))
		if len(kept) == 0 {
			CannotTell("a session that is retained keeps none of the storages that it was given")
		}
		Do(model.End("a"))
		expectReclaimed(s, kept, "of an ended session that nobody holds")
	})

	It("changes nothing when a session is ended that is not retained", Promise("EVI-22.unknown"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m := manager(s, 1)
		model := dreamZero(s, m)
		openEach(model, "evicted")
		serve(s, model, "a", "")
		state := Must(model.Open("a"))
		gone(m, "evicted")
		if !Must(m.Contains("a")) {
			CannotTell("a session that was opened last is not retained")
		}
		bytes, before := Must(m.Stats()).Total(), shown(state)
		for _, id := range []string{"never", "evicted"} {
			if Refused(model.End(id)) {
				Note("ending a session that is not retained is refused")
			}
			Expect(retained(m, "a", id)).To(Equal([]string{"a"}), "retained after %q was ended, which was not, at a cap of 1", id)
			Expect(Must(m.Stats()).Total()).To(Equal(bytes), "total_nbytes after %q was ended, which was not retained", id)
			Expect(shown(state)).To(Equal(before), "what another session shows, after %q was ended, which was not retained", id)
		}
	})
}

// places is who takes a place in the table.
func places(open Open) {
	It("retains no session that a model opened for itself", Promise("EVI-23"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m := manager(s, 2)
		dreamZero(s, m)
		Expect(retained(m, "default")).To(BeEmpty(), "the default session, retained when a model was made and nothing opened")
		Expect(Must(m.Stats()).Sessions()).To(BeZero(), "sessions when a model was made and nothing opened")
	})

	It("retains as many sessions of a model as the cap", Promise("EVI-23"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		for _, n := range []int{2, 3} {
			m, ids := manager(s, n), names(n)
			model := dreamZero(s, m)
			for range 2 {
				for _, id := range ids {
					serve(s, model, id, "")
				}
			}
			got := retained(m, ids...)
			if len(got) == 0 {
				CannotTell("none of %d sessions that a model opened is retained, at a cap of %d", n, n)
			}
			Expect(got).To(Equal(ids), "retained of %d sessions that a model opened, at a cap of %d", n, n)
		}
	})

	It("admits as many sessions of a model as the cap", Promise("EVI-23"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Needs(s, spec.CanRefuse)
		for _, n := range []int{1, 3} {
			model := dreamZero(s, refusing(s, n))
			for i, id := range names(n) {
				Expect(Refused(Error(model.Open(id)))).To(BeFalse(), "session %d of a model was refused by a new manager, at a cap of %d", i+1, n)
			}
		}
	})
}

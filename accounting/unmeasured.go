package accounting

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

func unmeasured(open Open) {
	It("names what it cannot measure", Promise("ACC-14"), func(ctx SpecContext) {
		var log warnings
		s := open.In(ctx, spec.Process{Log: log.add})
		Holds(s, spec.KindOpaque)
		m, a := retained(s)
		give(a, "x", Must(s.Make(spec.Opaque())))

		st, err := m.Stats()
		if err != nil {
			return // it did not leave anything out in silence; ACC-14.opaque asks for success
		}
		// A subject that can measure it after all has nothing to name.
		if bytesOf(st) == 0 {
			Expect(append(st.Unmeasured, log.said...)).NotTo(BeEmpty(),
				"stats = 0 bytes for a value that holds storage: named neither in the answer nor in a warning")
		}
	})

	DescribeTable("counts the rest in full beside a value that cannot be measured:", Promise("ACC-14.opaque"),
		func(ctx SpecContext, store func(s *op.Client, a spec.Session)) {
			s := open.Subject(ctx)
			Holds(s, spec.KindOpaque)
			m, a := retained(s)
			store(s, a)
			b := Must(m.Session("b"))
			give(b, "x", storage(s, medium))

			st, err := m.Stats()
			Expect(err).NotTo(HaveOccurred(), "stats of two sessions, of which one holds what cannot be measured")
			Expect(bytesOf(st)).To(BeNumerically(">=", big+medium), "stats of %d bytes beside the value, and %d in another session", big, medium)
		},
		Entry("in an attribute written before the others", func(s *op.Client, a spec.Session) {
			give(a, "x", Must(s.Make(spec.Opaque())))
			give(a, "y", storage(s, big))
		}),
		Entry("in an attribute written after the others", func(s *op.Client, a spec.Session) {
			give(a, "x", storage(s, big))
			give(a, "y", Must(s.Make(spec.Opaque())))
		}),
		Entry("in a list, in front of a tensor", func(s *op.Client, a spec.Session) {
			Holds(s, spec.KindList)
			o, t := Must(s.Make(spec.Opaque())), storage(s, big)
			give(a, "x", Must(s.Make(spec.List(o, t))))
			LetGo(o, t)
		}),
		Entry("in a list, between two lists", func(s *op.Client, a spec.Session) {
			Holds(s, spec.KindList)
			o := Must(s.Make(spec.Opaque()))
			one, other := containing(s, spec.KindList, storage(s, small)), containing(s, spec.KindList, storage(s, big-small))
			give(a, "x", Must(s.Make(spec.List(one, o, other))))
			LetGo(o, one, other)
		}),
	)
}

// warnings keeps what an implementation warned of.
type warnings struct{ said []string }

func (w *warnings) add(r spec.Record) {
	if r.Level == "warning" || r.Level == "error" {
		w.said = append(w.said, r.Text)
	}
}

package accounting

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

func buckets(open Open) {
	It("counts bytes that are only in attributes", Promise("ACC-06"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m, a := empty(s)
		give(a, "x", storage(s, big))
		give(a, "y", storage(s, medium))

		Expect(m.Stats()).To(CountBytes(big+medium), "two attributes of %d and %d bytes, and no object", big, medium)
	})

	It("counts elements of an attribute by their width", Promise("ACC-06"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m, a := empty(s)
		give(a, "x", Must(s.Make(spec.Tensor("bfloat16", 1, small/2))))
		give(a, "y", Must(s.Make(spec.Tensor("float32", 1, medium/4))))
		give(a, "z", storage(s, big))

		Expect(m.Stats()).To(CountBytes(small+medium+big), "%d elements of 2 bytes, %d of 4, %d of 1", small/2, medium/4, big)
	})

	It("counts bytes that are only in state objects", Promise("ACC-06.object"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		for _, k := range kinds(s) {
			m, a := empty(s)
			o := Must(a.Ensure("kept", Roomy(k)))
			payload := frame(s, big)
			Do(o.Commit(payload))
			LetGo(payload)

			// An object that owns its memory may have room for more.
			Expect(count(m)).To(BeNumerically(">=", big), "stats of a %s that holds a payload of %d bytes", k.Kind, big)
		}
	})

	It("counts every state object of a session, and every payload of one", Promise("ACC-06.object"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m, a := empty(s)
		due := 0
		for _, k := range kinds(s) {
			for _, name := range []string{"one", "other"} {
				o := Must(a.Ensure(name+" "+string(k.Kind), Roomy(k)))
				for i := range 3 {
					payload := frame(s, big)
					Do(o.Commit(payload))
					LetGo(payload)
					if k.Appends || i == 0 {
						due += big
					}
				}
			}
		}

		// As above: room for more is no fault.
		Expect(count(m)).To(BeNumerically(">=", due), "stats of two objects a kind, of three payloads of %d bytes each where a kind appends and of one where it replaces", big)
	})
}

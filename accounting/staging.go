package accounting

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "github.com/statespec/statespec/spec/suite"
)

func staging(open Open) {
	It("counts staged payloads or not, as declared, every time", Promise("ACC-16"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		declared := s.Hello().Staged
		if declared != "counted" && declared != "not-counted" {
			Unclaimed("not declared whether staged bytes are counted: %q", declared)
		}
		asked := 0
		for _, k := range kinds(s) {
			if !k.Staging {
				continue
			}
			asked++
			m, a := empty(s)
			o := Must(a.Ensure("kept", Roomy(k)))
			committed := frame(s, big)
			Do(o.Commit(committed))
			LetGo(committed)
			without := count(m)
			if without == 0 {
				CannotTell("stats = 0 bytes for a %s that holds %d", k.Kind, big) // ACC-06.object asks that
			}

			for round := range 3 {
				staged := frame(s, big)
				Do(o.Stage(staged))
				LetGo(staged)
				due := without
				if declared == "counted" {
					due += big
				}
				for range 2 {
					Expect(m.Stats()).To(CountBytes(due), "%d bytes staged in a %s beside %d, declared as %s, round %d",
						big, k.Kind, without, declared, round)
				}
				Do(o.Discard())
			}
		}
		if asked == 0 {
			Unclaimed("no kind of state object that stages")
		}
	})
}

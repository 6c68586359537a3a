package accounting

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
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
			o := Must(a.Ensure("kept", spec.ObjectSpec{Kind: k.Kind}))
			committed := storage(s, 52)
			Do(o.Commit(committed))
			LetGo(committed)
			without := count(m)
			if without == 0 {
				CannotTell("stats = 0 bytes for a %s that holds 52", k.Kind) // ACC-06.object asks that
			}

			for round := range 3 {
				staged := storage(s, 1000)
				Do(o.Stage(staged))
				LetGo(staged)
				due := without
				if declared == "counted" {
					due += 1000
				}
				for range 2 {
					Expect(m.Stats()).To(CountBytes(due), "1000 bytes staged in a %s beside %d, declared as %s, round %d",
						k.Kind, without, declared, round)
				}
				Do(o.Discard())
			}
		}
		if asked == 0 {
			Unclaimed("no kind of state object that stages")
		}
	})
}

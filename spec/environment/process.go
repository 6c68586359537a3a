package environment

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// dreamZero makes DreamZero's state over a manager, on the path that a
// configuration and the environment choose.
func dreamZero(s *op.Client, cfg spec.Config) (spec.Model, spec.Manager) {
	GinkgoHelper()
	Needs(s, spec.CanDreamZero)
	m := Must(s.NewManager(spec.ManagerSpec{Config: cfg}))
	return Must(s.NewModel(spec.ModelSpec{Model: "dreamzero", Config: cfg, Manager: m})), m
}

// pathOf is the path that a model says it took.
func pathOf(s *op.Client, cfg spec.Config) (string, error) {
	GinkgoHelper()
	model, _ := dreamZero(s, cfg)
	return model.Path()
}

// processes are two runs of one config that differ in the variable alone.
func processes(open Open) {
	It("takes the path that its variable says, where another takes the other", Promise("ENV-14"), func(ctx SpecContext) {
		for _, due := range []struct{ value, path string }{{"0", spec.Bespoke}, {"1", spec.Managed}} {
			p := variable(due.value)
			p.Fresh = true
			s := open.In(ctx, p)
			for _, c := range configs() {
				model, m := dreamZero(s, c.cfg)
				state := Must(model.Open("a"))
				Must(state.Do(spec.Step{Do: "accumulate_frames", With: map[string]spec.Value{
					"frames": Must(s.Make(spec.Tensor("uint8", 1, 6, 8, 3))),
				}}))

				// What it says, and the trace that it leaves.
				Expect(model.Path()).To(Equal(due.path), "the path, with %s=%s where the config says %s", spec.EnableVar, due.value, c.name)
				Expect(m.Contains("a")).To(Equal(due.path == spec.Managed),
					"the session is in the manager, with %s=%s where the config says %s", spec.EnableVar, due.value, c.name)
			}
		}
	})
}

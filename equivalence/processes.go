package equivalence

import (
	"fmt"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// host is the device that every subject has.
const host = "cpu"

// processes are two processes that differ in the variable alone.
func processes(open Open) {
	for _, config := range configs() {
		It("makes artefacts of the same bits in two processes, with only the variable flipped, where the config says "+config.says,
			Promise("EQV-08"), func(ctx SpecContext) {
				off, on := inProcess(ctx, open, "0", host, config), inProcess(ctx, open, "1", host, config)
				off.expectWitness()
				on.expectWitness()
				if off.path == on.path {
					CannotTell("unwitnessed: with %s=0 and with 1 a model took the %s path", spec.EnableVar, on.path)
				}
				if firstOther(off.artefacts, on.artefacts) >= 0 {
					s := open.Subject(ctx)
					if at := firstOther(onOnePath(s, spec.Bespoke, config.cases), onOnePath(s, spec.Managed, config.cases)); at >= 0 {
						CannotTell("in one process already the two paths give other bits, at %s", off.artefacts[at].move)
					}
				}
				expectSameArtefacts(off, on)
			})
	}
}

// devices are two such processes on a device other than the host.
func devices(open Open) {
	It("makes artefacts of the same bits in two processes on a device, with only the variable flipped", Promise("EQV-09"), func(ctx SpecContext) {
		ds := slices.DeleteFunc(slices.Clone(open.Subject(ctx).Hello().Devices), func(d string) bool { return d == host })
		if len(ds) == 0 {
			Unclaimed("the subject names no device other than the host")
		}
		for _, d := range ds {
			off, on := inProcess(ctx, open, "0", d, silent), inProcess(ctx, open, "1", d, silent)
			off.expectWitness()
			on.expectWitness()
			if off.path == on.path {
				CannotTell("unwitnessed: with %s=0 and with 1 a model took the %s path", spec.EnableVar, on.path)
			}
			expectSameArtefacts(off, on)
		}
		Note("on %v", ds)
	})
}

// A config is a deploy config, what it says of the switch, and the rollouts that
// are made with it.
type config struct {
	says  string
	of    spec.Config
	cases []rolloutCase
}

// silent is the config of whoever has not heard of the switch.
var silent = config{"nothing", spec.Config{}, cases}

// configs are silent, and those that the variable overrules. With these one
// rollout is enough: all else is as it is without them.
func configs() []config {
	switched := func(on bool) spec.Config { return spec.Config{Fields: map[string]any{spec.EnableField: on}} }
	return []config{silent, {"on", switched(true), cases[:1]}, {"off", switched(false), cases[1:]}}
}

// An artefact is what a move of a rollout gave.
type artefact struct{ move, bits string }

// A process is what one process witnessed and made.
type process struct {
	value     string // of the variable
	path      string // that its model says it took
	trace     bool   // the model's session is in the manager
	artefacts []artefact
}

// inProcess makes the artefacts in a process of their own, on the path that the
// variable chooses.
func inProcess(ctx SpecContext, open Open, value, device string, cfg config) process {
	GinkgoHelper()
	s := open.In(ctx, spec.Process{Env: map[string]string{spec.EnableVar: value}, Fresh: true})
	p := process{value: value}
	for i, c := range cfg.cases {
		m := Must(s.NewManager(spec.ManagerSpec{Config: cfg.of}))
		model := Must(s.NewModel(spec.ModelSpec{Model: "dreamzero", Config: cfg.of, Quant: c.quant, Manager: m}))
		state := Must(model.Open("a"))
		p.artefacts = append(p.artefacts, artefactsOf(s, state, c, i, device)...)
		p.path, p.trace = Must(model.Path()), Must(m.Contains("a"))
		LetGo(state)
	}
	return p
}

// onOnePath makes the artefacts on a path that is asked for, in this process.
func onOnePath(s *op.Client, path string, cs []rolloutCase) (all []artefact) {
	GinkgoHelper()
	for i, c := range cs {
		var m spec.Manager
		if path == spec.Managed {
			m = Must(s.NewManager(spec.ManagerSpec{}))
		}
		state := Must(onPath(s, spec.ModelSpec{Model: "dreamzero", Quant: c.quant}, path, m).Open("a"))
		all = append(all, artefactsOf(s, state, c, i, host)...)
		LetGo(state)
	}
	return all
}

// A rolloutCase is a quantiser, and the one of the subject's dtypes that it is given.
type rolloutCase struct {
	quant string
	dtype func(s *op.Client) string
}

var cases = []rolloutCase{
	{"identity", latentDType},
	{"pointwise", func(s *op.Client) string { ds := latentDTypes(s); return ds[len(ds)-1] }},
}

// artefactsOf has a state make the moves of a rollout: a little of everything, and
// then a generated one.
func artefactsOf(s *op.Client, state spec.State, c rolloutCase, k int, device string) (all []artefact) {
	GinkgoHelper()
	const window, length = 2, 60
	dtype := c.dtype(s)
	ms := slices.Concat(busy(dtype), shows(window), of(sessionReset), generate(GinkgoRandomSeed(), k, length, window, dtype))
	for _, m := range ms {
		if device != host {
			m.of = m.of.on(device)
		}
		all = append(all, artefact{m.String(), answered(s, state, m)})
	}
	return all
}

// expectWitness asks that what a process says of its path and the traces that
// it leaves in the manager are of one path.
func (p process) expectWitness() {
	GinkgoHelper()
	Expect(p.path).To(BeElementOf(spec.Bespoke, spec.Managed), "the path that a model says it took, with %s=%s", spec.EnableVar, p.value)
	Expect(p.trace).To(Equal(p.path == spec.Managed), "the model's session is in the manager, where the model says that it took the %s path, with %s=%s",
		p.path, spec.EnableVar, p.value)
}

func expectSameArtefacts(off, on process) {
	GinkgoHelper()
	at := firstOther(off.artefacts, on.artefacts)
	if at < 0 {
		return
	}
	before := "none is equal before it"
	if at > 0 {
		before = "the last equal one before it: " + off.artefacts[at-1].move
	}
	Fail(fmt.Sprintf("artefact %d of %d, %s: %s on the %s path, %s on the %s path; %s", at+1, len(off.artefacts), off.artefacts[at].move,
		on.artefacts[at].bits, on.path, off.artefacts[at].bits, off.path, before))
}

// firstOther is where two runs begin to differ, -1 for nowhere.
func firstOther(a, b []artefact) int {
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			return i
		}
	}
	return -1
}

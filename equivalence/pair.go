package equivalence

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// options are what both models are made with; the zero value is as shipped,
// without a cap on the bespoke path.
type options struct {
	window int
	quant  string
	cap    int // the same on both paths
}

// A model is DreamZero's stores of states on both paths, in one process.
type model struct {
	s                *op.Client
	bespoke, managed spec.Model
	manager          spec.Manager // of the managed path
}

// both makes the model on both paths. The bespoke path gets no manager.
func both(s *op.Client, o options) model {
	GinkgoHelper()
	want := spec.ModelSpec{Model: "dreamzero", Quant: o.quant}
	if o.window > 0 {
		want.Window = &o.window
	}
	var of spec.ManagerSpec
	if o.cap > 0 {
		want.Cap, of.Cap = &o.cap, &o.cap
	}
	m := model{s: s, manager: Must(s.NewManager(of))}
	m.bespoke = onPath(s, want, spec.Bespoke, nil)
	want.Cap = nil // the manager has it
	m.managed = onPath(s, want, spec.Managed, m.manager)
	return m
}

// onPath makes a model on a path.
func onPath(s *op.Client, want spec.ModelSpec, path string, m spec.Manager) spec.Model {
	GinkgoHelper()
	want.Path, want.Manager = path, m
	made := Must(s.NewModel(want))
	if took := Must(made.Path()); took != path {
		CannotTell("a model made for the %s path took the %s path", path, took)
	}
	return made
}

// open opens one session on both paths.
func (m model) open(id string) *pair {
	GinkgoHelper()
	return &pair{s: m.s, bespoke: Must(m.bespoke.Open(id)), managed: Must(m.managed.Open(id))}
}

// A pair is one session on both paths, which make the same moves.
type pair struct {
	s                *op.Client
	bespoke, managed spec.State
	made             []string // the moves so far, and what came of them on the bespoke path
	outputs          int      // of the moves, those that gave something

	judge func(same bool, say func() string) // of what both paths answered; nil: it has to be the same
	event func(happens func())               // what a spec is about; nil: it happens
}

// opened is session "a" of a new model on both paths.
func opened(s *op.Client, o options) *pair {
	GinkgoHelper()
	return both(s, o).open("a")
}

// letGo leaves nobody who holds the session.
func (p *pair) letGo() { GinkgoHelper(); LetGo(p.bespoke, p.managed) }

// read has both paths make a move, and returns what came of it: a reading of kind
// refused where it was.
func (p *pair) read(m move) (bespoke, managed spec.Reading) {
	GinkgoHelper()
	bespoke, managed = reading(p.s, p.bespoke, m), reading(p.s, p.managed, m)
	said := outline(bespoke)
	p.made = append(p.made, fmt.Sprintf("%s: %s", m, said))
	if said != none && said != refused {
		p.outputs++
	}
	return bespoke, managed
}

// agree has both paths make moves, each of which has to give the same on both. It
// returns the last answer.
func (p *pair) agree(ms ...move) (answer string) {
	GinkgoHelper()
	for _, m := range ms {
		bespoke, managed := p.read(m)
		answer = outline(bespoke)
		p.expectSame(answer, outline(managed), m)
	}
	return answer
}

func (p *pair) expectSame(bespoke, managed string, m fmt.Stringer) {
	GinkgoHelper()
	say := func() string {
		return fmt.Sprintf("%s on the managed path, against the bespoke one; the moves so far:\n%s", m, p.history())
	}
	if p.judge != nil {
		p.judge(managed == bespoke, func() string { return fmt.Sprintf("%s\n%s\nagainst\n%s", say(), managed, bespoke) })
		return
	}
	Expect(managed).To(Equal(bespoke), say)
}

// happens is what a spec is about, a reset or an eviction. In a control it does
// not happen.
func (p *pair) happens(what func()) {
	if p.event != nil {
		p.event(what)
		return
	}
	what()
}

// take has both paths make moves that the spec takes for granted.
func (p *pair) take(ms ...move) {
	GinkgoHelper()
	for _, m := range ms {
		for _, state := range []spec.State{p.bespoke, p.managed} {
			carryOut(p.s, state, m)
		}
		p.made = append(p.made, m.String())
	}
}

// carryOut has a state make a move that is taken for granted.
func carryOut(s *op.Client, state spec.State, m move) {
	GinkgoHelper()
	if out := Must(attempted(s, state, m)); out != nil {
		LetGo(out)
	}
}

// history is the moves so far, a line each.
func (p *pair) history() string { return "  " + strings.Join(p.made, "\n  ") }

// decided ends the spec where no move gave anything that could have differed.
func (p *pair) decided() {
	GinkgoHelper()
	if p.outputs == 0 {
		CannotTell("none of %d moves gave an output:\n%s", len(p.made), p.history())
	}
}

// The values that a DreamZero session carries, by the names of the document's
// table, and those of them that are any value.
var (
	carried = []string{"vae_enc_feat_map", "vae_pending_body_frames", "clip_feas", "ys", "language", "prompt_embeds",
		"call_count", "current_start_frame", "vae_stream_initialized"}
	conditions = carried[2:6]
)

// shows are moves that show all of a session and change nothing, for a model of a
// window.
func shows(window int) []move {
	var ms []move
	for _, name := range carried {
		ms = append(ms, get(name))
	}
	ms = append(ms, concatenated)
	for n := 1; n <= window; n++ {
		ms = append(ms, observe(n))
	}
	return ms
}

// latentDTypes are the dtypes that the subject says a latent may have.
func latentDTypes(s *op.Client) []string {
	if ds := s.Hello().DTypes; len(ds) > 0 {
		return ds
	}
	return []string{"bfloat16", "float32"}
}

// latentDType is one of them, the shipped one where it is there.
func latentDType(s *op.Client) string {
	ds := latentDTypes(s)
	for _, d := range ds {
		if d == "bfloat16" {
			return d
		}
	}
	return ds[0]
}

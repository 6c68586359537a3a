package eviction

import (
	"slices"

	. "github.com/onsi/ginkgo/v2"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// adapter is what work through a model's state does to its session's recency.
func adapter(open Open) {
	It("takes steps of a model's state for use exactly as declared", Promise("EVI-04.adapter"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		nothing, again := func(spec.Model, spec.State) {}, func(model spec.Model, _ spec.State) { openEach(model, "a") }
		between := nothing
		switch use := s.Hello().Use; use {
		case "lookup":
		case "access":
			between = again
		default:
			Unclaimed("what counts as use is declared as %q, neither lookup nor access", use)
		}
		toil := func(_ spec.Model, a spec.State) { work(s, a, "") }
		untouched, refreshed := leftByModel(s, toil, nothing), leftByModel(s, toil, again)
		if slices.Equal(untouched, refreshed) {
			CannotTell("retained of a to e = %q, whether a was opened again or not", untouched)
		}
		expectSame(
			func() []string { return leftByModel(s, nothing, toil) },
			func() []string { return leftByModel(s, toil, between) },
			"retained after a, b and c were opened, steps of a, then d and e; declared: %s", s.Hello().Use)
	})
}

// leftByModel is [leftHolding] where a model opens the sessions, and is left
// with a's state.
func leftByModel(s *op.Client, first, between func(spec.Model, spec.State)) []string {
	GinkgoHelper()
	m := manager(s, 3)
	model := dreamZero(s, m)
	a := Must(model.Open("a"))
	first(model, a)
	openEach(model, "b", "c")
	between(model, a)
	openEach(model, "d", "e")
	return retained(m, "a", "b", "c", "d", "e")
}

// dreamZero makes a model whose states are in a manager.
func dreamZero(s *op.Client, m spec.Manager) spec.Model {
	GinkgoHelper()
	return dreamZeroOn(s, spec.Managed, m)
}

// dreamZeroOn is dreamZero on a path; the bespoke path has no manager.
func dreamZeroOn(s *op.Client, path string, m spec.Manager) spec.Model {
	GinkgoHelper()
	model := Must(s.NewModel(spec.ModelSpec{Model: "dreamzero", Path: path, Manager: m}))
	if took := Must(model.Path()); took != path {
		CannotTell("a model made for the %s path took the %s path", path, took)
	}
	return model
}

// openEach opens sessions of a model, one after the other, and holds none of
// them.
func openEach(model spec.Model, ids ...string) {
	GinkgoHelper()
	for _, id := range ids {
		LetGo(Must(model.Open(id)))
	}
}

// work is a little of what forwards do: it writes and reads in both buckets, and
// holds nothing afterwards. With a name it tracks what it gives, and returns the
// tags.
func work(s *op.Client, state spec.State, name string) (tags []string) {
	GinkgoHelper()
	step := func(do string, args map[string]any) { GinkgoHelper(); carryOut(state, spec.Step{Do: do, Args: args}) }
	give := func(do string, args map[string]any, as string, r spec.Recipe) {
		GinkgoHelper()
		if name != "" {
			tag := name + ": " + do
			r, tags = r.Tracked(tag), append(tags, tag)
		}
		v := Must(s.Make(r))
		carryOut(state, spec.Step{Do: do, Args: args, With: map[string]spec.Value{as: v}})
		LetGo(v)
	}
	type args = map[string]any
	give("set", args{"name": "clip_feas"}, "value", spec.Tensor("bfloat16", 1, 1, 1024))
	give("accumulate_frames", nil, "frames", spec.Tensor("uint8", 2, 1, 16, 32, 3))
	give("append_video_latents", nil, "latents", spec.Tensor("bfloat16", 3, 1, 1, 4, 16, 16))
	give("seed_encoder", nil, "chunk", spec.Tensor("bfloat16", 4, 1, 4, 1, 16, 16))
	step("get", args{"name": "clip_feas"})
	step("get", args{"name": "call_count"})
	step("concatenated_video_latents", nil)
	step("observe_latents", args{"frames": 1})
	return tags
}

// carryOut has a state take a step, and lets go of what comes of it.
func carryOut(state spec.State, step spec.Step) {
	GinkgoHelper()
	if out := Must(state.Do(step)); out != nil {
		LetGo(out)
	}
}

// serve opens a session, has it work, and holds nothing of it.
func serve(s *op.Client, model spec.Model, id, name string) (tags []string) {
	GinkgoHelper()
	state := Must(model.Open(id))
	tags = work(s, state, name)
	LetGo(state)
	return tags
}

// shownOf opens a session to see what it shows, and holds nothing of it.
func shownOf(model spec.Model, id string) string {
	GinkgoHelper()
	state := Must(model.Open(id))
	defer LetGo(state)
	return shown(state)
}

// shown is what a state shows of what [work] leaves, in one line.
func shown(state spec.State) string {
	GinkgoHelper()
	line := ""
	for _, step := range []spec.Step{
		{Do: "get", Args: map[string]any{"name": "clip_feas"}},
		{Do: "get", Args: map[string]any{"name": "call_count"}},
		{Do: "concatenated_video_latents"},
		{Do: "observe_latents", Args: map[string]any{"frames": 1}},
	} {
		line += step.Do + " = "
		if v, err := state.Do(step); Refused(err) {
			line += "refused; "
		} else {
			line += Outline(Bits(v)) + "; "
			if v != nil {
				LetGo(v)
			}
		}
	}
	return line
}

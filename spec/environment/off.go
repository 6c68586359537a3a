package environment

import (
	"fmt"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// off is the default path.
func off(open Open) {
	It("gives the same bytes with the variable unset and with 0", Promise("OFF-01"), func(ctx SpecContext) {
		outputs := func(p spec.Process) []string {
			s := open.In(ctx, p)
			model, _ := dreamZero(s, spec.Config{})
			return steps(s, Must(model.Open("a")))
		}
		unset, zero := outputs(spec.Process{}), outputs(variable("0"))
		if !slices.ContainsFunc(unset, func(line string) bool { return strings.Contains(line, string(spec.KindTensor)) }) {
			CannotTell("no step gave a tensor")
		}
		for i := range unset {
			Expect(zero[i]).To(Equal(unset[i]), "output of step %d of %d, with %s=0 against unset", i+1, len(unset), spec.EnableVar)
		}
		Note("%d steps of DreamZero; a build without the feature cannot be seen from here: `statespec ab --a … --b …` compares two builds", len(unset))
	})

	DescribeTable("leaves nothing in any manager", Promise("OFF-02"),
		func(ctx SpecContext, p spec.Process, cfg spec.Config) {
			s := open.In(ctx, p)
			if Must(s.Resolve(cfg)).Enabled {
				CannotTell("the manager is on here, which is for other rows to ask about")
			}
			other := Must(s.NewManager(spec.ManagerSpec{}))
			model, given := dreamZero(s, cfg)
			before, beside := Must(given.Stats()), Must(other.Stats())

			steps(s, Must(model.Open("a")))

			untouched("the manager that the model was given", given, before)
			untouched("another manager", other, beside)
		},
		Entry("when nothing is set", spec.Process{}, spec.Config{}),
		Entry("when the config says off", spec.Process{}, says(false)),
		Entry("when the variable is 0", variable("0"), spec.Config{}),
		Entry("when the variable is 0 and the config says on", variable("0"), says(true)),
	)
}

// untouched asks that a manager counts what it did before, and holds nothing.
func untouched(name string, m spec.Manager, before spec.Stats) {
	GinkgoHelper()
	after := Must(m.Stats())
	for figure, n := range after.Counts {
		Expect(n).To(Equal(before.Counts[figure]), "%s of %s, against what it was before the steps", figure, name)
	}
	Expect(m.Contains("a")).To(BeFalse(), "%s retains the model's session", name)
	Expect(Must(Must(m.Session("a")).Contents()).Objects).To(BeEmpty(), "objects of the model's session in %s", name)
}

// steps has a state do a little of everything, and returns what came of each
// step, in one line each.
func steps(s *op.Client, state spec.State) (outputs []string) {
	GinkgoHelper()
	take := func(do string, args map[string]any, with map[string]spec.Recipe) {
		GinkgoHelper()
		st := spec.Step{Do: do, Args: args, With: map[string]spec.Value{}}
		for name, r := range with {
			st.With[name] = Must(s.Make(r))
		}
		v, err := state.Do(st)
		if Refused(err) {
			outputs = append(outputs, fmt.Sprintf("%s: refused as %s", do, spec.KindOf(err)))
			return
		}
		outputs = append(outputs, fmt.Sprintf("%s: %s", do, Outline(Bits(v))))
	}
	type args = map[string]any
	type with = map[string]spec.Recipe
	prompt := with{"text_tokens": spec.Bits("int64", make([]byte, 24), 1, 3)}

	take("reset_reason", args{"num_video_frames": 1, "local_attn_size": 6}, prompt)
	take("session_reset", nil, nil)
	take("set", args{"name": "language"}, with{"value": prompt["text_tokens"]})
	take("set", args{"name": "clip_feas"}, with{"value": spec.Tensor("bfloat16", 1, 1, 4)})
	for i := range uint64(4) {
		take("accumulate_frames", nil, with{"frames": spec.Tensor("uint8", 10+i, 4, 6, 3)})
		chunk := with{"chunk": spec.Tensor("bfloat16", 20+i, 1, 4, 1, 2, 3)}
		if i == 0 {
			take("seed_encoder", nil, chunk)
		} else {
			take("append_encoder_chunk", nil, chunk)
		}
		take("observe_latents", args{"frames": 2}, nil)
		take("append_video_latents", nil, with{"latents": spec.Tensor("bfloat16", 30+i, 1, 2, 4, 2, 3)})
	}
	take("accumulate_frames", nil, with{"frames": spec.Tensor("uint8", 14, 6, 4, 6, 3)})
	take("concatenated_video_latents", nil, nil)
	take("reset_reason", args{"num_video_frames": 4, "local_attn_size": 6}, prompt)
	take("window_reset", nil, nil)
	take("get", args{"name": "call_count"}, nil)
	take("observe_latents", args{"frames": 2}, nil)
	take("accumulate_frames", nil, with{"frames": spec.Tensor("uint8", 15, 4, 6, 3)})
	take("concatenated_video_latents", nil, nil)
	take("clear_video_latents", nil, nil)
	take("session_reset", nil, nil)
	take("get", args{"name": "language"}, nil)
	return outputs
}

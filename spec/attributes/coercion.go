package attributes

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

// coercion is an adapter that makes of a value what it would rather have. It may
// refuse it: then nothing has changed.
func coercion(open Open) {
	DescribeTable("takes a text for a text, or refuses it, in", Promise("ATT-01.adapter"), func(ctx SpecContext, name, text string) {
		s := open.Subject(ctx)
		d := rollout(s)
		before := Bits(Must(d.of("get", name)))
		v := Must(s.Make(spec.Text(text)))
		due, was := Bits(v), "assigned"
		if Refused(Error(d.state.Do(spec.Step{Do: "set", Args: map[string]any{"name": name}, With: map[string]spec.Value{"value": v}}))) {
			due, was = before, "refused"
		}
		Expect(d.of("get", name)).To(HaveBits(due), "%s, after the text %q was %s", name, text, was)
	},
		Entry("a counter", "call_count", "7"),
		Entry("another counter", "current_start_frame", "7"),
		Entry("a flag", "vae_stream_initialized", "no"),
	)
}

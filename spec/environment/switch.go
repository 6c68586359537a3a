package environment

import (
	"fmt"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

// says is a deploy config, in code, whose one field is the switch.
func says(on bool) spec.Config {
	return spec.Config{Fields: map[string]any{spec.EnableField: on}}
}

// named is a configuration, and what to call it in a failure.
type named struct {
	name string
	cfg  spec.Config
}

// configs are all that a config can say of the switch.
func configs() []named {
	return []named{{"nothing", spec.Config{}}, {"on", says(true)}, {"off", says(false)}}
}

// variable is an environment in which only the switch's variable is set.
func variable(value string) spec.Process {
	return spec.Process{Env: map[string]string{spec.EnableVar: value}}
}

// enabled is the decision in what Resolve returned.
func enabled(r spec.Resolution, err error) (bool, error) { return r.Enabled, err }

// enabling and disabling are the eight words of the variable.
func enabling() []string  { return []string{"1", "true", "yes", "on"} }
func disabling() []string { return []string{"0", "false", "no", "off"} }

// config is what decides while the variable is silent.
func config(open Open) {
	It("is off when neither config nor variable says anything", Promise("ENV-01"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Expect(enabled(s.Resolve(spec.Config{}))).To(BeFalse(), "enabled, with nothing set")
	})

	It("leaves a model on the bespoke path when nothing is set", Promise("ENV-01"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Expect(pathOf(s, spec.Config{})).To(Equal(spec.Bespoke), "the model's path, with nothing set")
	})

	It("is turned on by the config field alone", Promise("ENV-02"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Expect(enabled(s.Resolve(says(true)))).To(BeTrue(), "enabled, by the field alone")
	})

	It("has a model take the managed path by the config field alone", Promise("ENV-02"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Expect(pathOf(s, says(true))).To(Equal(spec.Managed), "the model's path, by the field alone")
	})

	DescribeTable("is left to the config when the variable is unset", Promise("ENV-06"),
		func(ctx SpecContext, on bool) {
			s := open.Subject(ctx)
			Expect(enabled(s.Resolve(says(on)))).To(Equal(on), "enabled, where the config says %v", on)
		},
		Entry("on", true),
		Entry("off", false),
	)
}

// words are the values of the variable that decide.
func words(open Open) {
	whatever := func(ctx SpecContext, word string, on bool) {
		s := open.In(ctx, variable(word))
		for _, c := range configs() {
			Expect(enabled(s.Resolve(c.cfg))).To(Equal(on), "enabled, with %s=%q where the config says %s", spec.EnableVar, word, c.name)
		}
	}
	for _, word := range enabling() {
		It(fmt.Sprintf("is turned on by %s, whatever the config says", word), Promise("ENV-03"), func(ctx SpecContext) {
			whatever(ctx, word, true)
		})
	}
	for _, word := range disabling() {
		It(fmt.Sprintf("is turned off by %s, whatever the config says", word), Promise("ENV-04"), func(ctx SpecContext) {
			whatever(ctx, word, false)
		})
	}

	for i, word := range append(enabling(), disabling()...) {
		It(fmt.Sprintf("takes %s in any letter case and with white space around it", word), Promise("ENV-05"), func(ctx SpecContext) {
			// Of a config that the word overrules, so that it has a say.
			cfg := says(i >= len(enabling()))
			plain := Must(open.In(ctx, variable(word)).Resolve(cfg)).Enabled
			for _, value := range variants(word) {
				s := open.In(ctx, variable(value))
				Expect(enabled(s.Resolve(cfg))).To(Equal(plain), "enabled, with %s=%q against %q", spec.EnableVar, value, word)
			}
		})
	}
}

// variants are other ways to write a word: in upper and mixed case where it has
// letters, and with ASCII white space around it.
func variants(word string) []string {
	last := len(word) - 1
	return slices.DeleteFunc([]string{
		strings.ToUpper(word), strings.ToUpper(word[:1]) + word[1:], word[:last] + strings.ToUpper(word[last:]),
		" " + word, word + "  ", "\t" + word + "\t", word + "\n", word + "\r\n",
	}, func(v string) bool { return v == word })
}

// noWords are the values of the variable that decide nothing.
func noWords(open Open) {
	for _, value := range []string{"", " ", " \t\n", "enabled", "disabled", "true;", "2", "maybe", "truetrue", "on,off"} {
		It(fmt.Sprintf("is left to the config by a variable of %q", value), Promise("ENV-07"), func(ctx SpecContext) {
			s := open.In(ctx, variable(value))
			for _, on := range []bool{true, false} {
				Expect(enabled(s.Resolve(says(on)))).To(Equal(on), "enabled, with %s=%q where the config says %v", spec.EnableVar, value, on)
			}
		})
	}

	DescribeTable("is never turned the other way by a near word", Promise("ENV-07.near"),
		func(ctx SpecContext, word string, means bool) {
			silent := Must(open.Subject(ctx).Resolve(spec.Config{})).Enabled
			s := open.In(ctx, variable(word))
			// Where config and plain meaning agree, nothing but that is left. A
			// silent config is what it comes to without the variable.
			Expect(enabled(s.Resolve(says(means)))).To(Equal(means), "enabled, with %s=%q where the config says %v", spec.EnableVar, word, means)
			if silent == means {
				Expect(enabled(s.Resolve(spec.Config{}))).To(Equal(means), "enabled, with %s=%q and a silent config", spec.EnableVar, word)
			}
		},
		Entry("y", "y", true), Entry("n", "n", false), Entry("t", "t", true), Entry("f", "f", false),
		Entry("Y", "Y", true), Entry("N", "N", false),
		Entry("a full-width one", "１", true), Entry("a full-width zero", "０", false),
	)
}

package environment

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

// file is a deploy config as a file, whose one field is the switch, written as
// given.
func file(value string) spec.Config {
	return spec.Config{File: spec.EnableField + ": " + value + "\n"}
}

// loader is what a deploy config can say, and what it cannot.
func loader(open Open) {
	It("in a file cannot name a cap", Promise("ENV-13"), func(ctx SpecContext) {
		var caps []named
		for _, name := range capNames() {
			caps = append(caps, named{name, spec.Config{File: file("true").File + name + ": 3\n"}})
		}
		for _, section := range []string{"session_state_manager", spec.EnableVar} {
			caps = append(caps, named{section + ".max_sessions",
				spec.Config{File: file("true").File + section + ":\n  max_sessions: 3\n"}})
		}
		withoutCap(ctx, open, file("true"), caps)
	})

	It("in code cannot name a cap", Promise("ENV-13"), func(ctx SpecContext) {
		var caps []named
		for _, name := range capNames() {
			caps = append(caps, named{name, spec.Config{Fields: map[string]any{spec.EnableField: true, name: 3}}})
		}
		withoutCap(ctx, open, says(true), caps)
	})

	DescribeTable("decides alike in code and in a file", Promise("ENV-17"),
		func(ctx SpecContext, env map[string]string) {
			s := open.In(ctx, spec.Process{Env: env})
			silent := Must(s.Resolve(spec.Config{}))
			Expect(s.Resolve(spec.Config{File: "{}\n"})).To(Equal(silent), "resolved from a file that says nothing, against code that does not")
			for _, on := range []bool{true, false} {
				inCode := Must(s.Resolve(says(on)))
				Expect(s.Resolve(file(fmt.Sprint(on)))).To(Equal(inCode), "resolved from a file that says %v, against code that does", on)
			}
		},
		Entry("with the variables unset", nil),
		Entry("with the variable on", map[string]string{spec.EnableVar: "1"}),
		Entry("with the variable off", map[string]string{spec.EnableVar: "0"}),
		Entry("with the variable empty", map[string]string{spec.EnableVar: ""}),
		Entry("with a variable that does not parse", map[string]string{spec.EnableVar: "maybe"}),
		Entry("with a cap", map[string]string{spec.MaxSessionsVar: "7"}),
	)

	DescribeTable("is refused when its field is no boolean", Promise("ENV-18"),
		func(ctx SpecContext, value string) {
			s := open.Subject(ctx)
			r, err := s.Resolve(file(value))
			Expect(Refused(err)).To(BeTrue(), "refused, for `%s: %s`; it resolved to %+v", spec.EnableField, value, r)
		},
		Entry("but a false in quotes", `"false"`),
		Entry("but a true in quotes", `"true"`),
		Entry("but a word", "sometimes"),
		Entry("but the number 2", "2"),
		Entry("but a list", "[false]"),
	)
}

// capNames are names under which a cap might be looked for. That no name is a cap
// cannot be asked of a black box; these are the ones that a user would try.
func capNames() []string {
	return []string{
		"max_sessions", "max_retained_sessions", "session_cap", "max_dreamzero_sessions",
		"session_state_manager_max_sessions", "session_state_max_sessions",
		spec.EnableField + "_max_sessions", "omni_diffusion_session_state_manager_max_sessions",
		spec.MaxSessionsVar, "MAX_SESSIONS", "MAX_DREAMZERO_SESSIONS",
	}
}

// withoutCap asks that configs that name a cap of 3 are refused, or come to what
// the plain one does.
func withoutCap(ctx SpecContext, open Open, plain spec.Config, caps []named) {
	GinkgoHelper()
	const few = 5
	s := open.Subject(ctx)
	due := Must(s.Resolve(plain)).Cap
	retained := kept(Must(s.NewManager(spec.ManagerSpec{Config: plain})), few)
	for _, c := range caps {
		r, err := s.Resolve(c.cfg)
		if Refused(err) {
			continue
		}
		Expect(r.Cap).To(Equal(due), "the cap, of a config with `%s: 3`", c.name)
		m, err := s.NewManager(spec.ManagerSpec{Config: c.cfg})
		if Refused(err) {
			continue
		}
		Expect(kept(m, few)).To(Equal(retained), "of %d sessions, those retained under a config with `%s: 3`", few, c.name)
	}
	Note("%d names tried: that no other one is a cap cannot be seen from outside", len(caps))
}

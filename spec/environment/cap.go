package environment

import (
	"fmt"
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// resolvedCap is the cap in what Resolve returned.
func resolvedCap(r spec.Resolution, err error) (string, error) { return r.Cap, err }

// caps are the cap that nobody set, and those that somebody did.
func caps(open Open) {
	It("left unset, has a manager retain 64 sessions and no more", Promise("ENV-08"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		for _, n := range []int{64, many} {
			expectCap(s, spec.ManagerSpec{}, 64, n)
		}
	})

	It("left unset, resolves to 64", Promise("ENV-08"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Expect(resolvedCap(s.Resolve(says(true)))).To(Equal("64"), "the cap, with %s unset", spec.MaxSessionsVar)
	})

	for _, n := range []int{1, 2, 7, 63, 65, 100} {
		It(fmt.Sprintf("has a manager retain %d", n), Promise("ENV-09"), func(ctx SpecContext) {
			text := strconv.Itoa(n)
			s := open.In(ctx, spec.Process{Env: map[string]string{spec.MaxSessionsVar: text}})
			Expect(resolvedCap(s.Resolve(says(true)))).To(Equal(text), "the cap, with %s=%s", spec.MaxSessionsVar, text)
			expectCap(s, spec.ManagerSpec{Config: says(true)}, n, n+1)
		})
	}

	It("resolves to a large number as it stands", Promise("ENV-09"), func(ctx SpecContext) {
		s := open.In(ctx, spec.Process{Env: map[string]string{spec.MaxSessionsVar: "1000000"}})
		Expect(resolvedCap(s.Resolve(says(true)))).To(Equal("1000000"), "the cap, with %s=1000000", spec.MaxSessionsVar)
	})
}

// expectCap asks that a manager that was given no cap retains as many of some
// sessions as n. A table in which one that was given n does not is for other rows
// to ask.
func expectCap(s *op.Client, m spec.ManagerSpec, n, sessions int) {
	GinkgoHelper()
	if given, err := s.NewManager(spec.ManagerSpec{Cap: &n}); err == nil {
		if got := kept(given, sessions); got != n {
			CannotTell("of %d sessions, a manager made with a cap of %d retains %d", sessions, n, got)
		}
	}
	Expect(kept(Must(s.NewManager(m)), sessions)).To(Equal(n), "of %d sessions, those retained, at a cap that comes to %d", sessions, n)
}

// unusableCaps are those that must not become a cap.
func unusableCaps(open Open) {
	for _, value := range []string{"many", "5,000", "64 sessions", "--5", "1.2.3", "five", "5f"} {
		It(fmt.Sprintf("is ignored, with a warning, when it is %q", value), Promise("ENV-10"), func(ctx SpecContext) {
			with, without := listen(ctx, open, value)
			expectIgnored(with, without, value, "")
			Expect(with.heard(without)).To(Equal("a warning"), "logged about %s=%q", spec.MaxSessionsVar, value)
		})
	}

	// Whoever takes an empty variable for one that is not set has nothing to
	// warn of.
	for _, value := range []string{"", " "} {
		It(fmt.Sprintf("is ignored when it is %q", value), Promise("ENV-10"), func(ctx SpecContext) {
			with, without := expose(ctx, open, value)
			expectIgnored(with, without, value, "")
		})

		It(fmt.Sprintf("is told of when it is %q", value), Promise("ENV-10.empty"), func(ctx SpecContext) {
			expectTold(ctx, open, value)
		})
	}

	for _, value := range []string{"many", "5,000", "64\nsessions"} {
		It(fmt.Sprintf("is named in the warning, with its value %q", value), Promise("ENV-10.names"), func(ctx SpecContext) {
			with, without := listen(ctx, open, value)
			if !with.louder(without) {
				CannotTell("there is no warning about %s=%q", spec.MaxSessionsVar, value)
			}
			Expect(with.warnings).To(ContainElement(And(ContainSubstring(spec.MaxSessionsVar), containAny(escapes(value)))),
				"the warnings, one of which is due to name %s and %q", spec.MaxSessionsVar, value)
		})
	}

	for _, value := range []string{"0", "-1", "-5", "-64", "00"} {
		It(fmt.Sprintf("is not used when it is %s", value), Promise("ENV-11"), func(ctx SpecContext) {
			with, without := expose(ctx, open, value)
			if with.refused {
				Note("%s=%s was refused", spec.MaxSessionsVar, value)
				return
			}
			expectIgnored(with, without, value, "")
		})

		It(fmt.Sprintf("is told of when it is %s", value), Promise("ENV-12"), func(ctx SpecContext) {
			expectTold(ctx, open, value)
		})
	}
}

// expectTold asks for a warning about a value, or for a refusal, which tells
// more.
func expectTold(ctx SpecContext, open Open, value string) {
	GinkgoHelper()
	with, without := listen(ctx, open, value)
	if with.refused {
		Note("%s=%q was refused", spec.MaxSessionsVar, value)
		return
	}
	Expect(len(with.warnings)).To(BeNumerically(">", len(without.warnings)),
		"warnings with %s=%q, against those without it; heard: %q", spec.MaxSessionsVar, value, with.warnings)
}

// escapes are the ways to write a value on one line of a log.
func escapes(value string) []string {
	ways := []string{value, strings.Trim(strconv.Quote(value), `"`)}
	for _, newline := range []string{`\x0a`, `\u000a`, `\u{a}`, `\012`, `%0A`, `\\n`, "␊"} {
		ways = append(ways, strings.ReplaceAll(value, "\n", newline))
	}
	return ways
}

// containAny succeeds for a text that contains one of several.
func containAny(ways []string) OmegaMatcher {
	matchers := make([]OmegaMatcher, len(ways))
	for i, w := range ways {
		matchers[i] = ContainSubstring(w)
	}
	return Or(matchers...)
}

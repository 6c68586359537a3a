package statespec

import (
	"fmt"
	"strings"
	"testing"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/catalogue"
	"github.com/statespec/statespec/spec/expect"
	"github.com/statespec/statespec/spec/selection"
	"github.com/statespec/statespec/spec/verdict"
)

// policy reads what the options say of judging.
func (o options) policy(t *testing.T) (verdict.Policy, func(*spec.Hello, string) verdict.Expectations) {
	t.Helper()
	p := verdict.Policy{Strict: o.strict}
	if o.require != "" {
		s, err := selection.Parse(o.require)
		if err != nil {
			t.Fatalf("statespec.Require: %v", err)
		}
		p.Require = s.Matches
	}
	if o.expect == "" {
		return p, func(*spec.Hello, string) verdict.Expectations { return verdict.Expectations{} }
	}
	file, err := expect.Read(o.expect)
	if err != nil {
		t.Fatalf("statespec.Expect: %v", err)
	}
	return p, func(h *spec.Hello, device string) verdict.Expectations { return file.For(expect.Of(h, device)) }
}

// judge makes sub-tests of verdicts.
func judge(t *testing.T, r verdict.Results, p verdict.Policy) {
	t.Helper()
	told := false // by a sub-test, that the run did not go well
	ran := r      // as far as package testing let sub-tests run
	ran.Verdicts = nil
	for _, v := range r.Verdicts {
		if !asked(v) {
			continue
		}
		t.Run(v.ID, func(t *testing.T) {
			ran.Verdicts = append(ran.Verdicts, v)
			for _, c := range v.Cases {
				if asked(c) {
					t.Run(strings.TrimPrefix(c.ID, v.ID+"."), func(t *testing.T) { tell(t, c, p) })
				}
			}
			tell(t, v, p)
			told = told || t.Failed()
		})
	}
	t.Logf("%s %s %s", r.Subject.Name, r.Subject.Version, r.Line(p))
	if ran.Exit(p) != verdict.AsExpected && !told {
		t.Errorf("%s", strings.Join(ran.Reasons(p), "\n"))
	}
}

// asked says whether a row, or a case of it, is to be a sub-test.
func asked(v verdict.Verdict) bool {
	if v.Selected && v.Row().AskedIn(catalogue.Suite) {
		return true
	}
	for _, c := range v.Cases {
		if asked(c) {
			return true
		}
	}
	return false
}

// tell is one row as a test's result.
func tell(t *testing.T, v verdict.Verdict, p verdict.Policy) {
	t.Helper()
	switch v.Own {
	case verdict.Held, verdict.Deselected:
	case verdict.Unclaimed:
		if p.Require != nil && p.Require(v.Row()) {
			t.Errorf("%s is required, and unclaimed: %s", v.ID, v.Reason)
			return
		}
		t.Skipf("unclaimed: %s", v.Reason)
	case verdict.CannotTell, verdict.KnownBroken, verdict.NotRun:
		t.Skipf("%s: %s", v.Own, v.Reason)
	case verdict.Broken, verdict.Crashed, verdict.Hung, verdict.New:
		if v.Own == verdict.New || v.Level == catalogue.Should && !p.Strict {
			t.Log(account(v))
			return
		}
		t.Error(account(v))
	default:
		t.Error(account(v))
	}
}

// account is a row that did not hold, as a person reads it.
func account(v verdict.Verdict) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s: %s\n", v.ID, v.Level, v.Own, v.Statement)
	if v.Reason != "" {
		fmt.Fprintf(&b, "%s\n", v.Reason)
	}
	for _, o := range v.Telling() {
		fmt.Fprintf(&b, "\n%s (%s)\n%s\n", o.Spec, o.Location, o.Message)
		if o.Output != "" {
			fmt.Fprintf(&b, "its output ended with:\n%s\n", o.Output)
		}
		for _, name := range o.Artefacts {
			fmt.Fprintf(&b, "kept: %s\n", name)
		}
		if o.Reproduce != "" {
			fmt.Fprintf(&b, "run it again: %s\n", o.Reproduce)
		}
	}
	return b.String()
}

package expect_test

import (
	"testing"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/catalogue"
	"github.com/statespec/statespec/spec/expect"
	"github.com/statespec/statespec/spec/verdict"
)

func TestASubjectThatBreaksTheWholeCatalogueCanExpectIt(t *testing.T) {
	in := verdict.Input{Rows: catalogue.All(), SuiteVersion: catalogue.Suite,
		Subject: &spec.Hello{Name: "broken", Layers: spec.Layers(), Can: spec.Capabilities()}}
	asked := 0
	for _, row := range in.Rows {
		if row.AskedIn(in.SuiteVersion) {
			asked++
			in.Outcomes = append(in.Outcomes, verdict.Outcome{Spec: row.ID, Row: row.ID, Outcome: verdict.Broken, Message: row.Why})
		}
	}
	raw, err := expect.Write(verdict.Fold(in))
	if err != nil {
		t.Fatal(err)
	}
	f, err := expect.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	in.Expectations = f.For(expect.Conditions{})
	s := verdict.Fold(in).Summary
	if s.Exit != 0 || s.Words[verdict.KnownBroken] != asked {
		t.Errorf("exit %d, %d known-broken, want 0 and all %d: %q", s.Exit, s.Words[verdict.KnownBroken], asked, s.Reasons)
	}
}

package verdict_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/statespec/statespec/spec/verdict"
)

func expecting(x verdict.Expectations, change ...verdict.Outcome) verdict.Results {
	in := allHeld(change...)
	if x.Suite == "" {
		x.Suite = "0.1"
	}
	in.Expectations = x
	return verdict.Fold(in)
}

func entries(e ...verdict.Expectation) verdict.Expectations { return verdict.Expectations{Entries: e} }

func TestARowThatBreaksAsExpectedIsKnownBroken(t *testing.T) {
	e := verdict.Expectation{ID: "EVI-02", Reason: "keeps all", Link: "https://example.org/1"}
	r := expecting(entries(e), out("EVI-02", verdict.Broken))
	wantOwn(t, r, "EVI-02", verdict.KnownBroken, "keeps all")
	if got := find(t, r, "EVI-02").Link; got != e.Link {
		t.Errorf("link = %q, want %q", got, e.Link)
	}
	wantSummary(t, r, 0, "does not conform, as expected: 1 MUST known-broken (EVI-02)"+unclaimedLayers)
}

func TestARowThatHoldsAgainstAnExpectationIsStale(t *testing.T) {
	r := expecting(entries(verdict.Expectation{ID: "EVI-02", Reason: "keeps all"}))
	wantOwn(t, r, "EVI-02", verdict.Stale, "expected to be broken (keeps all), held")
	wantSummary(t, r, 1, "not as expected: 1 expectation stale (EVI-02)"+unclaimedLayers)
}

func TestAnExpectationOfCasesLeavesTheRestOfTheGuaranteeAlone(t *testing.T) {
	e := entries(verdict.Expectation{ID: "ACC-11", Cases: []string{"set"}, Reason: "zero"})

	r := expecting(e, out("ACC-11.set", verdict.Broken), out("ACC-11.record", verdict.Broken))
	wantOwn(t, r, "ACC-11.set", verdict.KnownBroken, "zero")
	wantOwn(t, r, "ACC-11.record", verdict.Broken, "")
	wantOwn(t, r, "ACC-11", verdict.Held, "")

	r = expecting(e, out("ACC-11", verdict.Broken))
	wantOwn(t, r, "ACC-11", verdict.Broken, "")
	wantOwn(t, r, "ACC-11.set", verdict.Stale, "expected to be broken (zero), held")

	own := entries(verdict.Expectation{ID: "ACC-11", Cases: []string{}, Reason: "zero"})
	r = expecting(own, out("ACC-11", verdict.Broken), out("ACC-11.set", verdict.Broken))
	wantOwn(t, r, "ACC-11", verdict.KnownBroken, "zero")
	wantOwn(t, r, "ACC-11.set", verdict.Broken, "")
}

func TestAnExpectationOfAGuaranteeNeedsOneOfItsRowsBroken(t *testing.T) {
	e := entries(verdict.Expectation{ID: "ACC-11", Reason: "zero"})

	r := expecting(e, out("ACC-11.set", verdict.Broken))
	wantOwn(t, r, "ACC-11.set", verdict.KnownBroken, "zero")
	wantOwn(t, r, "ACC-11", verdict.Held, "")
	wantOwn(t, r, "ACC-11.record", verdict.Held, "")

	r = expecting(e)
	wantOwn(t, r, "ACC-11", verdict.Stale, "expected to be broken (zero), held")
	wantOwn(t, r, "ACC-11.set", verdict.Held, "")

	r = expecting(e, out("ACC-11.set", verdict.CannotTell))
	wantOwn(t, r, "ACC-11", verdict.Held, "")
	wantUnused(t, r, verdict.Unused{ID: "ACC-11", Reason: "ACC-11.set is cannot-tell"})
}

func TestAnExpectationIsOfOneOutcome(t *testing.T) {
	broken := verdict.Expectation{ID: "EVI-02", Reason: "x"}
	crashed := verdict.Expectation{ID: "EVI-02", Outcome: verdict.Crashed, Reason: "y"}
	for _, test := range []struct {
		x      verdict.Expectations
		was    verdict.Word
		want   verdict.Word
		reason string
	}{
		{entries(broken), verdict.Crashed, verdict.Crashed, "expected to be broken, crashed"},
		{entries(crashed), verdict.Broken, verdict.Broken, "expected to be crashed, broken"},
		{entries(crashed), verdict.Crashed, verdict.KnownBroken, "y"},
		{entries(crashed), verdict.Hung, verdict.Hung, "expected to be crashed, hung"},
		{entries(crashed, broken), verdict.Broken, verdict.KnownBroken, "x"},
		{entries(crashed), verdict.Held, verdict.Stale, "expected to be crashed (y), held"},
		{entries(broken), verdict.DriverError, verdict.DriverError, ""},
	} {
		wantOwn(t, expecting(test.x, out("EVI-02", test.was)), "EVI-02", test.want, test.reason)
	}
}

func TestAnExpectationThatTheRunSaysNothingAboutIsUnused(t *testing.T) {
	x := entries(
		verdict.Expectation{ID: "EVI-09", Reason: "x"},
		verdict.Expectation{ID: "EQV-01", Reason: "x"},
		verdict.Expectation{ID: "ACC-99", Reason: "x"},
	)
	x.Idle = []verdict.Unused{{ID: "EVI-02", Reason: "device cuda:0, this run has cpu"}}
	r := expecting(x)
	wantUnused(t, r,
		verdict.Unused{ID: "EVI-02", Reason: "device cuda:0, this run has cpu"},
		verdict.Unused{ID: "EVI-09", Reason: "unclaimed: capability drop not claimed"},
		verdict.Unused{ID: "EQV-01", Reason: "deselected: asked from suite 0.2"},
		verdict.Unused{ID: "ACC-99", Reason: "not in this suite"},
	)
	if r.Summary.Exit != 0 {
		t.Errorf("exit = %d, want 0", r.Summary.Exit)
	}

	in := allHeld()
	in.Expectations, in.Selected = entries(verdict.Expectation{ID: "ACC-11", Reason: "x"}), only("ACC-11.set")
	in.Outcomes = []verdict.Outcome{out("ACC-11.set", verdict.Held)}
	wantUnused(t, verdict.Fold(in), verdict.Unused{ID: "ACC-11", Reason: "ACC-11.record is deselected"})
}

func TestARowNewerThanTheExpectationsIsNew(t *testing.T) {
	in := allHeld(out("EVI-02", verdict.Broken), out("EVI-01", verdict.Crashed))
	in.Rows[1].Since, in.SuiteVersion = "0.10", "0.10"
	in.Outcomes = append(in.Outcomes, out("EQV-01", verdict.Held))
	in.Expectations.Suite = "0.9"
	r := verdict.Fold(in)
	wantOwn(t, r, "EVI-02", verdict.New, "broken, and newer than the expectations, which are of suite 0.9")
	wantOwn(t, r, "EVI-01", verdict.Crashed, "")

	in.Expectations = verdict.Expectations{}
	wantOwn(t, verdict.Fold(in), "EVI-02", verdict.Broken, "")
}

func wantUnused(t *testing.T, r verdict.Results, want ...verdict.Unused) {
	t.Helper()
	if diff := cmp.Diff(want, r.Unused); diff != "" {
		t.Errorf("unused (-want +got):\n%s", diff)
	}
}

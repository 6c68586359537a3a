package verdict_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/catalogue"
	"github.com/statespec/statespec/spec/verdict"
)

// anyRun draws a run in which anything can have happened.
func anyRun(t *rapid.T) verdict.Input {
	in := verdict.Input{Rows: rows(), SuiteVersion: rapid.SampledFrom([]string{"0.1", "0.2"}).Draw(t, "suite")}
	selected := rapid.SliceOfN(rapid.Bool(), len(in.Rows), len(in.Rows)).Draw(t, "selected")
	in.Selected = func(r catalogue.Row) bool {
		return selected[slices.IndexFunc(in.Rows, func(o catalogue.Row) bool { return o.ID == r.ID })]
	}
	words := append(verdict.SpecWords(), verdict.Deselected)
	for _, row := range in.Rows {
		if in.Selected(row) && row.AskedIn(in.SuiteVersion) {
			for range rapid.IntRange(0, 2).Draw(t, "specs of "+row.ID) {
				in.Outcomes = append(in.Outcomes, out(row.ID, rapid.SampledFrom(words).Draw(t, row.ID)))
			}
		}
	}
	in.Interrupted = rapid.Bool().Draw(t, "interrupted")
	in.NoSubject = rapid.SampledFrom([]string{"", "gone"}).Draw(t, "no subject")
	if rapid.Bool().Draw(t, "hello") {
		in.Subject = hello()
		in.Subject.Layers = rapid.SliceOfDistinct(rapid.SampledFrom(spec.Layers()), rapid.ID).Draw(t, "layers")
	}
	return in
}

func TestAMUSTThatDidNotHoldIsNeverAPass(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := anyRun(t)
		r := verdict.Fold(in)
		held := 0
		for _, v := range r.Rows() {
			switch {
			case v.Own == verdict.Held:
				held++
				if !slices.ContainsFunc(in.Outcomes, func(o verdict.Outcome) bool { return o.Row == v.ID && o.Outcome == verdict.Held }) {
					t.Errorf("%s is held, and no spec said so", v.ID)
				}
			case v.Own == verdict.Unclaimed || v.Own == verdict.Deselected || v.Own == verdict.CannotTell:
			case r.Summary.Exit == 0 && v.Level == catalogue.Must:
				t.Errorf("exit 0 with MUST %s %s", v.ID, v.Own)
			}
		}
		if r.Summary.Exit == 0 && held == 0 && !slices.ContainsFunc(r.Rows(), func(v verdict.Verdict) bool { return v.Own.Failed() }) {
			t.Errorf("exit 0, and nothing held: %s", r.Summary.Line)
		}
	})
}

func TestTheOrderOfOutcomesDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := anyRun(t)
		before := verdict.Fold(in).Summary
		slices.Reverse(in.Outcomes)
		if after := verdict.Fold(in).Summary; before.Line != after.Line || before.Exit != after.Exit {
			t.Errorf("reversed: %d %q, want %d %q", after.Exit, after.Line, before.Exit, before.Line)
		}
	})
}

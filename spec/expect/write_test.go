package expect_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/expect"
	"github.com/statespec/statespec/spec/verdict"
)

// broken is a run in which a row of each sort failed, and one held.
func broken(message string) verdict.Input {
	in := verdict.Input{Rows: reader().Rows, SuiteVersion: reader().Suite,
		Subject: &spec.Hello{Name: "tiny: \"one\"", Layers: spec.Layers()}}
	for row, word := range map[string]verdict.Word{
		"EVI-01": verdict.Broken, "EVI-02": verdict.Crashed, "EVI-05": verdict.Held,
		"ACC-11": verdict.Broken, "ACC-11.set": verdict.Broken, "ACC-11.map-key": verdict.Held, "ACC-11.record": verdict.Hung,
	} {
		in.Outcomes = append(in.Outcomes, verdict.Outcome{Spec: row, Row: row, Outcome: word, Message: message})
	}
	return in
}

func TestAFileThatARunWroteExpectsThatRun(t *testing.T) {
	written := rewrite(t, broken("View(last 3) = error over_read, want 2 frames\nmore of it"))
	want := `# What tiny: "one" broke. An entry that no longer breaks fails the run.
suite: "0.10"
subject: "tiny: \"one\""
expectations:

  # EVI-01 MUST: EVI-01 holds.
  # View(last 3) = error over_read, want 2 frames
  - id: EVI-01
    reason: "recorded from a run: View(last 3) = error over_read, want 2 frames"

  # EVI-02 MUST: EVI-02 holds.
  # View(last 3) = error over_read, want 2 frames
  - id: EVI-02
    outcome: crashed
    reason: "recorded from a run: View(last 3) = error over_read, want 2 frames"

  # ACC-11 MUST: ACC-11 holds.
  # View(last 3) = error over_read, want 2 frames
  - id: ACC-11
    cases: []
    reason: "recorded from a run: View(last 3) = error over_read, want 2 frames"

  # ACC-11.set MUST: ACC-11.set holds.
  # View(last 3) = error over_read, want 2 frames
  - id: ACC-11
    cases: [set]
    reason: "recorded from a run: View(last 3) = error over_read, want 2 frames"

  # ACC-11.record MUST: ACC-11.record holds.
  # View(last 3) = error over_read, want 2 frames
  - id: ACC-11
    cases: [record]
    outcome: hung
    reason: "recorded from a run: View(last 3) = error over_read, want 2 frames"
`
	if diff := cmp.Diff(want, string(written)); diff != "" {
		t.Errorf("file (-want +got):\n%s", diff)
	}
}

// rewrite writes the file of a run, runs again with it, and checks that every
// failure is excused and that the file does not change by being rewritten.
func rewrite(t *testing.T, in verdict.Input) []byte {
	t.Helper()
	first, err := expect.Write(verdict.Fold(in))
	if err != nil {
		t.Fatal(err)
	}
	f, err := reader().Parse(first)
	if err != nil {
		t.Fatalf("what was written does not read: %v\n%s", err, first)
	}
	in.Expectations = f.For(expect.Conditions{})
	again := verdict.Fold(in)
	if again.Summary.Exit != 0 || again.Summary.Words[verdict.KnownBroken] != 5 {
		t.Errorf("with its own expectations: exit %d, %d known-broken, want 0 and 5: %q",
			again.Summary.Exit, again.Summary.Words[verdict.KnownBroken], again.Summary.Reasons)
	}
	second, err := expect.Write(again)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(first), string(second)); diff != "" {
		t.Errorf("rewritten (-first +second):\n%s", diff)
	}
	return first
}

func TestNothingBrokenIsAnEmptyList(t *testing.T) {
	in := broken("")
	for i := range in.Outcomes {
		in.Outcomes[i].Outcome = verdict.Held
	}
	raw, err := expect.Write(verdict.Fold(in))
	if err != nil {
		t.Fatal(err)
	}
	if f, err := reader().Parse(raw); err != nil || len(f.Entries) != 0 {
		t.Errorf("Parse = %v, %v, want no entries\n%s", f, err, raw)
	}
}

func TestAFileNeedsASuite(t *testing.T) {
	if raw, err := expect.Write(verdict.Results{}); err == nil {
		t.Errorf("Write = %s, want an error", raw)
	}
}

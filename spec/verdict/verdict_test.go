package verdict_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/catalogue"
	"github.com/statespec/statespec/spec/verdict"
)

// rows is a catalogue small enough to see through.
func rows() []catalogue.Row {
	row := func(id string, level catalogue.Level, layer spec.Layer, needs ...spec.Capability) catalogue.Row {
		return catalogue.Row{ID: id, Level: level, Layer: layer, Needs: needs, Statement: id + " holds.", Why: "Because.",
			Source: "contract", Since: "0.1"}
	}
	later := row("EQV-01", catalogue.Must, spec.LayerAdapter)
	later.Asked = "0.2"
	return []catalogue.Row{
		row("EVI-01", catalogue.Must, spec.LayerManager),
		row("EVI-02", catalogue.Must, spec.LayerManager),
		row("EVI-09", catalogue.Opt, spec.LayerManager, spec.CanDrop),
		row("ACC-11", catalogue.Must, spec.LayerManager),
		row("ACC-11.set", catalogue.Should, spec.LayerManager),
		row("ACC-11.record", catalogue.Should, spec.LayerManager),
		row("ACC-17", catalogue.Must, spec.LayerAdapter),
		later,
	}
}

func hello(can ...spec.Capability) *spec.Hello {
	return &spec.Hello{Protocol: 1, Name: "tiny", Version: "1.2", Language: "go", Devices: []string{"cpu"},
		Layers: []spec.Layer{spec.LayerManager}, Can: can}
}

func out(row string, w verdict.Word) verdict.Outcome {
	return verdict.Outcome{Spec: "spec of " + row, Row: row, Outcome: w, Message: "message of " + row}
}

// allHeld is a run in which everything that is claimed held.
func allHeld(change ...verdict.Outcome) verdict.Input {
	in := verdict.Input{Rows: rows(), SuiteVersion: "0.1", Subject: hello(), Seed: 1}
	for _, id := range []string{"EVI-01", "EVI-02", "ACC-11", "ACC-11.set", "ACC-11.record"} {
		if !slices.ContainsFunc(change, func(o verdict.Outcome) bool { return o.Row == id }) {
			in.Outcomes = append(in.Outcomes, out(id, verdict.Held))
		}
	}
	in.Outcomes = append(in.Outcomes, change...)
	return in
}

func only(ids ...string) func(catalogue.Row) bool {
	return func(r catalogue.Row) bool { return slices.Contains(ids, r.ID) }
}

func find(t *testing.T, r verdict.Results, id string) verdict.Verdict {
	t.Helper()
	rows := r.Rows()
	i := slices.IndexFunc(rows, func(v verdict.Verdict) bool { return v.ID == id })
	if i < 0 {
		t.Fatalf("results have no row %s", id)
	}
	return rows[i]
}

func wantOwn(t *testing.T, r verdict.Results, id string, want verdict.Word, reason string) {
	t.Helper()
	v := find(t, r, id)
	if v.Own != want || v.Reason != reason {
		t.Errorf("%s = %s (%q), want %s (%q)", id, v.Own, v.Reason, want, reason)
	}
}

func wantSummary(t *testing.T, r verdict.Results, exit verdict.Exit, line string) {
	t.Helper()
	if r.Summary.Exit != exit || r.Summary.Line != line {
		t.Errorf("summary = %d %q\nwant %d %q", r.Summary.Exit, r.Summary.Line, exit, line)
	}
	if clean := len(r.Summary.Reasons) == 0; clean != (exit == 0) {
		t.Errorf("exit %d has reasons %q, want some exactly when it is not 0", exit, r.Summary.Reasons)
	}
}

func TestARowTakesTheWorstWordOfItsSpecs(t *testing.T) {
	words := verdict.SpecWords()
	for i, worse := range words {
		for _, better := range words[i:] {
			for _, pair := range [][2]verdict.Word{{worse, better}, {better, worse}} {
				r := verdict.Fold(allHeld(out("EVI-02", pair[0]), out("EVI-02", pair[1])))
				if got := find(t, r, "EVI-02").Own; got != worse {
					t.Errorf("row of %v = %s, want %s", pair, got, worse)
				}
			}
		}
	}
}

func TestARowWithoutAnOutcomeIsNeverHeld(t *testing.T) {
	in := allHeld()
	in.Outcomes = in.Outcomes[1:]

	t.Run("a spec that did not report is a harness error", func(t *testing.T) {
		r := verdict.Fold(in)
		wantOwn(t, r, "EVI-01", verdict.HarnessError, "no spec reported")
		wantSummary(t, r, verdict.OwnFault, "no verdict: 1 row failed in the harness (EVI-01); adapter, pipeline, config-loader not claimed")
	})
	t.Run("a spec that was passed over has not reported", func(t *testing.T) {
		in := in
		in.Outcomes = append(slices.Clone(in.Outcomes), out("EVI-01", verdict.Deselected))
		wantOwn(t, verdict.Fold(in), "EVI-01", verdict.HarnessError, "no spec reported")
	})
	t.Run("one of two specs is not enough", func(t *testing.T) {
		in := allHeld()
		in.Specs = map[string]int{"EVI-01": 2}
		wantOwn(t, verdict.Fold(in), "EVI-01", verdict.HarnessError, "1 of 2 specs reported")
	})
	t.Run("interrupted, it is not run", func(t *testing.T) {
		in := in
		in.Interrupted = true
		r := verdict.Fold(in)
		wantOwn(t, r, "EVI-01", verdict.NotRun, "the run was interrupted")
		if !r.Incomplete {
			t.Error("Incomplete = false, want true")
		}
		wantSummary(t, r, verdict.Interrupted, "interrupted: 1 of 8 selected rows not run; adapter, pipeline, config-loader not claimed")
	})
	t.Run("without a subject, it is a driver error", func(t *testing.T) {
		r := verdict.Fold(verdict.Input{Rows: rows()[:2], SuiteVersion: "0.1", NoSubject: "exec: \"nope\": not found\nmore"})
		wantOwn(t, r, "EVI-01", verdict.DriverError, "exec: \"nope\": not found\nmore")
		wantSummary(t, r, verdict.NoVerdict, `no verdict: the subject could not be run: exec: "nope": not found; `+
			`2 rows without a subject that answers (EVI-01, EVI-02)`)
	})
}

func TestAnOutcomeThatNobodyAskedForIsAFault(t *testing.T) {
	for name, change := range map[string]func(*verdict.Input){
		`spec "spec of EVI-77" reported for row "EVI-77", want an ID of the catalogue`: func(in *verdict.Input) {
			in.Outcomes = append(in.Outcomes, out("EVI-77", verdict.Held))
		},
		`spec "spec of EVI-01" reported for row EVI-01, which this run did not ask`: func(in *verdict.Input) {
			in.Selected = func(r catalogue.Row) bool { return r.ID != "EVI-01" }
		},
		`spec "spec of EQV-01" reported for row EQV-01, which this run did not ask`: func(in *verdict.Input) {
			in.Outcomes = append(in.Outcomes, out("EQV-01", verdict.Held))
		},
	} {
		in := allHeld()
		change(&in)
		r := verdict.Fold(in)
		if diff := cmp.Diff([]string{name}, r.Faults); diff != "" {
			t.Errorf("faults (-want +got):\n%s", diff)
		}
		if r.Summary.Exit != verdict.OwnFault {
			t.Errorf("%s: exit %d, want %d", name, r.Summary.Exit, verdict.OwnFault)
		}
	}
}

func TestAnOutcomeThatNoSpecCanHaveIsAHarnessError(t *testing.T) {
	for _, w := range []verdict.Word{"passed", "", verdict.Stale, verdict.KnownBroken} {
		r := verdict.Fold(allHeld(out("EVI-01", w)))
		if got := find(t, r, "EVI-01"); got.Own != verdict.HarnessError || !strings.Contains(got.Specs[0].Message, "want one of") {
			t.Errorf("outcome %q = %s %q, want harness-error and the legal words", w, got.Own, got.Specs[0].Message)
		}
	}
}

func TestWhatIsNotClaimedSaysWhatIsMissing(t *testing.T) {
	r := verdict.Fold(allHeld())
	wantOwn(t, r, "EVI-09", verdict.Unclaimed, "capability drop not claimed")
	wantOwn(t, r, "ACC-17", verdict.Unclaimed, "layer adapter not claimed")
	wantOwn(t, r, "EQV-01", verdict.Deselected, "asked from suite 0.2")
	wantSummary(t, r, verdict.AsExpected, "conforms: manager; adapter, pipeline, config-loader not claimed")

	r = verdict.Fold(allHeld(out("ACC-11.set", verdict.Unclaimed)))
	wantOwn(t, r, "ACC-11.set", verdict.Unclaimed, "message of ACC-11.set")
}

func TestAGuaranteeCountsItsCasesThatHeld(t *testing.T) {
	for _, test := range []struct {
		change []verdict.Outcome
		want   string
	}{
		{nil, "held"},
		{[]verdict.Outcome{out("ACC-11.set", verdict.Unclaimed)}, "held (1 of 2 cases)"},
		{[]verdict.Outcome{out("ACC-11", verdict.Unclaimed)}, "held (2 of 2 cases, its own row unclaimed)"},
		{[]verdict.Outcome{out("ACC-11.set", verdict.Broken)}, "broken"},
		{[]verdict.Outcome{out("ACC-11.set", verdict.CannotTell)}, "cannot-tell"},
		{[]verdict.Outcome{out("ACC-11", verdict.Broken), out("ACC-11.set", verdict.Hung)}, "hung"},
	} {
		if got := find(t, verdict.Fold(allHeld(test.change...)), "ACC-11").Text(); got != test.want {
			t.Errorf("ACC-11 with %v = %q, want %q", test.change, got, test.want)
		}
	}
	r := verdict.Fold(allHeld(out("EVI-01", verdict.Held), out("EVI-01", verdict.Unclaimed)))
	if got, want := find(t, r, "EVI-01").Text(), "held (1 of 2 specs)"; got != want {
		t.Errorf("EVI-01 = %q, want %q", got, want)
	}
	wantOwn(t, r, "EVI-01", verdict.Held, "message of EVI-01")
}

func TestResultsAreTheSameAfterAJourneyThroughJSON(t *testing.T) {
	in := allHeld(out("ACC-11.set", verdict.Broken), out("EVI-09", verdict.Unclaimed))
	in.Shard, in.Selection, in.Seed = verdict.Shard{Index: 2, Of: 8}, "EVI || ACC", 1<<63+1
	in.Environment = verdict.Surroundings([]string{"GOGC=50"}, verdict.Harmless)
	r := verdict.Fold(in)
	raw, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(raw), "null") {
		t.Errorf("results hold a null, want empty lists:\n%s", raw)
	}
	var back verdict.Results
	if err := json.Unmarshal(raw, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r, back); diff != "" {
		t.Errorf("results (-before +after):\n%s", diff)
	}
	if diff := cmp.Diff(r.Summary, back.Summarise(verdict.Policy{})); diff != "" {
		t.Errorf("summary (-before +after):\n%s", diff)
	}
}

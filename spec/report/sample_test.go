package report_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/catalogue"
	"github.com/statespec/statespec/spec/verdict"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

// golden compares an output with a file of testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got, -update writes it):\n%s", path, diff)
	}
}

func row(id string, level catalogue.Level, statement string) catalogue.Row {
	return catalogue.Row{ID: id, Level: level, Layer: spec.LayerManager, Statement: statement,
		Why: "A user cares.", Source: "Byte accounting", Since: "0.1"}
}

func sampleRows() []catalogue.Row {
	adapter := row("ACC-17", catalogue.Must, "The bytes of every stream of a DreamZero session are counted.")
	adapter.Layer, adapter.Needs = spec.LayerAdapter, []spec.Capability{spec.CanDreamZero}
	drop := row("EVI-09", catalogue.Opt, "A dropped session is in the table no longer.")
	drop.Needs = []spec.Capability{spec.CanDrop}
	later := row("EQV-01", catalogue.Must, "Both paths give the same bits.")
	later.Asked = "0.3"
	young := row("OBJ-20", catalogue.Must, "A session can hold two objects of one name and two kinds.")
	young.Since = "0.2"
	return []catalogue.Row{
		row("ENV-01", catalogue.Must, "The manager is off when neither the config nor the variable says otherwise."),
		row("ENV-15", catalogue.Should, "A cap of twenty digits is used as it is, or ignored with a warning."),
		row("OBJ-01", catalogue.Should, "A new object is not resident."),
		young,
		row("EVI-02", catalogue.Must, "The session that was used longest ago is the one that is evicted."),
		row("EVI-05", catalogue.Must, "A holder of an evicted session keeps all that it had."),
		row("EVI-07", catalogue.Must, "A session that is reset while it is held is empty for its holder too."),
		drop,
		row("EVI-14", catalogue.Must, "Any number of threads can work on different sessions at a time."),
		row("ACC-01", catalogue.Must, "An empty manager counts no bytes."),
		row("ACC-11", catalogue.Must, "Every tensor that a session reaches through containers is counted."),
		row("ACC-11.set", catalogue.Should, "…in a set."),
		row("ACC-11.record", catalogue.Should, "…in a record."),
		row("ACC-11.stored", catalogue.Should, "…in a stored object."),
		adapter,
		row("RNG-01", catalogue.Must, "A buffer retains as many frames as its bound says."),
		row("RNG-03", catalogue.Must, "The frames that a buffer retains are the newest."),
		later,
	}
}

// sample is a run in which every word occurs.
func sample() verdict.Input {
	in := verdict.Input{
		Rows: sampleRows(), SuiteVersion: "0.2", Seed: 1,
		Subject: &spec.Hello{Protocol: 1, Name: "vllm-omni", Implementation: "session_state", Version: "0.18.2", Language: "python",
			Layers: []spec.Layer{spec.LayerManager}, Devices: []string{"cpu"}, Can: []spec.Capability{spec.CanRace}},
		Environment: verdict.Environment{Go: "go1.26.8", OS: "linux", Arch: "amd64", CPUs: 2, Variables: []verdict.Variable{
			{Name: "CI", Value: "true"}, {Name: "GITHUB_TOKEN", SHA256: "0a1b2c3d"}}},
		Expectations: verdict.Expectations{Suite: "0.1", Entries: []verdict.Expectation{
			{ID: "ACC-11", Cases: []string{"set"}, Reason: "sets count zero", Link: "https://example.org/issues/12"},
			{ID: "EVI-07", Reason: "reset leaves the attributes"},
			{ID: "EVI-09", Reason: "drop wipes"},
		}, Idle: []verdict.Unused{{ID: "RNG-01", Reason: "when device is cuda; this run's is cpu"}}},
		Faults: []string{"worker 2 wrote a line that is no outcome: {\"spec\":"},
	}
	add := func(id string, w verdict.Word, o verdict.Outcome) {
		o.Spec, o.Row, o.Outcome, o.Seconds = "Spec of "+id, id, w, 0.25
		in.Outcomes = append(in.Outcomes, o)
	}
	for _, id := range []string{"ENV-01", "OBJ-01", "EVI-07", "ACC-01", "ACC-11"} {
		add(id, verdict.Held, verdict.Outcome{})
	}
	add("ENV-15", verdict.Broken, verdict.Outcome{
		Message: "cap 18446744073709551617 = 1, want 64 with a warning, or exactly that number", Location: "spec/environment/cap.go:88"})
	add("OBJ-20", verdict.Broken, verdict.Outcome{Message: "Object(\"a\", kv) = error type_mismatch, want an object"})
	add("EVI-02", verdict.Broken, verdict.Outcome{
		Message:   "Get(\"s0\") after 65 sessions = found, want not found: \"s0\" was used longest ago\nretained: s0 s2 s3 … s64",
		Location:  "eviction/order.go:41",
		Reproduce: `statespec run --driver 'python driver.py' --only EVI-02 --seed 1`,
		Requests:  []string{`{"id":1,"method":"open","params":{"id":"s0","as":"a"}}`, `{"id":2,"method":"release","params":{"handle":"a"}}`},
		Notes:     []string{"held for 12 of 13 orders"},
		Artefacts: []string{"artefacts/EVI-02/order-7.html"}})
	add("EVI-02", verdict.Held, verdict.Outcome{})
	add("EVI-05", verdict.Crashed, verdict.Outcome{Message: "the subject died at request 17, view: signal: segmentation fault",
		Reproduce: `statespec run --driver 'python driver.py' --only EVI-05 --seed 1`,
		Output:    "Fatal Python error: Segmentation fault\n\x1b[31mCurrent thread\x1b[0m 0x00007f (most recent call first):\n  File \"manager.py\", line 12 in view"})
	add("EVI-14", verdict.CannotTell, verdict.Outcome{Message: "0 of 800 calls overlapped"})
	add("ACC-11.set", verdict.Broken, verdict.Outcome{Message: "bytes of {tensor of 400 bytes} = 0, want 400"})
	add("ACC-11.record", verdict.Hung, verdict.Outcome{Message: "stats = no answer in 10s, want bytes"})
	add("ACC-11.stored", verdict.Unclaimed, verdict.Outcome{Message: "the language has no stored objects"})
	add("RNG-01", verdict.DriverError, verdict.Outcome{Message: "answer is no JSON: \"Loading weights…\""})
	add("RNG-03", verdict.HarnessError, verdict.Outcome{Message: "oracle disagrees with itself"})
	return in
}

// clean is a run in which everything asked held.
func clean() verdict.Input {
	in := sample()
	in.Expectations, in.Faults = verdict.Expectations{}, nil
	in.Outcomes = nil
	for _, row := range in.Rows {
		if row.AskedIn(in.SuiteVersion) && row.Layer == spec.LayerManager && len(row.Needs) == 0 {
			in.Outcomes = append(in.Outcomes, verdict.Outcome{Spec: "Spec of " + row.ID, Row: row.ID, Outcome: verdict.Held})
		}
	}
	return in
}

// interrupted is a run that ended after three rows.
func interrupted() verdict.Input {
	in := clean()
	in.Outcomes, in.Interrupted, in.Selection = in.Outcomes[:3], true, "MUST || SHOULD"
	in.Selected = func(r catalogue.Row) bool { return r.Level != catalogue.Opt }
	return in
}

// write is what a writer writes of a run.
func write(t *testing.T, w func(*bytes.Buffer, verdict.Results) error, in verdict.Input) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := w(&b, verdict.Fold(in)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

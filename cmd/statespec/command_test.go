package main

import (
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/statespec/statespec/spec/catalogue"
	"github.com/statespec/statespec/spec/verdict"
)

func TestListNamesEveryRow(t *testing.T) {
	got := statespec(t, "", "list")
	if lines := strings.Count(got.stdout, "\n"); lines != len(catalogue.All()) {
		t.Errorf("list prints %d lines, want %d", lines, len(catalogue.All()))
	}
	var rows []struct{ ID, Level, Statement string }
	if err := json.Unmarshal([]byte(statespec(t, "", "list", "--json", "--only", "EVI-05").stdout), &rows); err != nil {
		t.Fatal(err)
	}
	if len(rows) == 0 || rows[0].ID != "EVI-05" || rows[0].Level != "MUST" || rows[0].Statement == "" {
		t.Errorf("list --json = %+v, want EVI-05 first, with its level and statement", rows)
	}
}

func TestExplainSaysWhatAndWhyAndWhichSpecs(t *testing.T) {
	row, _ := catalogue.Lookup("ACC-11.set")
	got := statespec(t, "", "explain", "acc-11.set")
	for _, want := range []string{row.ID, row.Statement, row.Why, row.Source, "spec:", "accounting/"} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("explain says\n%s\nwant %q in it", got.stdout, want)
		}
	}
	if strings.Contains(statespec(t, "", "explain", "ACC-11").stdout, "ACC-110") {
		t.Error("explain ACC-11 explains another guarantee")
	}
}

// Reports of a run replace those of an earlier one, whole: a failed run never
// leaves the last run's standing.
func TestReportsAreOfThisRun(t *testing.T) {
	out := filepath.Join(t.TempDir(), "deep", "results")
	if got := statespec(t, "", "run", "--only", "EVI-20", "--out", out); got.exit != verdict.AsExpected {
		t.Fatalf("exit = %d\n%s%s", got.exit, got.stdout, got.stderr)
	}
	if got := statespec(t, "cannot start", "run", "--only", "EVI-20", "--out", out); got.exit != verdict.NoVerdict {
		t.Fatalf("exit = %d, want %d", got.exit, verdict.NoVerdict)
	}
	var r verdict.Results
	b, err := os.ReadFile(filepath.Join(out, "results.json"))
	if err == nil {
		err = json.Unmarshal(b, &r)
	}
	if err != nil || r.SubjectError == "" {
		t.Errorf("results.json: %v, subject_error %q, want this run's", err, r.SubjectError)
	}
}

// A mistake that is found before the run leaves the last run's reports alone.
func TestAMistakeLeavesReportsAlone(t *testing.T) {
	out := filepath.Join(t.TempDir(), "results")
	statespec(t, "", "run", "--only", "EVI-20", "--out", out)
	before, err := os.ReadFile(filepath.Join(out, "results.json"))
	if err != nil {
		t.Fatal(err)
	}
	statespec(t, "", "run", "--only", "EVI-99", "--out", out)
	after, err := os.ReadFile(filepath.Join(out, "results.json"))
	if err != nil || string(after) != string(before) {
		t.Errorf("results.json has changed: %v", err)
	}
}

func TestJUnitHasFailures(t *testing.T) {
	out := filepath.Join(t.TempDir(), "results")
	statespec(t, "forgets the budget", "run", "--only", "EVI-20,EVI-21", "--out", out)
	b, err := os.ReadFile(filepath.Join(out, "junit.xml"))
	if err != nil {
		t.Fatal(err)
	}
	var suites struct {
		Failures int `xml:"failures,attr"`
		Suites   []struct {
			Cases []struct {
				Name    string `xml:"name,attr"`
				Failure *struct {
					Message string `xml:"message,attr"`
				} `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(b, &suites); err != nil {
		t.Fatal(err)
	}
	row, _ := catalogue.Lookup("EVI-20")
	failures := 0
	for _, s := range suites.Suites {
		for _, c := range s.Cases {
			if c.Failure != nil {
				failures++
				if !strings.Contains(c.Name+c.Failure.Message, row.Statement) {
					t.Errorf("the failure %q of %q does not say %q", c.Failure.Message, c.Name, row.Statement)
				}
			}
			if strings.ContainsAny(c.Name, "[]") {
				t.Errorf("the name %q carries labels", c.Name)
			}
		}
	}
	if failures != 1 || suites.Failures != 1 {
		t.Errorf("junit.xml has %d failures and says %d, want 1", failures, suites.Failures)
	}
}

// What a run finds broken can be written down, and is then known.
func TestWrittenExpectationsHold(t *testing.T) {
	known := filepath.Join(t.TempDir(), "known.yaml")
	first := statespec(t, "forgets the budget", "run", "--only", "EVI", "--write-expect", known)
	if first.exit != verdict.Failure {
		t.Fatalf("exit = %d, want %d", first.exit, verdict.Failure)
	}
	second := statespec(t, "forgets the budget", "run", "--only", "EVI", "--expect", known)
	if second.exit != verdict.AsExpected {
		t.Errorf("with what was written down, exit = %d, want 0\n%s%s", second.exit, second.stdout, second.stderr)
	}
	if third := statespec(t, "", "run", "--only", "EVI", "--expect", known); third.exit != verdict.Failure {
		t.Errorf("mended, exit = %d, want %d: the expectation is stale", third.exit, verdict.Failure)
	}
}

func TestTheSameSeedGivesTheSameVerdicts(t *testing.T) {
	verdicts := func() string {
		got := statespec(t, "", "run", "--only", "EVI-08,ENV", "--seed", "7", "--json")
		var r verdict.Results
		if err := json.Unmarshal([]byte(got.stdout), &r); err != nil {
			t.Fatalf("%v\n%s", err, got.stderr)
		}
		if r.Seed != 7 {
			t.Errorf("seed = %d, want 7", r.Seed)
		}
		var all strings.Builder
		for _, v := range r.Rows() {
			all.WriteString(v.ID + " " + string(v.Own) + "\n")
		}
		return all.String()
	}
	if one, two := verdicts(), verdicts(); one != two {
		t.Errorf("two runs differ:\n%s\n%s", one, two)
	}
}

func TestShardsTogetherAreTheWhole(t *testing.T) {
	seen := map[string]int{}
	for _, shard := range []string{"1/3", "2/3", "3/3"} {
		var r verdict.Results
		got := statespec(t, "", "run", "--only", "ENV", "--shard", shard, "--json")
		if err := json.Unmarshal([]byte(got.stdout), &r); err != nil {
			t.Fatalf("%v\n%s", err, got.stderr)
		}
		for _, v := range r.Rows() {
			if v.Selected {
				seen[v.ID]++
			}
		}
	}
	for _, r := range catalogue.All() {
		want := 0
		if r.Family() == "ENV" {
			want = 1
		}
		if seen[r.ID] != want {
			t.Errorf("%s is in %d shards, want %d", r.ID, seen[r.ID], want)
		}
	}
}

func TestCompletionIsWrittenForEveryShell(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if got := statespec(t, "", "completion", shell); got.exit != 0 || !strings.Contains(got.stdout, "statespec") {
			t.Errorf("completion %s: exit %d, %d bytes", shell, got.exit, len(got.stdout))
		}
	}
	got := statespec(t, "", "__complete", "run", "--only", "EVI-0")
	if !strings.Contains(got.stdout, "EVI-05") {
		t.Errorf("completing --only EVI-0 offers\n%s\nwant EVI-05 in it", got.stdout)
	}
}

func TestPlainTextHasNoEscapes(t *testing.T) {
	got := statespec(t, "forgets the budget", "run", "--only", "EVI-20")
	if strings.Contains(got.stdout+got.stderr, "\x1b") {
		t.Errorf("escape sequences where there is no terminal:\n%q", got.stdout)
	}
}

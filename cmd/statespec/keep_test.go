package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/statespec/statespec/spec/report"
	"github.com/statespec/statespec/spec/verdict"
)

func TestWhatIsKeptIsNamedByTheReportAndReplacedWithIt(t *testing.T) {
	out := filepath.Join(t.TempDir(), "results")
	got := statespec(t, "forgets the budget", "run", "--only", "EVI-20", "--out", out, "--keep")
	if got.exit != verdict.Failure || !strings.Contains(got.stdout, "kept   artefacts/EVI-20/transcript.jsonl") {
		t.Fatalf("exit = %d, want %d and the name of a transcript\n%s%s", got.exit, verdict.Failure, got.stdout, got.stderr)
	}
	r, err := report.Read(out)
	if err != nil {
		t.Fatal(err)
	}
	kept := 0
	for _, v := range r.Rows() {
		for _, o := range v.Specs {
			for _, name := range o.Artefacts {
				kept++
				if _, err := os.Stat(filepath.Join(out, filepath.FromSlash(name))); err != nil {
					t.Errorf("%s is named by the report: %v", name, err)
				}
			}
		}
	}
	if kept == 0 {
		t.Error("the report names no file that was kept")
	}

	if got := statespec(t, "", "run", "--only", "EVI-20", "--out", out, "--keep"); got.exit != verdict.AsExpected {
		t.Errorf("a run over it: exit = %d, want %d\n%s", got.exit, verdict.AsExpected, got.stderr)
	}
	if _, err := os.Stat(filepath.Join(out, "artefacts")); !os.IsNotExist(err) {
		t.Errorf("after a run that kept nothing there are artefacts: %v", err)
	}
}

func TestNothingIsKeptWithoutAFolder(t *testing.T) {
	if got := statespec(t, "", "run", "--only", "EVI-20", "--keep"); got.exit != verdict.Unusable || !strings.Contains(got.stderr, "--out") {
		t.Errorf("run --keep: exit = %d, want %d and word of --out\n%s", got.exit, verdict.Unusable, got.stderr)
	}
}

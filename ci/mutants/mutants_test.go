package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// report writes the report of a run of two files.
func report(t *testing.T, gremlins, reasons string) (string, error) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a/a.go": "package a\n\nfunc max(x, y int) bool {\n\treturn x > y || x == 0\n}\n", "b/b.go": "package b\n\nvar n = 1 + 1\n", "why": reasons,
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	err := run(strings.NewReader(gremlins), &out, dir, "", filepath.Join(dir, "why"))
	return out.String(), err
}

func TestFilesOfOneFolderAreNamedAsInARunOfAll(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "b"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "b", "b.go"), []byte("package b\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	alone := `{"files": [{"file_name": "b.go", "mutations": [{"type": "X", "status": "LIVED", "line": 1, "column": 1}]}]}`
	if err := run(strings.NewReader(alone), &out, dir, "b", ""); err != nil || !strings.Contains(out.String(), "- `b/b.go:1:1` x\n  `package b`") {
		t.Errorf("report = %v, want b/b.go in it:\n%s", err, out.String())
	}
}

const gremlins = `{"elapsed_time": 61.2, "files": [
	{"file_name": "b/b.go", "mutations": [{"type": "ARITHMETIC_BASE", "status": "NOT COVERED", "line": 3, "column": 11}]},
	{"file_name": "a/a.go", "mutations": [
		{"type": "CONDITIONALS_NEGATION", "status": "KILLED", "line": 4, "column": 11},
		{"type": "CONDITIONALS_BOUNDARY", "status": "LIVED", "line": 4, "column": 11},
		{"type": "INVERT_LOGICAL", "status": "TIMED OUT", "line": 4, "column": 15},
		{"type": "CONDITIONALS_NEGATION", "status": "LIVED", "line": 4, "column": 20}]}]}`

func TestTheReportListsEverySurvivorAndWhy(t *testing.T) {
	got, err := report(t, gremlins, "# a comment\n\na/a.go | CONDITIONALS_BOUNDARY | return x > y || x == 0 | equal ones may go either way\n"+
		"a/a.go | INVERT_LOGICAL | gone() | long ago\n")
	if err != nil {
		t.Fatal(err)
	}
	want := "# Mutants of the reference\n\n" +
		"The only test was the conformance specs. 2 of 4 mutants that they reach were noticed (50.0 %), 1 are not reached; 1m1s in all.\n\n" +
		"| package | noticed | survived | score | not reached |\n|---|---|---|---|---|\n| `a` | 2 | 2 | 50.0 % | 0 |\n| `b` | 0 | 0 | – | 1 |\n\n" +
		"## Survivors without a reason: 1\n\n- `a/a.go:4:20` conditionals negation\n  `return x > y || x == 0`\n\n" +
		"## Survivors that are right: 1\n\n- `a/a.go:4:11` conditionals boundary\n  `return x > y || x == 0`  \n  equal ones may go either way\n\n" +
		"## Reasons of mutants that did not survive: 1\n\n- `a/a.go` invert logical\n  `gone()`\n\n" +
		"## Not reached by any spec: 1\n\n- `b/b.go:3:11` arithmetic base\n  `var n = 1 + 1`\n"
	if got != want {
		t.Errorf("report:\n%s\nwant:\n%s", got, want)
	}
}

func TestWhatCannotBeReadIsSaid(t *testing.T) {
	for _, c := range []struct{ gremlins, reasons, says string }{
		{"{", "", "what Gremlins wrote"},
		{"{}", "", "no mutant"},
		{gremlins, "a/a.go: because\n", ":1: "},
		{gremlins, "a | B | c | d\n\na | B | c | e\n", ":3: a second reason"},
		{`{"files": [{"file_name": "gone.go"}]}`, "", "gone.go"},
	} {
		if got, err := report(t, c.gremlins, c.reasons); err == nil || !strings.Contains(err.Error(), c.says) || got != "" {
			t.Errorf("report of %.30q with %q = %q, error %v, want an error that says %q", c.gremlins, c.reasons, got, err, c.says)
		}
	}
}

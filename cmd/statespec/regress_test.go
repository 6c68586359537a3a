package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/statespec/statespec/spec/verdict"
)

// regressed runs the command with a standard input.
func regressed(t *testing.T, stdin string, args ...string) said {
	t.Helper()
	cmd := newRegress()
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	var out, errs bytes.Buffer
	cmd.SetIn(strings.NewReader(stdin))
	cmd.SetOut(&out)
	cmd.SetErr(&errs)
	cmd.SetArgs(args)
	got := said{exit: verdict.AsExpected}
	if err := cmd.ExecuteContext(t.Context()); err != nil {
		got.exit = verdict.Unusable // as execute has it for cobra's own
		if e, ok := errors.AsType[*exit](err); ok {
			got.exit = e.code
		}
		fmt.Fprintln(&errs, err)
	}
	got.stdout, got.stderr = out.String(), errs.String()
	return got
}

// recordingOf writes so many runs of two benchmarks and their ratio and allocations.
func recordingOf(runs int, ratio float64, allocs int) string {
	var b strings.Builder
	b.WriteString("cpu: one of two\npkg: example.org/manager\n")
	for i := range runs {
		fmt.Fprintf(&b, "BenchmarkHit-2 100 %d ns/op %.4f ratio %d allocs/op\n", 100+i, ratio+0.001*float64(i), allocs)
	}
	return b.String()
}

func TestRegressExitsAsItSays(t *testing.T) {
	old, slower := file(t, recordingOf(10, 1, 2)), file(t, recordingOf(10, 1.25, 2))
	hungrier, few := file(t, recordingOf(10, 1, 3)), file(t, recordingOf(3, 1.25, 2))
	raw := file(t, strings.ReplaceAll(recordingOf(10, 1, 2), "ratio", "other")) // no ratio in it
	rawSlow := file(t, strings.ReplaceAll(strings.ReplaceAll(recordingOf(10, 1, 2), "ratio", "other"), " 10", " 20"))
	broken := file(t, recordingOf(1, 1, 2)+"BenchmarkHit-2 100 fast ns/op\n")
	limits := file(t, "rules:\n- {unit: ratio, worse: 50%}\n")
	typo := file(t, "rules:\n- {unit: ratio, wrose: 50%}\n")
	foreign := filepath.Dir(file(t, "not ours"))
	for _, row := range []struct {
		name  string
		stdin string
		args  []string
		exit  verdict.Exit
		says  string // on either stream
	}{
		{"itself", "", []string{old, old}, 0, "as expected: none of 2 gated comparisons worse"},
		{"slower", "", []string{old, slower}, 1, "ratio +24.89%"},
		{"faster", "", []string{slower, old}, 0, "better"},
		{"slower than allowed no more", "", []string{old, slower, "--thresholds", limits}, 0, "as expected"},
		{"hungrier", "", []string{old, hungrier}, 1, "allocs/op +50.00%"},
		{"old from standard input", recordingOf(10, 1, 2), []string{"-", slower}, 1, "old: standard input (10 results)"},
		{"new from standard input", recordingOf(10, 1.25, 2), []string{old, "-"}, 1, "regression"},
		{"too few runs", "", []string{old, few}, 3, "no verdict: of ratio nothing can be told"},
		{"raw times alone", "", []string{raw, rawSlow, "--filter", ".unit:sec/op"}, 3, "--gate sec/op"},
		{"raw times, gated", "", []string{raw, rawSlow, "--filter", ".unit:sec/op", "--gate", "sec/op"}, 1, "regression"},
		{"Markdown", "", []string{old, slower, "--markdown"}, 1, "## Benchmarks: regression"},
		{"colour", "", []string{old, slower, "--color", "always"}, 1, "\x1b[31mregression"},

		{"an argument too few", "", []string{old}, 2, "accepts 2 arg"},
		{"nothing there", "", []string{old, old + ".none"}, 2, "no such file"},
		{"a folder", "", []string{old, foreign}, 2, "no regular file"},
		{"both from standard input", "", []string{"-", "-"}, 2, "at most one"},
		{"nothing on standard input", "", []string{old, "-"}, 2, "standard input: no benchmark in it"},
		{"a line that is none", "", []string{old, broken}, 2, broken + ":4: parsing measurement"},
		{"a thresholds file with a mistake", "", []string{old, old, "--thresholds", typo}, 2, typo + ":2:17: unknown key"},
		{"no thresholds file", "", []string{old, old, "--thresholds", typo + ".none"}, 2, "--thresholds: "},
		{"a filter that is none", "", []string{old, old, "--filter", "("}, 2, "--filter: "},
		{"a filter that leaves nothing", "", []string{old, old, "--filter", ".unit:B/s"}, 2, "no result is left"},
		{"an empty gate", "", []string{old, old, "--gate", ""}, 2, "--gate is empty"},
		{"two forms at once", "", []string{old, old, "--json", "--markdown"}, 2, "json markdown"},
		{"a foreign folder", "", []string{old, old, "--out", foreign}, 2, "is not ours"},
		{"a colour that is none", "", []string{old, old, "--color", "blue"}, 2, "want auto, always or never"},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := regressed(t, row.stdin, row.args...)
			if got.exit != row.exit || !strings.Contains(got.stdout+got.stderr, row.says) {
				t.Errorf("exit = %d, want %d and %q\n%s%s", got.exit, row.exit, row.says, got.stdout, got.stderr)
			}
			if row.exit == verdict.Unusable && got.stdout != "" {
				t.Errorf("it says something on standard output: %s", got.stdout)
			}
		})
	}
}

// The files of a report are of this run, and a mistake leaves the last run's alone.
func TestRegressWritesItsFolder(t *testing.T) {
	old, slower := file(t, recordingOf(10, 1, 2)), file(t, recordingOf(10, 1.25, 2))
	out := filepath.Join(t.TempDir(), "deep", "results")
	for _, args := range [][]string{{old, old}, {old, slower, "--json"}, {old, slower + ".none"}} {
		got := regressed(t, "", append(args, "--out", out)...)
		if got.exit == verdict.OwnFault {
			t.Fatalf("exit = %d\n%s", got.exit, got.stderr)
		}
	}
	for name, says := range map[string]string{"regress.txt": "regression: 1 of 2", "summary.md": "## Benchmarks: regression", "report.html": "<svg"} {
		if b, err := os.ReadFile(filepath.Join(out, name)); err != nil || !strings.Contains(string(b), says) {
			t.Errorf("%s: %v, %d bytes, want %q in it", name, err, len(b), says)
		}
	}
	var r struct{ Verdict string }
	b, err := os.ReadFile(filepath.Join(out, "regress.json"))
	if err == nil {
		err = json.Unmarshal(b, &r)
	}
	if err != nil || r.Verdict != "regression" {
		t.Errorf("regress.json: %v, verdict %q, want the second run's", err, r.Verdict)
	}
	if left, err := os.ReadDir(filepath.Dir(out)); err != nil || len(left) != 1 {
		t.Errorf("beside the folder: %v, %v, want nothing", left, err)
	}
}

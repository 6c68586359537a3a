package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/statespec/statespec/spec/verdict"
)

// apart runs the command in a process of its own, of which a shell says something
// first.
func apart(t *testing.T, first string, args ...string) said {
	t.Helper()
	cmd := exec.Command("sh", append([]string{"-c", first + `; exec "$0" "$@"`, os.Args[0]}, args...)...)
	cmd.Env = append(os.Environ(), commandVar+"=1")
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return said{verdict.Exit(cmd.ProcessState.ExitCode()), out.String(), errs.String()}
}

// A disk that is full in the end costs the reports, and not the result.
func TestAResultIsShownThoughItsReportsCannotBeWritten(t *testing.T) {
	a, b := artefacts(t, map[string]string{"x.npy": bytesFile("abc")}), artefacts(t, map[string]string{"x.npy": bytesFile("abd")})
	old, slower := file(t, recordingOf(10, 1, 2)), file(t, recordingOf(10, 1.25, 2))
	for _, row := range []struct {
		args []string
		says string // of the result
		flag string
	}{
		{[]string{"run", "--only", "EVI-20"}, "conforms", "--out"},
		{[]string{"run", "--only", "EVI-20", "--json"}, `"held"`, "--out"},
		{[]string{"detect", "--only", "ENV-01"}, "switch and precedence", "--out"},
		{[]string{"search", "--seed", "1", "--histories", "2"}, "nothing found", "--out"},
		{[]string{"regress", old, slower}, "regression", "--out"},
		{[]string{"diff", a, b}, "divergent", "--html"},
		{[]string{"run", "--only", "EVI-20"}, "conforms", "--write-expect"},
	} {
		t.Run(strings.Join(row.args, " ")+" "+row.flag, func(t *testing.T) {
			place := filepath.Join(t.TempDir(), "wanted")
			got := apart(t, "ulimit -f 0", append(row.args, row.flag, place)...)
			if got.exit != verdict.OwnFault || !strings.Contains(got.stdout, row.says) {
				t.Errorf("exit = %d, want %d and %q in\n%s%s", got.exit, verdict.OwnFault, row.says, got.stdout, got.stderr)
			}
			if !strings.Contains(got.stderr, "statespec: "+row.flag) || !strings.Contains(got.stderr, "file too large") || strings.Contains(got.stderr, "/.wanted") {
				t.Errorf("it complains %q, want what of %s is too large, by the name that was given", got.stderr, row.flag)
			}
			if left, err := os.ReadDir(filepath.Dir(place)); err != nil || len(left) != 0 {
				t.Errorf("it leaves %v, %v, want nothing", left, err)
			}
		})
	}
}

func TestAPageThatCannotBeWrittenIsRefusedBeforeTheComparison(t *testing.T) {
	got := statespec(t, "", "diff", "absent-a", "absent-b", "--html", "absent-folder/x.html")
	if got.exit != verdict.Unusable || !strings.Contains(got.stderr, "--html: absent-folder/x.html") || strings.Contains(got.stderr, "absent-a") {
		t.Errorf("exit = %d and %q, want 2 and what is wrong with --html, by its name", got.exit, got.stderr)
	}
}

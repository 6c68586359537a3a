package benchmarks_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/statespec/statespec/spec/report"
)

// script runs a script of the folder above, and returns what it says and its exit code.
func script(t *testing.T, env []string, name string, args ...string) (says string, code int) {
	t.Helper()
	cmd := exec.Command("bash", append([]string{"../" + name}, args...)...)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// recording writes lines as a recording has them.
func recording(t *testing.T, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "recording.txt")
	text := "goos: linux\npkg: example.org/x\n"
	for _, l := range lines {
		text += fmt.Sprintf("Benchmark%s\n", l)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// What is exact is as it was recorded, or it is not: better is another value too, and a
// name that went away was compared with nothing.
func TestAnyDifferenceOfExactValuesIsOne(t *testing.T) {
	const hit, miss = "Hit/impl=statespec 100 0.64 x/control 0 B/op 0 allocs/op 64 bytes-held", "Miss/impl=statespec 100 1.3 x/control 128 B/op 2 allocs/op"
	for name, row := range map[string]struct {
		old, new []string
		code     int
		says     string
	}{
		"itself":            {[]string{hit, miss}, []string{hit, miss}, 0, ""},
		"in another order":  {[]string{hit, miss, hit}, []string{miss, hit}, 0, ""},
		"what is not exact": {[]string{hit}, []string{strings.Replace(strings.Replace(hit, "0.64", "6.4", 1), "0 B/op", "16 B/op", 1)}, 0, ""},
		"worse":             {[]string{hit, miss}, []string{hit, strings.Replace(miss, "2 allocs", "5 allocs", 1)}, 1, "Miss/impl=statespec allocs/op: 2 in "},
		"better":            {[]string{hit, strings.Replace(miss, "2 allocs", "5 allocs", 1)}, []string{hit, miss}, 1, "Miss/impl=statespec allocs/op: 5 in "},
		"vanished":          {[]string{hit, miss}, []string{hit}, 1, "Miss/impl=statespec allocs/op: 2 in "},
		"appeared":          {[]string{hit}, []string{hit, miss}, 1, "Miss/impl=statespec allocs/op: not in "},
		"renamed":           {[]string{hit}, []string{strings.Replace(hit, "Hit", "Found", 1)}, 1, "Hit/impl=statespec bytes-held: 64 in "},
		"varying":           {[]string{miss, strings.Replace(miss, "2 allocs", "3 allocs", 1)}, []string{miss}, 1, "Miss/impl=statespec allocs/op: 3 in "},
		"bytes held":        {[]string{hit}, []string{strings.Replace(hit, "64 bytes", "32 bytes", 1)}, 1, "Hit/impl=statespec bytes-held: 64 in "},
		"nothing exact":     {[]string{"Hit/impl=statespec 100 0.64 x/control"}, []string{hit}, 2, "no exact value"},
	} {
		t.Run(name, func(t *testing.T) {
			says, code := script(t, nil, "exact.sh", recording(t, row.old...), recording(t, row.new...))
			if code != row.code || !strings.Contains(says, row.says) || (says == "") != (code == 0) {
				t.Errorf("exit %d, want %d and %q in\n%s", code, row.code, row.says, says)
			}
		})
	}
}

// A value that varies in the baseline could never be held against it.
func TestTheBaselineIsExactlyItself(t *testing.T) {
	const baseline = "../baselines/reference.txt"
	if says, code := script(t, nil, "exact.sh", baseline, baseline); code != 0 {
		t.Errorf("exit %d, want 0: its exact values vary\n%s", code, says)
	}
}

// A comparison takes minutes. What could not be written in the end is refused before
// anything is built, and 1 is a regression and nothing else.
func TestAMistakeInAComparisonIsRefusedAtOnce(t *testing.T) {
	folder := t.TempDir()
	in := func(name string) string { return filepath.Join(folder, name) }
	for _, made := range []struct{ name, content string }{
		{"file", "x"}, {"foreign/notes", "x"},
		{"mixed/" + report.Marker, "A folder of results\nregress.txt\n"}, {"mixed/regress.txt", "x"}, {"mixed/notes", "x"},
		{"earlier/" + report.Marker, "A folder of results\nregress.txt\n"}, {"earlier/regress.txt", "x"},
	} {
		if err := os.MkdirAll(filepath.Dir(in(made.name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(in(made.name), []byte(made.content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("nowhere", in("link")); err != nil {
		t.Fatal(err)
	}
	const none = "no-such-commit"
	for name, row := range map[string]struct {
		env, args []string
		says      string
	}{
		"no base":              {nil, nil, "want BASE"},
		"rounds that are none": {[]string{"ROUNDS=0"}, []string{none}, "ROUNDS=0"},
		"a foreign folder":     {nil, []string{none, in("foreign")}, "is not ours"},
		"results and others":   {nil, []string{none, in("mixed")}, "mixed holds notes"},
		"a file":               {nil, []string{none, in("file")}, "is a file"},
		"below a file":         {nil, []string{none, in("file/results")}, "cannot make"},
		"a link to nothing":    {nil, []string{none, in("link")}, "leads nowhere"},
		"no temporary files":   {[]string{"TMPDIR=/nonexistent"}, []string{none, in("new")}, "TMPDIR"},
		"earlier results":      {nil, []string{none, in("earlier")}, "is no commit"},
		"a new folder":         {nil, []string{none, in("deep/new")}, "is no commit"},
		"no folder":            {nil, []string{none}, "is no commit"},
	} {
		t.Run(name, func(t *testing.T) {
			says, code := script(t, row.env, "compare.sh", row.args...)
			if code != 2 || !strings.Contains(says, row.says) || strings.Contains(says, "building") {
				t.Errorf("exit %d, want 2 and %q in\n%s", code, row.says, says)
			}
		})
	}
}

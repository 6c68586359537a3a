package benchmarks_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
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

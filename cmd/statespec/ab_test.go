package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/statespec/statespec/spec/verdict"
)

// runAB runs an A/B in which this test binary is the command.
func runAB(t *testing.T, args ...string) said {
	t.Helper()
	t.Setenv(commandVar, "1")
	return statespec(t, "", append([]string{"ab"}, args...)...)
}

func TestAnABOfOurOwnRolloutIsEqualAndItsRunsCanBeUsedAgain(t *testing.T) {
	dir := t.TempDir()
	first, second := filepath.Join(dir, "first"), filepath.Join(dir, "second")
	got := runAB(t, "--profile", "tiny", "--out", first)
	if got.exit != verdict.AsExpected || !strings.HasPrefix(got.stdout, "equal: ") {
		t.Fatalf("ab = exit %d, %s%s", got.exit, got.stdout, got.stderr)
	}
	for _, want := range []string{"bespoke", "managed"} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("ab tells nothing of the path %s:\n%s", want, got.stdout)
		}
	}
	for _, name := range []string{"ab.json", "ab.md", "ab.html", "runs/1-A/run.json", "runs/2-B/log.txt", "runs/3-A/out/witness.json"} {
		if _, err := os.Stat(filepath.Join(first, name)); err != nil {
			t.Error(err)
		}
	}
	again := runAB(t, "--profile", "tiny", "--reuse", first, "--out", second, "--json")
	var doc struct {
		Answer      string
		Comparisons []struct {
			Report struct{ Artefacts []struct{} }
		}
	}
	if err := json.Unmarshal([]byte(again.stdout), &doc); err != nil || again.exit != verdict.AsExpected || doc.Answer != "equal" {
		t.Errorf("ab --reuse = exit %d, answer %q, %v\n%s", again.exit, doc.Answer, err, again.stderr)
	}
	if n := strings.Count(again.stderr, "taken from an earlier A/B"); n != 3 {
		t.Errorf("ab --reuse took %d runs, want 3:\n%s", n, again.stderr)
	}
	// They are in the second A/B's folder too, which has to do without the first.
	if err := os.RemoveAll(first); err != nil {
		t.Fatal(err)
	}
	if third := runAB(t, "--profile", "tiny", "--reuse", second); third.exit != verdict.AsExpected {
		t.Errorf("ab --reuse of an A/B that reused = exit %d\n%s%s", third.exit, third.stdout, third.stderr)
	}
	for want, args := range map[string][]string{
		`"small"] now`:               {"--profile", "small"},
		"command: ":                  {"--", "true"},
		`variable: "OMNI_`:           {"--profile", "tiny", "--var", "OTHER"},
		`FOO on both sides: nothing`: {"--profile", "tiny", "--env", "FOO=bar"},
		`"0" then, "x" now`:          {"--profile", "tiny", "--values", "x,y"},
	} {
		got := runAB(t, append([]string{"--reuse", second}, args...)...)
		if got.exit != verdict.Unusable || !strings.Contains(got.stderr, want) {
			t.Errorf("ab --reuse of other runs, %q = exit %d, %s; want exit 2 and %q", args, got.exit, got.stderr, want)
		}
	}
}

// The sum of a size-dependent kernel shows where the history has grown past its
// threshold, and not before.
func TestAKernelThatSumsByLengthDivergesAtStep56(t *testing.T) {
	got := runAB(t, "--", os.Args[0], "rollout", "--profile", "small", "--steps", "58", "--dtype", "float32", "--fault", "order-by-size")
	if got.exit != verdict.Failure || !strings.Contains(got.stdout, "observed_latents.npy, at step 56") {
		t.Errorf("ab of a kernel that sums by length = exit %d\n%s%s", got.exit, got.stdout, got.stderr)
	}
}

func TestAVariableThatSwitchesNothingIsUnwitnessed(t *testing.T) {
	got := runAB(t, "--profile", "tiny", "--var", "NOT_A_SWITCH")
	if got.exit != verdict.NoVerdict || !strings.Contains(got.stdout, "NOT_A_SWITCH never acted") {
		t.Errorf("ab of another variable = exit %d\n%s%s", got.exit, got.stdout, got.stderr)
	}
}

func TestAnABSaysWhatIsWrongWithItsFlags(t *testing.T) {
	foreign := filepath.Dir(file(t, "not ours"))
	for want, args := range map[string][]string{
		"--values 1: want two":             {"--values", "1"},
		"--values 0,1,2: want two":         {"--values", "0,1,2"},
		`is "1" on both sides`:             {"--values", "1,1"},
		"--a and --b: want both":           {"--a", "true"},
		"not both":                         {"--a", "true", "--b", "false", "--", "true"},
		"same command in the same":         {"--a", "true", "--b", "true"},
		"--a 'x: Unterminated":             {"--a", "'x", "--b", "true"},
		"want a command after --":          {"model", "seven"},
		"--profile: it is of our own":      {"--profile", "tiny", "--", "true"},
		`--profile: profile "huge"`:        {"--profile", "huge"},
		"--witness: error parsing":         {"--witness", "("},
		"repeat 0: want at least 1":        {"--repeat", "0"},
		"repeat 100000000: want at least":  {"--repeat", "100000000"},
		`environment "X": want NAME=VALUE`: {"--env", "X"},
		"--reuse: open /nonexistent/runs":  {"--reuse", "/nonexistent"},
		"--out: ":                          {"--out", foreign},
		"--var: it is empty":               {"--var", ""},
		"--values: it is empty":            {"--values", ""},
		"--a: it is empty":                 {"--a", "", "--b", "true"},
		"--b: it is empty":                 {"--b", ""},
		"--witness: it is empty":           {"--witness", "", "--", "true"},
		"--reuse: it is empty":             {"--reuse", "", "--", "true"},
		"--out: it is empty":               {"--out", " ", "--", "true"},
		"--: nothing follows it":           {"--profile", "tiny", "--"},
		`glob "[": syntax error`:           {"--bytes", "["},
		"--values o␛[31mn: want two":       {"--values", "o\x1b[31mn"},
		"--reuse: open o␛[31mn/runs":       {"--reuse", "o\x1b[31mn", "--", "true"},
		"o␛[31mn: want a command":          {"o\x1b[31mn"},
		"timeout -1s: want":                {"--timeout", "-1s"},
	} {
		got := runAB(t, args...)
		if got.exit != verdict.Unusable || !strings.Contains(got.stderr, want) || got.stdout != "" {
			t.Errorf("ab %s = exit %d, %q; want exit 2 and %q", strings.Join(args, " "), got.exit, got.stderr, want)
		}
	}
}

func TestAnABThatFailedKeepsItsRuns(t *testing.T) {
	out := filepath.Join(t.TempDir(), "failed")
	got := runAB(t, "--out", out, "--", "sh", "-c", "echo too bad; echo junk >$STATESPEC_OUT/y.npy")
	if broken := filepath.Join(out, "runs", "1-A", "out", "y.npy"); got.exit != verdict.NoVerdict || !strings.Contains(got.stdout, broken) {
		t.Errorf("ab of a broken array = exit %d\n%s%s\nwant exit 3 and %s", got.exit, got.stdout, got.stderr, broken)
	}
	log, err := os.ReadFile(filepath.Join(out, "runs", "3-A", "log.txt"))
	if _, stat := os.Stat(filepath.Join(out, "runs", "1-A", "out", "y.npy")); err != nil || string(log) != "too bad\n" || stat != nil {
		t.Errorf("the log is %q, %v, the artefact %v; want them kept", log, err, stat)
	}
	got = runAB(t, "--out", out, "--", "sh", "-c", "echo too bad; rm -r $STATESPEC_OUT; exit 3")
	if got.exit != verdict.NoVerdict || !strings.Contains(got.stdout, "exit status 3") || !strings.Contains(got.stdout, "too bad") {
		t.Errorf("ab of a program that removes its folder = exit %d\n%s%s", got.exit, got.stdout, got.stderr)
	}
}

func TestAMistakeInAnABLeavesTheEarlierOneAlone(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	runAB(t, "--out", out, "--", "true")
	for _, args := range [][]string{
		{"--", "pyhton3", "m.py"},
		{"--a", "true", "--b", "ture"},
	} {
		got := runAB(t, append([]string{"--out", out}, args...)...)
		if got.exit != verdict.Unusable || got.stdout != "" {
			t.Errorf("ab %q = exit %d\n%s%s\nwant exit 2", args, got.exit, got.stdout, got.stderr)
		}
		if _, err := os.Stat(filepath.Join(out, "ab.json")); err != nil {
			t.Fatalf("after ab %q: %v", args, err)
		}
	}
}

func TestAnABEndsWhatARunPutIntoAnotherSession(t *testing.T) {
	if _, err := exec.LookPath("setsid"); err != nil || runtime.GOOS != "linux" {
		t.Skip("no setsid here, or nothing reaches another session")
	}
	child := filepath.Join(t.TempDir(), "child")
	runAB(t, "--env", "CHILD="+child, "--", "sh", "-c", "setsid sleep 300 & echo $! >$CHILD; exit 3")
	pid, err := os.ReadFile(child)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join("/proc", strings.TrimSpace(string(pid)))); err == nil {
		t.Errorf("process %s still runs", pid)
	}
}

func TestAnABWithoutAFolderForItsRunsSaysWhatItWants(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", "/nonexistent")
	if got := runAB(t, "--", "true"); got.exit != verdict.Unusable || !strings.Contains(got.stderr, "want a $TMPDIR") {
		t.Errorf("ab without a folder for temporary files = exit %d, %s; want exit 2", got.exit, got.stderr)
	}
	out := filepath.Join(temp, "out")
	runAB(t, "--out", out, "--", "true")
	if err := os.Mkdir(out+".run", 0o755); err != nil {
		t.Fatal(err)
	}
	got := runAB(t, "--out", out, "--", "true")
	if _, err := os.Stat(filepath.Join(out, "ab.json")); got.exit != verdict.Unusable || !strings.Contains(got.stderr, out+".run is there") || err != nil {
		t.Errorf("ab whose folder for runs is taken = exit %d, %s, %v; want exit 2 and the earlier A/B as it was", got.exit, got.stderr, err)
	}
}

func TestAnABThatNobodyReadsLeavesNothingBehind(t *testing.T) {
	temp := t.TempDir()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer write.Close()
	if err := read.Close(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "ab", "--", "false")
	cmd.Env = append(os.Environ(), commandVar+"=1", "TMPDIR="+temp)
	cmd.Stdout, cmd.Stderr = write, write
	if err := cmd.Run(); cmd.ProcessState.ExitCode() != int(verdict.NoVerdict) {
		t.Errorf("ab -- false, unread, ended with %v, want the exit code of its answer, 3", err)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left in the folder for temporary files: %v, %v", left, err)
	}
}

func TestTheAnswerIsShownAlsoWhereItCannotBeKept(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	for want, args := range map[string][]string{"unwitnessed: ": {}, `"answer": "unwitnessed"`: {"--json"}} {
		args = append(args, "--out", out, "--env", "PLACE="+out, "--", "sh", "-c", "echo mine >$PLACE; echo x >$STATESPEC_OUT/x.txt")
		got := runAB(t, args...)
		if got.exit != verdict.OwnFault || !strings.Contains(got.stdout, want) || !strings.Contains(got.stderr, "the answer was unwitnessed, and the runs are lost: --out: no report was written") {
			t.Errorf("ab whose --out is taken meanwhile = exit %d\n%s%s\nwant exit 4, and %s", got.exit, got.stdout, got.stderr, want)
		}
		if err := os.Remove(out); err != nil {
			t.Error(err)
		}
	}
}

func TestAnABWithoutOutLeavesNothingBehind(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	if got := runAB(t, "--", "false"); got.exit != verdict.NoVerdict || !strings.Contains(got.stdout, "failed: ") {
		t.Errorf("ab -- false = exit %d\n%s", got.exit, got.stdout)
	}
	left, err := os.ReadDir(temp)
	if err != nil || len(left) > 0 {
		t.Errorf("left in the folder for temporary files: %v, %v", left, err)
	}
}

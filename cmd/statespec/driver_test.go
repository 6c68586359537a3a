package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/statespec/statespec/driver"
	"github.com/statespec/statespec/driver/hostile"
	"github.com/statespec/statespec/spec/catalogue"
	"github.com/statespec/statespec/spec/faulty"
	"github.com/statespec/statespec/spec/report"
	"github.com/statespec/statespec/spec/verdict"
)

// serving is the command line of a driver: this binary as the command serve.
func serving(args ...string) string {
	words := append([]string{"env", commandVar + "=1", os.Args[0], "serve"}, args...)
	for i, w := range words {
		words[i] = report.ShellWord(w)
	}
	return strings.Join(words, " ")
}

// verdicts of a run, a word a row.
func verdicts(t *testing.T, args ...string) map[string]verdict.Word {
	t.Helper()
	got := statespec(t, "", append([]string{"run", "--json"}, args...)...)
	var r verdict.Results
	if err := json.Unmarshal([]byte(got.stdout), &r); err != nil {
		t.Fatalf("%v\n%s%s", err, got.stdout, got.stderr)
	}
	words := map[string]verdict.Word{}
	for _, v := range r.Verdicts {
		words[v.ID] = v.Own
		for _, c := range v.Cases {
			words[c.ID] = c.Own
		}
	}
	return words
}

func TestTheReferenceHasTheSameVerdictsOverTheWire(t *testing.T) {
	near, far := verdicts(t), verdicts(t, "--driver", serving(), "--jobs", "2")
	if len(near) != len(catalogue.All()) {
		t.Fatalf("%d verdicts, want %d", len(near), len(catalogue.All()))
	}
	for id, want := range near {
		if far[id] == verdict.CannotTell || want == verdict.CannotTell {
			continue // on a busy machine callers may not overlap, and times say nothing
		}
		if far[id] != want {
			t.Errorf("%s is %s over the wire, %s in process", id, far[id], want)
		}
	}
	if left := leftBehind(t); len(left) > 0 {
		t.Errorf("processes left behind: %v", left)
	}
}

// One fault a family: what is wrong in what a driver answers is found through the
// wire as well, and by the same rows.
func TestFaultsAreFoundOverTheWire(t *testing.T) {
	families := map[string]bool{}
	for _, f := range faulty.All() {
		family, _, _ := strings.Cut(f.Breaks[0], "-")
		if families[family] || strings.HasPrefix(f.Breaks[0], "EQV-09") {
			continue
		}
		families[family] = true
		t.Run(family, func(t *testing.T) {
			only := strings.Join(f.Rows(), ",")
			for id, word := range verdicts(t, "--driver", serving("--fault", f.Name), "--only", only) {
				due := false
				for _, row := range f.Rows() {
					due = due || row == id
				}
				if broken := word == verdict.Broken; broken != due {
					t.Errorf("%s is %s over the wire of the fault %q, want it broken: %t", id, word, f.Name, due)
				}
			}
		})
	}
}

// A driver that goes wrong costs its spec, and the run goes on.
func TestARunOutlivesAHostileDriver(t *testing.T) {
	for name, want := range map[string]struct {
		exit verdict.Exit
		word verdict.Word
		says string
	}{
		"dies mid-request":        {verdict.Failure, verdict.Crashed, "exit status 7"},
		"ignores termination":     {verdict.Failure, verdict.Hung, "no answer"},
		"answers with a wrong id": {verdict.NoVerdict, verdict.DriverError, "4711"},
		"leaves a child in a session of its own that keeps its output open": {verdict.Failure, verdict.Crashed, "exit status 5"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(hostile.Var, name)
			got := statespec(t, "", "run", "--json", "--driver", report.ShellWord(os.Args[0]), "--only", "EVI-02,EVI-20,ATT-02", "--timeout", "2s")
			var r verdict.Results
			if err := json.Unmarshal([]byte(got.stdout), &r); err != nil {
				t.Fatalf("%v\n%s", err, got.stderr)
			}
			words := map[string]verdict.Word{}
			for _, v := range r.Verdicts {
				words[v.ID] = v.Verdict
			}
			if got.exit != want.exit || words["EVI-02"] != want.word || words["EVI-20"] != verdict.Held || words["ATT-02"] != verdict.Held {
				t.Errorf("exit %d, EVI-02 %s, EVI-20 %s, ATT-02 %s; want exit %d, %s, and the others held\n%s", got.exit,
					words["EVI-02"], words["EVI-20"], words["ATT-02"], want.exit, want.word, got.stderr)
			}
			if !strings.Contains(got.stdout, want.says) {
				t.Errorf("it does not say %q", want.says)
			}
			if left := leftBehind(t); len(left) > 0 {
				t.Errorf("processes left behind: %v", left)
			}
		})
	}
}

// testVar marks what these tests started, drivers of a worker or of a command that is
// this binary again included.
const testVar = "STATESPEC_TEST_RUN"

var testRun = cmp.Or(os.Getenv(testVar), strconv.Itoa(os.Getpid())+".")

func init() { os.Setenv(testVar, testRun) }

// leftBehind lists the processes that drivers are or started, of this test binary.
func leftBehind(t *testing.T) (left []string) {
	t.Helper()
	found, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range found {
		env, err := os.ReadFile(file)
		if err == nil && strings.Contains(string(env), driver.IDVar+"=") && strings.Contains(string(env), testVar+"="+testRun) {
			left = append(left, file)
		}
	}
	return left
}

func TestAHistoryIsReplayedOverTheWire(t *testing.T) {
	out := filepath.Join(t.TempDir(), "found")
	with := serving("--fault", "counts elements")
	got := statespec(t, "", "search", "--seed", "1", "--histories", "40", "--fail-fast", "--driver", with, "--out", out)
	if got.exit != verdict.Failure {
		t.Fatalf("search: exit %d\n%s%s", got.exit, got.stdout, got.stderr)
	}
	saved, err := filepath.Glob(filepath.Join(out, "histories", "*.history"))
	if err != nil || len(saved) == 0 {
		t.Fatalf("histories: %v, %v", saved, err)
	}
	if got := statespec(t, "", "replay", saved[0], "--driver", with); got.exit != verdict.Failure || !strings.Contains(got.stdout, "reproduces") {
		t.Errorf("replay with the fault: exit %d\n%s%s", got.exit, got.stdout, got.stderr)
	}
	if got := statespec(t, "", "replay", saved[0], "--driver", serving()); got.exit != verdict.AsExpected {
		t.Errorf("replay without the fault: exit %d\n%s%s", got.exit, got.stdout, got.stderr)
	}
}

func TestATranscriptIsSentAgain(t *testing.T) {
	file := filepath.Join(t.TempDir(), "transcript.jsonl")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const manager = `{"method":"new_manager","params":{"as":"m1","manager_spec":{"cap":2}}}`
	for _, with := range [][]string{nil, {"--driver", serving()}} {
		write("# 3 earlier requests left out\n" + manager + "\n" + manager + "\n" + `{"method":"contains","params":{"on":"m1","session":"a"}}` + "\n")
		got := statespec(t, "", append([]string{"replay", file}, with...)...)
		if got.exit != verdict.AsExpected || !strings.Contains(got.stdout, "3 requests answered") || !strings.Contains(got.stdout, `the handle "m1" is taken`) {
			t.Errorf("replay %v: exit %d\n%s%s", with, got.exit, got.stdout, got.stderr)
		}
	}
	t.Setenv(hostile.Var, "dies mid-request")
	got := statespec(t, "", "replay", file, "--driver", report.ShellWord(os.Args[0]))
	if got.exit != verdict.Failure || !strings.Contains(got.stdout, "crashed at request 3") {
		t.Errorf("replay of what kills it: exit %d\n%s%s", got.exit, got.stdout, got.stderr)
	}
	for _, text := range []string{"{", `{"params":{}}`, manager + "\n{\"method\": 3}"} {
		write(text)
		if got := statespec(t, "", "replay", file); got.exit != verdict.Unusable || !strings.Contains(got.stderr, "is no request") {
			t.Errorf("replay of %q: exit %d\n%s", text, got.exit, got.stderr)
		}
	}
}

func TestADriverIsChecked(t *testing.T) {
	got := statespec(t, "", "driver", "check", serving())
	if got.exit != verdict.AsExpected || !strings.Contains(got.stdout, " 0 wrong, 0 not claimed, 0 not asked") {
		t.Errorf("check of the reference: exit %d\n%s%s", got.exit, got.stdout, got.stderr)
	}
	got = statespec(t, "", "driver", "check", "--json", "cat")
	var found struct{ Findings []map[string]string }
	if err := json.Unmarshal([]byte(got.stdout), &found); err != nil || got.exit != verdict.Failure || len(found.Findings) == 0 ||
		found.Findings[0]["word"] != "wrong" || found.Findings[0]["mend"] == "" {
		t.Errorf("check of cat: exit %d, %v\n%s%s", got.exit, err, got.stdout, got.stderr)
	}
	for _, args := range [][]string{{"driver", "check"}, {"driver", "check", "no-such-program-of-anybody"}, {"driver", "check", "'"}, {"driver", "check", "cat", "--timeout", "1ns"}} {
		if got := statespec(t, "", args...); got.exit != verdict.Unusable || got.stderr == "" {
			t.Errorf("%v: exit %d, want %d\n%s", args, got.exit, verdict.Unusable, got.stderr)
		}
	}
}

func TestADriverThatCannotBeRunIsAMistakeInTheCommandLine(t *testing.T) {
	for _, row := range []struct {
		args []string
		exit verdict.Exit
		says string
	}{
		{[]string{"run", "--driver", "no-such-program-of-anybody"}, verdict.Unusable, "no-such-program"},
		{[]string{"run", "--driver", "'"}, verdict.Unusable, "--driver"},
		{[]string{"run", "--driver", "   "}, verdict.Unusable, "--driver: it is empty"},
		{[]string{"run", "--driver", "cat", "--fault", "counts elements"}, verdict.Unusable, "--fault"},
		{[]string{"run", "--driver", "cat", "--shipped"}, verdict.Unusable, "--shipped"},
		{[]string{"run", "--driver", "cat", "--start-timeout", "0s"}, verdict.Unusable, "--start-timeout"},
		{[]string{"run", "--driver", "false", "--only", "EVI-20"}, verdict.NoVerdict, "exit status 1"},
		{[]string{"run", "--driver", "cat", "--only", "EVI-20"}, verdict.NoVerdict, "neither"},
		{[]string{"search", "--driver", "no-such-program-of-anybody"}, verdict.Unusable, "no-such-program"},
		{[]string{"serve", "--fault", "no such fault"}, verdict.Unusable, "no fault"},
		{[]string{"serve", "--fault", "counts elements", "--shipped"}, verdict.Unusable, "--shipped"},
	} {
		t.Run(fmt.Sprint(row.args), func(t *testing.T) {
			got := statespec(t, "", row.args...)
			if got.exit != row.exit || !strings.Contains(got.stdout+got.stderr, row.says) {
				t.Errorf("exit %d, want %d, and %q in\n%s%s", got.exit, row.exit, row.says, got.stdout, got.stderr)
			}
		})
	}
}

package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/statespec/statespec/spec/verdict"
)

// said is what a command printed and how it ended.
type said struct {
	exit           verdict.Exit
	stdout, stderr string
}

// statespec runs the command on a subject.
func statespec(t *testing.T, about string, args ...string) said {
	t.Helper()
	t.Setenv(subjectVar, about)
	var out, errs bytes.Buffer
	code := execute(t.Context(), args, &out, &errs)
	return said{code, out.String(), errs.String()}
}

// file writes a file for one test and returns its path.
func file(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file.yaml")
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func expectation(id string) string {
	return "suite: \"0.1\"\nexpectations:\n  - id: " + id + "\n    reason: it is known\n"
}

// The contract of exit codes, row by row.
func TestExitCodes(t *testing.T) {
	foreign := filepath.Dir(file(t, "not ours"))
	for _, row := range []struct {
		name    string
		subject string
		args    []string
		exit    verdict.Exit
		says    string // on either stream
	}{
		{"as expected", "", []string{"run", "--only", "EVI-20"}, 0, "EVI"},
		{"a broken SHOULD warns", "takes a zero cap", []string{"run", "--only", "EVI-11"}, 0, "EVI-11"},
		{"known to be broken", "forgets the budget", []string{"run", "--only", "EVI-20", "--expect", file(t, expectation("EVI-20"))}, 0, "known-broken"},
		{"a fault found by its rows", "", []string{"detect", "--only", "ENV-01"}, 0, "the suite can fail"},
		{"a list of faults", "", []string{"detect", "--list", "--only", "ENV-01"}, 0, "is on by default"},
		{"help about a command", "", []string{"help", "driver", "check"}, 0, "message by message"},
		{"help about a command that has others", "", []string{"help", "driver"}, 0, "check "},
		{"no command of driver", "", []string{"driver"}, 0, "check "},
		{"unclaimed", "cannot drop", []string{"run", "--only", "EVI-16,EVI-20"}, 0, "unclaimed"},

		{"a MUST broken", "forgets the budget", []string{"run", "--only", "EVI-20"}, 1, "broken"},
		{"an OPT broken", "does not refuse", []string{"run", "--only", "EVI-18"}, 1, "broken"},
		{"a SHOULD broken, and --strict", "takes a zero cap", []string{"run", "--only", "EVI-11", "--strict"}, 1, "broken"},
		{"a faulty subject", "", []string{"run", "--fault", "is on by default", "--only", "ENV-01"}, 1, "--fault 'is on by default'"},
		{"crashed", "exits", []string{"run", "--only", "EVI-20"}, 1, "crashed"},
		{"hung", "hangs", []string{"run", "--only", "EVI-20", "--timeout", "1s"}, 1, "hung"},
		{"an expectation stale", "", []string{"run", "--only", "EVI-20", "--expect", file(t, expectation("EVI-20"))}, 1, "stale"},
		{"required, and unclaimed", "cannot drop", []string{"run", "--only", "EVI-16,EVI-20", "--require", "EVI-16"}, 1, "required"},

		{"an encoder required, and not brought along", "", []string{"run", "--only", "ACC-17.encoder,ACC-15", "--require", "ACC-17"}, 1, "shipped-encoder"},
		{"two subjects at once", "", []string{"run", "--shipped", "--fault", "is on by default"}, 2, "--shipped: want it without --fault"},

		{"an unknown command", "", []string{"rnu"}, 2, "did you mean run?"},
		{"an unknown command like no other", "", []string{"frobnicate"}, 2, "want one of ab, bench"},
		{"an unknown command of driver", "", []string{"driver", "chekc", "cat"}, 2, "did you mean check?"},
		{"an unknown command of driver like no other", "", []string{"driver", "bogus"}, 2, "want one of check"},
		{"completion for an unknown shell", "", []string{"completion", "foo"}, 2, "want one of bash, fish, powershell, zsh"},
		{"help about an unknown command", "", []string{"help", "rnu"}, 2, "did you mean run?"},
		{"help about an unknown command of driver", "", []string{"help", "driver", "bogus"}, 2, "want one of check"},
		{"help about more than a command", "", []string{"help", "run", "EVI-05"}, 2, "EVI-05"},
		{"an unknown flag", "", []string{"run", "--onyl", "EVI"}, 2, "--onyl"},
		{"an argument too many", "", []string{"run", "EVI-05"}, 2, "EVI-05"},
		{"an unknown ID", "", []string{"run", "--only", "EVI-99"}, 2, "EVI-99"},
		{"a mistake in an expression", "", []string{"run", "--only", "EVI && ("}, 2, "^"},
		{"an expression that selects nothing", "", []string{"run", "--only", "EVI && ACC"}, 2, "EVI && ACC"},
		{"a device that no subject of ours has", "", []string{"run", "--device", "gpu"}, 2, "want cuda:0"},
		{"a device twice", "", []string{"run", "--device", "cuda:0,cuda:0"}, 2, "cuda:0 twice"},
		{"a comma behind a device", "", []string{"run", "--device", "cuda:0,"}, 2, "want cuda:0"},
		{"a device without its number", "", []string{"serve", "--device", "cuda"}, 2, "want cuda:0"},
		{"a device for the encoder of the host", "", []string{"run", "--shipped", "--device", "cuda:0"}, 2, "--shipped: want it without --device"},
		{"a device that the driver has not", "", []string{"run", "--driver", serving(), "--device", "cuda:0", "--only", "ACC-01"}, 3, "no device"},
		{"no MUST asked", "claims no layer", []string{"run"}, 2, "nothing selected"},
		{"an expectation file that is not there", "", []string{"run", "--expect", "/nonexistent.yaml"}, 2, "/nonexistent.yaml"},
		{"an expectation of an unknown ID", "", []string{"run", "--expect", file(t, expectation("EVI-99"))}, 2, "EVI-99"},
		{"an expectation of an unknown case", "", []string{"run", "--expect", file(t, expectation("ACC-11\n    cases: [sets]"))}, 2, "sets"},
		{"an expectation file that is not YAML", "", []string{"run", "--expect", file(t, "suite: [")}, 2, "file.yaml"},
		{"a foreign folder", "", []string{"run", "--only", "EVI-20", "--out", foreign}, 2, foreign},
		{"an expectation file that is no file", "", []string{"run", "--expect", os.DevNull}, 2, "no regular file"},
		{"--write-expect over a file of somebody else's", "", []string{"run", "--write-expect", file(t, "my notes")}, 2, "no expectation file"},
		{"--write-expect over a device", "", []string{"run", "--write-expect", os.DevNull}, 2, "no regular file"},
		{"--write-expect over a folder", "", []string{"run", "--write-expect", foreign}, 2, "no regular file"},
		{"--write-expect where nothing can be written", "", []string{"run", "--write-expect", "/nonexistent/known.yaml"}, 2, "nonexistent"},
		{"--write-expect of a part over a whole", "", []string{"run", "--only", "EVI", "--write-expect", file(t, expectation("ACC-11"))}, 2, "would be lost"},
		{"--require of what is not selected", "", []string{"run", "--only", "EVI-20", "--require", "ACC"}, 2, "no such row"},
		{"a shard that is none", "", []string{"run", "--shard", "3/2"}, 2, "3/2"},
		{"no jobs", "", []string{"run", "--jobs", "0"}, 2, "--jobs"},
		{"no time", "", []string{"run", "--timeout", "0s"}, 2, "--timeout"},
		{"next to no time", "", []string{"run", "--timeout", "1ns"}, 2, "--timeout"},
		{"a time that is none", "", []string{"run", "--timeout", "soon"}, 2, "soon"},
		{"a seed that is none", "", []string{"run", "--seed", "-1"}, 2, "-1"},
		{"a fault that is none", "", []string{"run", "--fault", "is on by defualt"}, 2, "is on by default"},
		{"a list of faults as JSON", "", []string{"detect", "--list", "--json"}, 2, "--list: want it without"},
		{"a list of faults into a folder", "", []string{"detect", "--list", "--out", filepath.Join(foreign, "new")}, 2, "--list: want it without"},
		{"a detection without jobs", "", []string{"detect", "--jobs", "0"}, 2, "--jobs"},
		{"a detection with next to no time", "", []string{"detect", "--timeout", "1ns"}, 2, "--timeout"},
		{"a detection of an unknown ID", "", []string{"detect", "--only", "EVI-99"}, 2, "EVI-99"},
		{"a detection into a foreign folder", "", []string{"detect", "--out", foreign}, 2, foreign},
		{"explain without an ID", "", []string{"explain"}, 2, "arg"},
		{"explain of a family", "", []string{"explain", "EVI"}, 2, "EVI"},
		{"explain of an unknown ID", "", []string{"explain", "EVI-5"}, 2, "EVI-05"},
		{"list of nothing", "", []string{"list", "--only", "EVI && ACC"}, 2, "EVI && ACC"},

		{"a subject that cannot start", "cannot start", []string{"run", "--only", "EVI-20"}, 3, "no such device"},
		{"a fault of ours", "spec panics", []string{"run", "--only", "EVI-20"}, 4, "a fault of ours"},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := statespec(t, row.subject, row.args...)
			if got.exit != row.exit {
				t.Errorf("exit = %d, want %d\n%s%s", got.exit, row.exit, got.stdout, got.stderr)
			}
			if !strings.Contains(got.stdout+got.stderr, row.says) {
				t.Errorf("it says\n%s%s\nwant %q in it", got.stdout, got.stderr, row.says)
			}
			if row.exit == verdict.Unusable && got.stderr == "" && got.stdout == "" {
				t.Error("it says nothing")
			}
		})
	}
}

func TestAnInterruptedRunWritesWhatThereIs(t *testing.T) {
	t.Setenv(subjectVar, "hangs")
	out := filepath.Join(t.TempDir(), "results")
	ctx, stop := context.WithTimeout(t.Context(), time.Second)
	defer stop()
	var stdout, stderr bytes.Buffer
	code := execute(ctx, []string{"run", "--only", "EVI-20", "--out", out}, &stdout, &stderr)
	if code != verdict.Interrupted {
		t.Errorf("exit = %d, want %d\n%s%s", code, verdict.Interrupted, stdout.String(), stderr.String())
	}
	if b, err := os.ReadFile(filepath.Join(out, "results.json")); err != nil || !bytes.Contains(b, []byte(`"incomplete": true`)) {
		t.Errorf("results.json: %v, want it marked incomplete\n%s", err, b)
	}
}

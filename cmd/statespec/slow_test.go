package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/statespec/statespec/driver/hostile"
	"github.com/statespec/statespec/spec/report"
	"github.com/statespec/statespec/spec/verdict"
)

// interrupted runs the command and interrupts it after a while, which has to end it
// within a few seconds.
func interrupted(t *testing.T, args ...string) said {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer stop()
	var out, errs strings.Builder
	began := time.Now()
	code := execute(ctx, args, &out, &errs)
	if took := time.Since(began); took > 8*time.Second {
		t.Errorf("%s took %v to end when it was interrupted", args[0], took)
	}
	return said{code, out.String(), errs.String()}
}

// A driver that takes its time to start did nothing wrong when the person in front of
// it has not.
func TestAnInterruptWhileADriverStartsIsNoVerdictOnIt(t *testing.T) {
	t.Setenv(hostile.Var, "slow to start")
	slow := report.ShellWord(os.Args[0])
	history, transcript := file(t, shortHistory), file(t, `{"method":"hello"}`)
	for _, args := range [][]string{
		{"driver", "check", slow},
		{"driver", "check", slow, "--json"},
		{"replay", history, "--driver", slow},
		{"replay", transcript, "--driver", slow},
		{"search", "--seed", "1", "--driver", slow},
		{"search", "--seed", "1", "--histories", "3", "--driver", slow},
		{"run", "--only", "EVI-20", "--driver", slow},
		{"bench", "--only", "Hit", "--driver", slow},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			got := interrupted(t, args...)
			if got.exit != verdict.Interrupted {
				t.Errorf("exit = %d, want %d\n%s%s", got.exit, verdict.Interrupted, got.stdout, got.stderr)
			}
			if said := got.stdout + got.stderr; strings.Contains(said, "hung") || strings.Contains(said, "no answer") {
				t.Errorf("it blames the driver:\n%s", said)
			}
			if left := leftBehind(t); len(left) > 0 {
				t.Errorf("processes left behind: %v", left)
			}
		})
	}
}

// Half a recording would be taken for one of fewer lines.
func TestAnInterruptedBenchWritesNoFileAndWholeLines(t *testing.T) {
	out := filepath.Join(t.TempDir(), "new.txt")
	args := []string{"bench", "--in-process", "--only", "^Hit/", "--count", "10000", "--time", "1ms"}
	if got := interrupted(t, append(args, "--out", out)...); got.exit != verdict.Interrupted {
		t.Errorf("exit = %d, want %d\n%s", got.exit, verdict.Interrupted, got.stderr)
	}
	if _, err := os.Stat(out); !os.IsNotExist(err) {
		t.Errorf("it left %s: %v", out, err)
	}
	got := interrupted(t, args...)
	if got.exit != verdict.Interrupted || got.stdout != "" && !strings.HasSuffix(got.stdout, "\n") {
		t.Errorf("exit = %d, want %d and whole lines\n%q", got.exit, verdict.Interrupted, got.stdout)
	}
}

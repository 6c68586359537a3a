package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/statespec/statespec/spec/search"
	"github.com/statespec/statespec/spec/verdict"
)

func TestSearchFindsSavesAndReplays(t *testing.T) {
	out := filepath.Join(t.TempDir(), "found")
	got := statespec(t, "forgets the budget", "search", "--seed", "1", "--histories", "60", "--fail-fast", "--out", out)
	if got.exit != verdict.Failure || !strings.Contains(got.stdout, "EVI-20 (MUST) broken") {
		t.Fatalf("search exits with %d, want %d\n%s%s", got.exit, verdict.Failure, got.stdout, got.stderr)
	}
	raw, err := os.ReadFile(filepath.Join(out, search.ResultFile))
	if err != nil {
		t.Fatal(err)
	}
	var r search.Result
	if err := json.Unmarshal(raw, &r); err != nil || len(r.Failures) != 1 || r.Failures[0].Row != "EVI-20" || r.Exit != verdict.Failure {
		t.Fatalf("search.json = %s, %v, want one failure of EVI-20", raw, err)
	}
	file := filepath.Join(out, r.Failures[0].File)
	if got := statespec(t, "forgets the budget", "replay", file); got.exit != verdict.Failure || !strings.Contains(got.stdout, "reproduces: EVI-20") {
		t.Errorf("replay exits with %d, want %d\n%s%s", got.exit, verdict.Failure, got.stdout, got.stderr)
	}
	if got := statespec(t, "", "replay", file); got.exit != verdict.AsExpected || !strings.Contains(got.stdout, "does not reproduce") {
		t.Errorf("replay on the reference exits with %d, want %d\n%s%s", got.exit, verdict.AsExpected, got.stdout, got.stderr)
	}
}

func TestExitCodesOfSearchAndReplay(t *testing.T) {
	few := []string{"search", "--seed", "1", "--histories"}
	for _, row := range []struct {
		name, subject string
		args          []string
		exit          verdict.Exit
		says          string
	}{
		{"nothing found", "", append(few, "3"), 0, "seed 1, 3 histories"},
		{"a shard of nothing found", "", append(few, "2", "--shard", "2/3"), 0, "shard 2/3"},
		{"a crash", "exits", append(few, "1", "--fail-fast"), 1, "crashed"},
		{"a subject that cannot start", "cannot start", append(few, "1"), 3, "no such device"},
		{"a fault", "", append(few, "3", "--fail-fast", "--fault", "evicts the most recent"), 1, "EVI-02"},
		{"a fault that is none", "", append(few, "3", "--fault", "evicts the most recnt"), 2, "evicts the most recent"},
		{"a shard that is none", "", append(few, "3", "--shard", "3/2"), 2, "--shard"},
		{"a search without an end", "", []string{"search", "--for", "0"}, 2, "--histories"},
		{"a time that is none", "", []string{"search", "--for", "-1s"}, 2, "--for"},
		{"next to no time to search", "", []string{"search", "--for", "1ns"}, 2, "--for 1ns: want at least 10ms"},
		{"a subject that starts for longer than is searched", "starts slowly", []string{"search", "--for", "50ms"}, 3, "nothing was asked"},
		{"a number that is none", "", append(few, "-1"), 2, "--histories"},
		{"next to no time", "", append(few, "1", "--timeout", "1ns"), 2, "--timeout"},
		{"a file that is not there", "", []string{"replay", "absent.history"}, 2, "absent.history"},
		{"a file that is no history", "", []string{"replay", file(t, "stats m1")}, 2, "line 1"},
		{"no file", "", []string{"replay"}, 2, "arg"},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := statespec(t, row.subject, row.args...)
			if got.exit != row.exit || !strings.Contains(got.stdout+got.stderr, row.says) {
				t.Errorf("statespec %s = exit %d, want %d and %q\n%s%s", strings.Join(row.args, " "), got.exit, row.exit, row.says, got.stdout, got.stderr)
			}
		})
	}
}

func TestARandomSeedIsPrinted(t *testing.T) {
	got := statespec(t, "", "search", "--histories", "1")
	if !strings.HasPrefix(got.stderr, "seed ") || !strings.Contains(got.stdout, strings.TrimSpace(got.stderr)) {
		t.Errorf("search says %q and %q, want its seed in both", got.stderr, got.stdout)
	}
}

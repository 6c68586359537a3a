package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"github.com/statespec/statespec/spec/report"
	"github.com/statespec/statespec/spec/verdict"
)

// What is measured is in the form that Go's own tools read, with its ratio to the
// control.
func TestABenchmarkIsInGosFormat(t *testing.T) {
	t.Setenv(commandVar, "1") // a line is a process of its own
	out := filepath.Join(t.TempDir(), "new.txt")
	for _, row := range []struct {
		with []string
		only string
		want map[string][]string // units by name
	}{
		{nil, "^(Hit|AttrRead)/", map[string][]string{
			"Hit/impl=statespec/sessions=64": {"sec/op", "x/control", "allocs/op", "B/op"}, "Hit/impl=control/sessions=64": {"sec/op", "allocs/op"},
			"AttrRead/impl=statespec/attributes=12": {"x/control"}, "AttrRead/impl=control/attributes=12": {"sec/op"},
		}},
		{[]string{"--driver", serving()}, "^(Hit|AttributeRead)/", map[string][]string{
			"Hit/impl=subject": {"sec/op", "x/control", "floor-sec/op"}, "Hit/impl=control": {"sec/op"},
			"AttributeRead/impl=subject": {"x/control"}, "AttributeRead/impl=control": {"sec/op"},
		}},
	} {
		got := statespec(t, "", append([]string{"bench", "--time", "2ms", "--count", "2", "--only", row.only, "--out", out}, row.with...)...)
		text, err := os.ReadFile(out)
		if err != nil || got.exit != verdict.AsExpected || !strings.Contains(got.stderr, "no interval") {
			t.Fatalf("bench %v: exit %d, %v\n%s", row.with, got.exit, err, got.stderr)
		}
		r, lines := benchfmt.NewReader(strings.NewReader(string(text)), out), map[string]int{}
		for r.Scan() {
			b, ok := r.Result().(*benchfmt.Result)
			if !ok {
				t.Fatalf("%v", r.Result())
			}
			name := string(b.Name)
			lines[name]++
			for _, unit := range row.want[name] {
				if _, has := b.Value(unit); !has {
					t.Errorf("%s has no %s: %v", name, unit, b.Values)
				}
			}
			if b.GetConfig("subject") != "reference" {
				t.Errorf("%s is of subject %q", name, b.GetConfig("subject"))
			}
		}
		for name := range row.want {
			if lines[name] != 2 {
				t.Errorf("%d lines of %s, want 2 in\n%s", lines[name], name, text)
			}
		}
		if len(lines) != len(row.want) {
			t.Errorf("lines of %v, want %d names", lines, len(row.want))
		}
	}
}

// recorded writes a recording of which the ratios are given, line by line or one of all.
func recorded(t *testing.T, hit, miss string, lines int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.txt")
	var text strings.Builder
	for i := range lines {
		for name, ratios := range map[string][]string{"Hit": strings.Fields(hit), "MissWithEviction": strings.Fields(miss)} {
			fmt.Fprintf(&text, "Benchmark%s/impl=statespec/sessions=64 10 5 ns/op %s x/control\n", name, ratios[i%len(ratios)])
		}
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestATargetThatIsMissedIsAFailure(t *testing.T) {
	for _, row := range []struct {
		hit, miss string
		lines     int
		exit      verdict.Exit
		says      string
	}{
		{"0.8", "1.9", 6, verdict.AsExpected, "| Hit/impl=statespec/sessions=64 | x/control | 0.85 | 0.8, 0.8 to 0.8 | met |"},
		{"0.8", "2.1", 6, verdict.Failure, "| 2.1, 2.1 to 2.1 | missed |"},
		{"0.8", "1.9", 5, verdict.NoVerdict, "cannot tell"},
		{"0.8", "1.5 1.6 1.7 2.2 2.3 2.4", 6, verdict.NoVerdict, "| 1.95, 1.5 to 2.4 | cannot tell |"},
		{"0.8", "1.99 2.01 2.01 2.01 2.01 2.02", 6, verdict.NoVerdict, "| 2.01, 1.99 to 2.02 | close |"},
	} {
		got := statespec(t, "", "bench", "--targets", recorded(t, row.hit, row.miss, row.lines))
		if got.exit != row.exit || !strings.Contains(got.stdout, row.says) || strings.Contains(got.stdout, "not measured") {
			t.Errorf("hit %s, miss %s, %d lines: exit %d, want %d and %q in\n%s%s", row.hit, row.miss, row.lines, got.exit, row.exit, row.says, got.stdout, got.stderr)
		}
	}
	got := statespec(t, "", "bench", "--targets", "--in-process", "--time", "1ms", "--count", "6", "--only", "^AttrRead")
	if got.exit == verdict.Unusable || got.exit == verdict.OwnFault || !strings.Contains(got.stdout, "| AttrRead/impl=statespec/attributes=12 | x/control | 1.5 |") {
		t.Errorf("targets of what is measured now: exit %d\n%s%s", got.exit, got.stdout, got.stderr)
	}
}

// What a line's process says of its end is said, with its exit code. The driver here
// starts once, for the head, and never again.
func TestALineThatFailsEndsTheBench(t *testing.T) {
	t.Setenv(commandVar, "1")
	once := filepath.Join(t.TempDir(), "started")
	starts := report.ShellWord("test ! -e " + once + " && touch " + once + " && exec " + serving())
	got := statespec(t, "", "bench", "--count", "2", "--time", "1ms", "--driver", "sh -c "+starts, "--only", "^Hit")
	if got.exit != verdict.NoVerdict || !strings.Contains(got.stderr, "could not be run") {
		t.Errorf("exit %d, %q, want %d, and that the subject could not be run", got.exit, got.stderr, verdict.NoVerdict)
	}
}

func TestTheBenchmarksAreListed(t *testing.T) {
	got := statespec(t, "", "bench", "--list", "--long")
	for _, name := range []string{"Compare/pair=equal/mib=1024", "HitGrowth/impl=statespec/sessions=1048576/goroutines=8", "Conformance/impl=statespec"} {
		if got.exit != verdict.AsExpected || !strings.Contains(got.stdout, name) {
			t.Errorf("exit %d, want %s in\n%s", got.exit, name, got.stdout)
		}
	}
}

func TestAMistakeInABenchIsRefused(t *testing.T) {
	recording := recorded(t, "1", "1", 1)
	for _, row := range []struct {
		args []string
		says string
	}{
		{[]string{"--time", "0s"}, "--time"}, {[]string{"--time", "1h"}, "--time"}, {[]string{"--count", "0"}, "--count"}, {[]string{"--line", "-1"}, "--line"},
		{[]string{"--count", "1000000"}, "--count"}, {[]string{"--only", "("}, "--only"}, {[]string{"--only", "^Nothing$"}, "--list"},
		{[]string{"--driver", "no-such-program-of-anybody"}, "--driver"}, {[]string{"--python-driver", "no-such-program-of-anybody"}, "--python-driver"},
		{[]string{"--out", "no-such-folder/new.txt"}, "no folder no-such-folder"}, {[]string{"--out", "."}, "no regular file"}, {[]string{"--out", "main.go"}, "no recording"}, {[]string{recording}, "--targets"}, {[]string{"--targets", "--out", "x", recording}, "--out"}, {[]string{"--targets", "--driver", "cat"}, "--targets"},
		{[]string{"--targets", "no-such-file"}, "no-such-file"}, {[]string{"--targets", "--long", "--only", "^HitGrowth"}, "has a target"}, {[]string{"--targets", "--only", "^Ring", recording}, "nothing that has a target"},
	} {
		if got := statespec(t, "", append([]string{"bench"}, row.args...)...); got.exit != verdict.Unusable || !strings.Contains(got.stderr, row.says) {
			t.Errorf("bench %v: exit %d, want %d and %q\n%s", row.args, got.exit, verdict.Unusable, row.says, got.stderr)
		}
	}
}

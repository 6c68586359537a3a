package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/statespec/statespec/spec/verdict"
)

// A name of a file is read, whatever is in it, and does nothing else to a terminal.
func TestANameIsShownAndDoesNothingElse(t *testing.T) {
	const name = "red \x1b[31m\nstatespec: all is well"
	folder := t.TempDir()
	recording := filepath.Join(folder, name)
	if err := os.WriteFile(recording, []byte(recordingOf(10, 1, 2)), 0o644); err != nil {
		t.Fatal(err)
	}
	absent := filepath.Join(folder, "absent "+name)
	for _, row := range []struct {
		args []string
		exit verdict.Exit
		says string
	}{
		{[]string{"regress", recording, recording}, 0, "old: "},
		{[]string{"search", "--seed", "1", "--histories", "1", "--out", filepath.Join(folder, "found "+name)}, 0, "reports: "},
		{[]string{"run", "--only", "EVI-20", "--out", filepath.Join(folder, "results "+name)}, 0, "reports: "},
		{[]string{"regress", absent, absent}, 2, "stat "},
		{[]string{"replay", absent}, 2, "stat "},
		{[]string{"diff", absent, absent}, 2, "stat "},
		{[]string{"run", "--expect", absent}, 2, "--expect: "},
		{[]string{"run", "--out", recording}, 2, "--out: "},
		{[]string{"explain", name}, 2, "red "},
		{[]string{name}, 2, "red "},
	} {
		got := statespec(t, "", row.args...)
		if all := got.stdout + got.stderr; got.exit != row.exit || !strings.Contains(all, row.says) || strings.Contains(all, "\x1b") {
			t.Errorf("%q = exit %d and %q; want %d, and the name without its escape", row.args, got.exit, all, row.exit)
		}
	}
	for _, args := range [][]string{{"regress", recording, recording}, {"replay", absent}} {
		if got := statespec(t, "", args...); strings.Contains(got.stdout+got.stderr, "\nstatespec: all is well") {
			t.Errorf("%s: the name makes a line of its own:\n%s%s", args[0], got.stdout, got.stderr)
		}
	}
}

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/statespec/statespec/spec/report"
	"github.com/statespec/statespec/spec/verdict"
)

// What might never end is refused, wherever a file is named.
func TestNoCommandReadsWhatMightNeverEnd(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "x.npy")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	large := file(t, "")
	if err := os.Truncate(large, 1<<40); err != nil { // of which nothing is on the disk
		t.Fatal(err)
	}
	old := file(t, recordingOf(10, 1, 2))
	array := filepath.Join(artefacts(t, map[string]string{"x.npy": bytesFile("abc")}), "x.npy")
	out := filepath.Join(t.TempDir(), "artefacts")
	for _, args := range [][]string{
		{"replay", "FILE"},
		{"rollout", "--out", out, "--config", "FILE"},
		{"run", "--expect", "FILE"},
		{"regress", "FILE", old},
		{"regress", old, "FILE"},
		{"regress", old, old, "--thresholds", "FILE"},
		{"bench", "--targets", "FILE"},
		{"diff", "FILE", array},
	} {
		for _, path := range []string{fifo, large, "/dev/zero"} {
			with := strings.Split(strings.ReplaceAll(strings.Join(args, "\n"), "FILE", path), "\n")
			if got := statespec(t, "", with...); got.exit != verdict.Unusable || !strings.Contains(got.stderr, path) {
				t.Errorf("%v = exit %d and %q, want 2 and what is wrong with the file", with, got.exit, got.stderr)
			}
		}
	}
}

// Where a file is to be written, a pipe in its place is looked at and not opened.
func TestAPipeIsNotReplacedByAPage(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "x.html")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := statespec(t, "", "diff", "a", "b", "--html", fifo); got.exit != verdict.Unusable || !strings.Contains(got.stderr, fifo+" is no regular file") {
		t.Errorf("exit = %d and %q, want 2 and what is there", got.exit, got.stderr)
	}
}

// A pipe in the place of the marker of a folder of results is none.
func TestAFolderWithAPipeForAMarkerIsNotOurs(t *testing.T) {
	out := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(out, report.Marker), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := statespec(t, "", "run", "--only", "EVI-20", "--out", out); got.exit != verdict.Unusable || !strings.Contains(got.stderr, "is not ours") {
		t.Errorf("exit = %d and %q, want 2 and whose it is not", got.exit, got.stderr)
	}
}

package main

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/statespec/statespec/spec/verdict"
)

// full is a standard output without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

const shortHistory = `statespec history 1
subject: "reference"
seed: 1
stream: 0
row: EVI-02

m1 = manager cap 2
session m1 "a"
`

// An answer that nobody could read is no success, whatever it was.
func TestWhatCannotBeShownIsAFaultOfEveryCommand(t *testing.T) {
	same := artefacts(t, map[string]string{"x.npy": bytesFile("abc")})
	old, slower := file(t, recordingOf(10, 1, 2)), file(t, recordingOf(10, 1.25, 2))
	history, transcript := file(t, shortHistory), file(t, `{"method":"new_manager","params":{"as":"m1","manager_spec":{"cap":2}}}`)
	for _, args := range [][]string{
		{}, {"help"}, {"help", "run"}, {"run", "--help"}, {"driver"}, {"driver", "check", "--help"}, {"version"},
		{"completion", "bash"}, {"completion", "zsh"}, {"completion", "fish"}, {"completion", "powershell"},
		{"list"}, {"list", "--json"}, {"explain", "EVI-05"}, {"detect", "--list"}, {"bench", "--list"},
		{"run", "--only", "EVI-20"}, {"run", "--only", "EVI-20", "--json"},
		{"search", "--seed", "1", "--histories", "1"}, {"replay", history}, {"replay", transcript},
		{"diff", same, same}, {"regress", old, old}, {"regress", old, slower}, // a regression that nobody sees
		{"driver", "check", serving()}, {"driver", "check", serving(), "--json"},
		{"rollout", "--profile", "tiny", "--steps", "2", "--out", filepath.Join(t.TempDir(), "artefacts")},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			var errs strings.Builder
			code := execute(t.Context(), args, full{}, &errs)
			if code != verdict.OwnFault || strings.Count(errs.String(), syscall.ENOSPC.Error()) != 1 {
				t.Errorf("exit = %d, want %d and once why nothing is shown\n%s", code, verdict.OwnFault, errs.String())
			}
		})
	}
}

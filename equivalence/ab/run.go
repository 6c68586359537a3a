package ab

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// A Run is one run of a command: what it was given, how it ended and what it
// says of itself. It is kept as RunFile beside the artefacts, so that another A/B
// can take the run in place of one of its own.
type Run struct {
	Side   Side     `json:"side"`
	Number int      `json:"number"` // 1 is the first of all
	Argv   []string `json:"command"`
	Var    string   `json:"variable,omitempty"` // the variable that differs
	Value  string   `json:"value,omitempty"`    // its value
	Env    []string `json:"set_on_both_sides,omitempty"`

	Out string `json:"out"` // the folder it was given
	Dir string `json:"-"`   // where its artefacts are now
	Log string `json:"-"`   // the file with what it printed, both streams

	Began   time.Time `json:"began"`
	Seconds float64   `json:"seconds"`
	PeakRSS int64     `json:"peak_rss_bytes,omitempty"` // of the command alone, where the system tells
	Exit    int       `json:"exit"`                     // -1: it did not end by itself
	Ending  string    `json:"ending,omitempty"`         // how it ended, if not with exit code 0
	Fault   string    `json:"fault,omitempty"`          // why what it left cannot be judged

	Witness string `json:"witness,omitempty"` // the path it says it took
	Doubt   string `json:"doubt,omitempty"`   // why there is no witness
	Bytes   int64  `json:"bytes"`             // of all files that it left
	Files   int    `json:"files"`

	Facts []Fact `json:"facts"` // all that must not differ between runs
}

// well says whether a run came to its end and left something to judge.
func (r Run) well() bool { return r.Exit == 0 && r.Fault == "" && r.Files > 0 }

// Names of what is kept of a run, beside each other.
const (
	RunFile     = "run.json"
	logFile     = "log.txt"
	artefactDir = "out"
)

// save writes RunFile.
func (r Run) save(dir string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, RunFile), append(text, '\n'), 0o644)
}

// maxRunFile bounds what is read of a RunFile, in bytes.
const maxRunFile = 16 << 20

// load reads a run that an earlier A/B kept in a folder.
func load(dir string) (Run, error) {
	var r Run
	path := filepath.Join(dir, RunFile)
	info, err := os.Stat(path)
	if err != nil {
		return r, err
	}
	if info.Size() > maxRunFile {
		return r, fmt.Errorf("%s: %d bytes, at most %d are a run of ours", path, info.Size(), maxRunFile)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return r, fmt.Errorf("%s: not a run of ours: %w", path, err)
	}
	if r.Side != A && r.Side != B {
		return r, fmt.Errorf("%s: side %q, want A or B", path, r.Side)
	}
	r.Dir, r.Log = filepath.Join(dir, artefactDir), filepath.Join(dir, logFile)
	if _, err := os.Stat(r.Dir); err != nil {
		return r, fmt.Errorf("the artefacts of run %s: %w", dir, err)
	}
	return r, nil
}

// Load reads the runs that an earlier A/B left in its runs folder, in their order.
func Load(dir string) ([]Run, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var runs []Run
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		r, err := load(filepath.Join(dir, e.Name()))
		if errors.Is(err, os.ErrNotExist) {
			continue // a folder of something else
		}
		if err != nil {
			return nil, err
		}
		runs = append(runs, r)
	}
	if len(runs) == 0 {
		return nil, fmt.Errorf("%s: no run in it, want folders with a %s as an A/B with --out leaves them", dir, RunFile)
	}
	return runs, nil
}

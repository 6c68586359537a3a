package suite

import (
	"fmt"
	"io"
	"regexp"

	"github.com/onsi/ginkgo/v2"

	"github.com/statespec/statespec/spec/op"
)

// An Artefact is a file that a spec has for whoever looks into its outcome: a
// picture of what it saw. It is written by who keeps it, and by nobody when the
// run keeps nothing.
type Artefact struct {
	name    string
	write   func(io.Writer) error
	working bool
}

// Keep adds a file to the running spec's outcome. The name is that of a file in
// the row's folder: letters, digits, dots and hyphens. Write is called after the
// spec has ended, if at all.
func Keep(name string, write func(io.Writer) error) {
	if !fileName.MatchString(name) {
		panic(fmt.Sprintf("suite.Keep(%q): want a file name of letters, digits, dots and hyphens", name))
	}
	keep(&Artefact{name: name, write: write})
}

func keep(a *Artefact) {
	ginkgo.AddReportEntry(entryArtefact, a, ginkgo.ReportEntryVisibilityNever)
}

// transcript keeps what a subject was asked, a call a line, and how many earlier
// ones its client has forgotten.
func transcript(calls []op.Call, left int) {
	keep(&Artefact{name: "transcript.jsonl", working: true, write: func(w io.Writer) error {
		if left > 0 {
			if _, err := fmt.Fprintf(w, "# %d earlier requests left out\n", left); err != nil {
				return err
			}
		}
		for _, c := range calls {
			if _, err := fmt.Fprintln(w, c); err != nil {
				return err
			}
		}
		return nil
	}})
}

var fileName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9.-]*$`)

// Name is the file's name, within the folder of the spec's row.
func (a *Artefact) Name() string { return a.name }

// Working says whether the file is one that a spec worked with, for who keeps
// everything: large, and of use to few.
func (a *Artefact) Working() bool { return a.working }

// Write writes the file's content.
func (a *Artefact) Write(w io.Writer) error { return a.write(w) }

func (a *Artefact) String() string { return a.name }

package search

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/statespec/statespec/spec/catalogue"
	"github.com/statespec/statespec/spec/report"
	"github.com/statespec/statespec/spec/search/history"
	"github.com/statespec/statespec/spec/verdict"
)

// Schema is the version of search.json.
const Schema = 1

// ResultFile is the name of what a search writes about itself.
const ResultFile = "search.json"

// Result is a search as data: search.json, which README.md describes.
type Result struct {
	Schema       int             `json:"schema"`
	Suite        string          `json:"suite"`
	Subject      string          `json:"subject"`
	SubjectError string          `json:"subject_error,omitempty"`
	Seed         uint64          `json:"seed"`
	Shard        verdict.Shard   `json:"shard"`
	Histories    int             `json:"histories"`
	Operations   int             `json:"operations"`
	Incomplete   bool            `json:"incomplete,omitempty"`
	Failures     []FailureResult `json:"failures"`
	Exit         verdict.Exit    `json:"exit"`
}

// FailureResult is one failure of a [Result].
type FailureResult struct {
	Row        string          `json:"row"`             // empty where no guarantee is known
	Level      catalogue.Level `json:"level,omitempty"` // of the row
	Fate       string          `json:"fate,omitempty"`  // crashed, hung or driver-error
	Stream     uint64          `json:"stream"`
	Operations int             `json:"operations"` // of the history as it was generated
	Shrunk     int             `json:"shrunk"`     // of the history as it was saved
	Found      int             `json:"found"`      // operations carried out by the search until then
	Again      int             `json:"again"`      // later histories that failed under the same name
	Reproduces bool            `json:"reproduces"`
	File       string          `json:"file"`
	Operation  string          `json:"operation"`
	Call       string          `json:"call"`
	Want       string          `json:"want"`
	Got        string          `json:"got"`
}

// Result is the finding as data. With strict, a broken SHOULD counts as one of
// the others.
func (f Finding) Result(o Options, strict bool) Result {
	r := Result{Schema: Schema, Suite: catalogue.Suite, Subject: f.Subject.Name, SubjectError: f.SubjectError, Seed: o.Seed,
		Shard: o.Shard, Histories: f.Histories, Operations: f.Operations, Incomplete: f.Incomplete, Failures: []FailureResult{}}
	names := map[string]int{}
	for _, x := range f.Failures {
		m := x.Mismatch
		row, _ := catalogue.Lookup(m.Row)
		r.Failures = append(r.Failures, FailureResult{Row: m.Row, Level: row.Level, Fate: string(m.Fate), Stream: x.History.Stream,
			Operations: x.Original, Shrunk: len(x.History.Operations), Found: x.Found, Again: x.Again, Reproduces: x.Reproduces,
			File: fileOf(m.Name(), names), Operation: m.Operation.String(), Call: m.Call, Want: m.Want, Got: m.Got})
	}
	r.Exit = r.exit(strict)
	return r
}

// fileOf is a name for the file of a failure.
func fileOf(name string, taken map[string]int) string {
	name = strings.ReplaceAll(name, " ", "-")
	taken[name]++
	if n := taken[name]; n > 1 {
		name = fmt.Sprintf("%s-%d", name, n)
	}
	return path.Join("histories", name+history.Extension)
}

// exit is the exit code of a search. A failure that names no guarantee counts as
// a MUST. A search in which the time was up before anything was asked found nothing
// because it did not look.
func (r Result) exit(strict bool) verdict.Exit {
	broken, garbled := false, r.SubjectError != ""
	for _, f := range r.Failures {
		switch {
		case f.Fate == string(verdict.DriverError):
			garbled = true
		case f.Level != catalogue.Should || strict:
			broken = true
		}
	}
	switch {
	case r.Incomplete:
		return verdict.Interrupted
	case broken:
		return verdict.Failure
	case garbled || r.Operations == 0:
		return verdict.NoVerdict
	}
	return verdict.AsExpected
}

// JSON writes search.json.
func (r Result) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// Write writes search.json and the histories that fail into a folder that is not
// committed yet.
func Write(to *report.Folder, r Result, f Finding) error {
	var b bytes.Buffer
	if err := r.JSON(&b); err != nil {
		return err
	}
	if err := to.WriteFile(ResultFile, b.Bytes()); err != nil {
		return err
	}
	for i, x := range f.Failures {
		if err := to.WriteFile(r.Failures[i].File, x.History.Text()); err != nil {
			return err
		}
	}
	return nil
}

// Text writes what a search found for a person.
func (r Result) Text(w io.Writer, f Finding, saved func(i int) string) error {
	var b strings.Builder
	for i, x := range f.Failures {
		fr := r.Failures[i]
		fmt.Fprintf(&b, "%s\n", headline(fr))
		if row, known := catalogue.Lookup(fr.Row); known {
			fmt.Fprintf(&b, "  %s\n", row.Statement)
		}
		fmt.Fprintf(&b, "  %s\n    = %s\n    want %s\n", fr.Call, firstLine(report.Printable(fr.Got)), fr.Want)
		if fr.Reproduces {
			fmt.Fprintf(&b, "  shrunk from %d operations to %d:\n", fr.Operations, fr.Shrunk)
			for _, o := range x.History.Operations {
				fmt.Fprintf(&b, "    %s\n", o)
			}
		} else {
			fmt.Fprintf(&b, "  did not reproduce in %d runs on new subjects: it is left at %d operations\n", Runs, fr.Operations)
		}
		if fr.Again > 0 {
			fmt.Fprintf(&b, "  and %d later histories failed under this name\n", fr.Again)
		}
		if s := saved(i); s != "" {
			fmt.Fprintf(&b, "  %s\n", s)
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "%s\n", r.line())
	_, err := io.WriteString(w, b.String())
	return err
}

func headline(f FailureResult) string {
	switch {
	case f.Fate != "":
		return "the subject " + f.Fate
	case f.Row == "":
		return "no guarantee is known for this"
	}
	return fmt.Sprintf("%s (%s) broken", f.Row, f.Level)
}

func (r Result) line() string {
	parts := []string{fmt.Sprintf("seed %d", r.Seed)}
	if !r.Shard.Whole() {
		parts = append(parts, "shard "+r.Shard.String())
	}
	parts = append(parts, fmt.Sprintf("%d histories", r.Histories), fmt.Sprintf("%d operations", r.Operations))
	switch n := len(r.Failures); n {
	case 0:
		switch {
		case r.Operations > 0:
			parts = append(parts, "nothing found")
		case r.SubjectError == "" && !r.Incomplete:
			parts = append(parts, "no verdict: nothing was asked, the time was up")
		}
	case 1:
		parts = append(parts, "1 failure")
	default:
		parts = append(parts, fmt.Sprintf("%d failures", n))
	}
	if r.SubjectError != "" {
		parts = append(parts, "the subject could not be run: "+firstLine(report.Printable(r.SubjectError)))
	}
	if r.Incomplete {
		parts = append(parts, "interrupted")
	}
	return strings.Join(parts, ", ")
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

package expect

import (
	"errors"

	"github.com/statespec/statespec/spec/catalogue"
	"github.com/statespec/statespec/spec/plainyaml"
	"github.com/statespec/statespec/spec/regular"
	"github.com/statespec/statespec/spec/verdict"
)

// A File is one expectation file, checked against the catalogue.
type File struct {
	Suite   string // version of the suite that it was written for
	Subject string // for the reader
	Entries []Entry
}

// An Entry is one expectation and its conditions.
type Entry struct {
	ID      string       // of a guarantee
	Cases   []string     // nil: the whole guarantee; empty: its own row alone
	Outcome verdict.Word // verdict.Broken, Crashed or Hung
	When    When
	Reason  string
	Link    string // empty, or an http address
	Line    int    // where the entry begins
}

// An Error is all that is wrong with a file: a line for each mistake.
type Error = plainyaml.Error

// A Reader reads files against one catalogue.
type Reader struct {
	Rows  []catalogue.Row
	Suite string // the version of it
}

// Read reads a file. What is wrong with its content is an [*Error].
func Read(path string) (File, error) {
	data, err := regular.Read(path, maxFile)
	if err != nil {
		return File{}, err
	}
	f, err := Parse(data)
	if e, ok := errors.AsType[*Error](err); ok {
		e.Path = path
	}
	return f, err
}

// maxFile bounds an expectation file, in bytes: a line for each row is far less.
const maxFile = 1 << 20

// Parse reads a file's content. Its error is an [*Error].
func Parse(data []byte) (File, error) {
	return Reader{Rows: catalogue.All(), Suite: catalogue.Suite}.Parse(data)
}

// For is what the file expects of a run: its entries, without those whose
// conditions do not hold.
func (f File) For(c Conditions) verdict.Expectations {
	x := verdict.Expectations{Suite: f.Suite}
	for _, e := range f.Entries {
		if why := e.When.fails(c); why != "" {
			x.Idle = append(x.Idle, verdict.Unused{ID: e.ID, Reason: why})
			continue
		}
		x.Entries = append(x.Entries, verdict.Expectation{ID: e.ID, Cases: e.Cases, Outcome: e.Outcome, Reason: e.Reason, Link: e.Link})
	}
	return x
}

// Applies says whether the entry is about a run under some conditions.
func (e Entry) Applies(c Conditions) bool { return e.When.fails(c) == "" }

package suite

import (
	"errors"
	"fmt"
	"strings"

	"github.com/onsi/ginkgo/v2"

	"github.com/statespec/statespec/spec/op"
	"github.com/statespec/statespec/spec/verdict"
)

// Names of the report entries that carry what Ginkgo has no word for.
const (
	entryWord     = "statespec: word"     // a verdict.Word: why a spec skipped
	entryFate     = "statespec: fate"     // a verdict.Word: how the subject failed
	entryFailure  = "statespec: failure"  // the failure in words
	entryNote     = "statespec: note"     // a sentence for the report
	entryRequests = "statespec: requests" // the subject's transcript, a line a call
	entryArtefact = "statespec: artefact" // an *Artefact
)

// Unclaimed ends the spec: the subject does not claim what it asks.
func Unclaimed(format string, args ...any) {
	ginkgo.GinkgoHelper()
	abstain(verdict.Unclaimed, fmt.Sprintf(format, args...))
}

// CannotTell ends the spec: it ran, and what it saw decides nothing.
func CannotTell(format string, args ...any) {
	ginkgo.GinkgoHelper()
	abstain(verdict.CannotTell, fmt.Sprintf(format, args...))
}

func abstain(w verdict.Word, why string) {
	ginkgo.GinkgoHelper()
	quiet(entryWord, string(w))
	ginkgo.Skip(why)
}

// Note adds a sentence to the spec's row in the report: how many calls
// overlapped, which threads were used.
func Note(format string, args ...any) {
	quiet(entryNote, fmt.Sprintf(format, args...))
}

func quiet(name, value string) {
	ginkgo.AddReportEntry(name, value, ginkgo.ReportEntryVisibilityNever)
}

// note keeps what a failed spec's report needs of a subject before it is closed.
func note(s *op.Client) {
	if err := s.Failure(); err != nil {
		noteFailure(err)
	}
	if !ginkgo.CurrentSpecReport().Failed() {
		return
	}
	calls, left := s.Transcript()
	transcript(calls, left)
	all := len(calls)
	if all > 0 && calls[0].Method == "hello" {
		all--
	}
	calls = op.Relevant(calls)
	if apart := all - len(calls); apart > 0 {
		quiet(entryRequests, fmt.Sprintf("# requests left out that had been done with before: %d", apart))
	}
	if over := len(calls) - requestsKept; over > 0 {
		calls, left = calls[over:], left+over
	}
	if left > 0 {
		quiet(entryRequests, fmt.Sprintf("# %d earlier requests left out", left))
	}
	for _, c := range calls {
		line := c.String()
		if len(line) > requestLength {
			line = fmt.Sprintf("%s… # %d bytes in all", strings.ToValidUTF8(line[:requestLength], ""), len(line))
		}
		quiet(entryRequests, line)
	}
}

// A report keeps so many requests of a failed spec, and so many bytes of each:
// lists of calls can be long.
const (
	requestsKept  = 200
	requestLength = 2000
)

func noteFailure(err error) {
	word := verdict.DriverError
	if f, ok := errors.AsType[*op.Failure](err); ok {
		word = verdict.Word(f.Fate)
	}
	quiet(entryFate, string(word))
	quiet(entryFailure, err.Error())
}

// Entries is what a spec's report entries say beyond Ginkgo's words.
type Entries struct {
	Word     verdict.Word // of a spec that skipped: unclaimed, cannot-tell
	Fate     verdict.Word // of a subject that failed: crashed, hung, driver-error
	Failure  string       // how
	Notes    []string
	Requests []string // the subject's transcript

	Artefacts []*Artefact // in the order in which the spec gave them
}

// Told reads the report entries of a spec.
func Told(s ginkgo.SpecReport) (e Entries) {
	for _, r := range s.ReportEntries {
		v, _ := r.GetRawValue().(string)
		switch r.Name {
		case entryArtefact:
			if a, ok := r.GetRawValue().(*Artefact); ok {
				e.Artefacts = append(e.Artefacts, a)
			}
		case entryWord:
			e.Word = verdict.Word(v)
		case entryFate:
			e.Fate = verdict.Word(v)
		case entryFailure:
			e.Failure = v
		case entryNote:
			e.Notes = append(e.Notes, v)
		case entryRequests:
			e.Requests = append(e.Requests, v)
		}
	}
	return e
}

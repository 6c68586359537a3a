package report

import (
	"fmt"
	"strings"

	"github.com/statespec/statespec/spec/verdict"
)

// about says what was run, in one line: what a reader needs to run it again.
func about(r verdict.Results) string {
	subject := "a subject that never said hello"
	if s := r.Subject; s.Name != "" {
		subject = s.Name
		for _, part := range []string{s.Version, s.Language} {
			if part != "" {
				subject += " " + part
			}
		}
	}
	parts := []string{"suite " + r.Suite, subject, fmt.Sprintf("seed %d", r.Seed)}
	if r.Selection != "" {
		parts = append(parts, "selection "+r.Selection)
	}
	if !r.Shard.Whole() {
		parts = append(parts, "shard "+r.Shard.String())
	}
	if r.Incomplete {
		parts = append(parts, "incomplete")
	}
	return Printable(strings.Join(parts, ", "))
}

func unusedLines(r verdict.Results) []string {
	var lines []string
	for _, u := range r.Unused {
		lines = append(lines, Printable(u.ID+": "+u.Reason))
	}
	return lines
}

// hints says what a reader can do next.
func hints(r verdict.Results) []string {
	var all []string
	rows := told(r)
	add := func(w verdict.Word, hint string) {
		for _, row := range rows {
			if row.Own == w {
				all = append(all, strings.ReplaceAll(hint, "ID", row.ID))
				return
			}
		}
	}
	add(verdict.Broken, "statespec explain ID says why it matters and where it is written.")
	add(verdict.Crashed, "The subject died; its last words are above. It was started again for the rest.")
	add(verdict.Hung, "The subject did not answer in time; --timeout sets how long it has.")
	add(verdict.Stale, "ID holds now: take its entry out of the expectation file.")
	add(verdict.New, "ID is newer than the expectation file: fix it, or add it and raise the file's suite.")
	add(verdict.DriverError, "statespec driver check CMD says what is wrong with a driver.")
	add(verdict.HarnessError, "A harness error is a fault of statespec, not of the subject: please report it.")
	if r.Summary.Exit == verdict.Unusable && len(r.Subject.Layers) > 0 {
		all = append(all, "Only what a subject claims in its hello is asked; unclaimed rows above say what is missing.")
	}
	return all
}

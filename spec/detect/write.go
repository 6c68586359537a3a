package detect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/statespec/statespec/spec/report"
)

// Names of the files of a detection.
const (
	JSONFile     = "detection.json"
	MarkdownFile = "detection.md"
	HTMLFile     = "detection.html"
)

// Write writes every report of a detection into a folder.
func Write(folder *report.Folder, d Detection) error {
	for name, write := range map[string]func(io.Writer, Detection) error{JSONFile: JSON, MarkdownFile: Markdown, HTMLFile: HTML} {
		var b bytes.Buffer
		if err := errors.Join(write(&b, d), folder.WriteFile(name, b.Bytes())); err != nil {
			return err
		}
	}
	return nil
}

// JSON writes detection.json.
func JSON(w io.Writer, d Detection) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(d)
}

// Line is the detection in one line.
func (d Detection) Line() string {
	parts := []string{fmt.Sprintf("%d faults", len(d.Faults))}
	if inexact := len(d.Inexact()); inexact == 0 {
		parts = append(parts, "each found by exactly the rows that it breaks")
	} else {
		parts = append(parts, fmt.Sprintf("%d not as they should", inexact))
	}
	switch {
	case len(d.Unproven) == 0:
		parts = append(parts, "nothing unproven")
	case d.Incomplete: // most of them were not come to
		parts = append(parts, fmt.Sprintf("%d rows unproven so far", len(d.Unproven)))
	default:
		parts = append(parts, "unproven: "+strings.Join(d.Unproven, ", "))
	}
	if d.Brief {
		parts = append(parts, "races asked only of faults that break one")
	}
	head := "the suite can fail: "
	switch {
	case d.Incomplete:
		head = "interrupted: "
	case len(d.Inexact())+len(d.Unproven) > 0:
		head = "not proven: "
	}
	return head + strings.Join(parts, "; ")
}

// Text writes the detection for the person who started it: the line, the counts
// of each family, and whatever is not as it should be.
func Text(w io.Writer, d Detection) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n\n%-8s %6s %6s %6s  %s\n", d.Line(), "family", "faults", "exact", "rows", "")
	for _, m := range d.Matrices() {
		fmt.Fprintf(&b, "%-8s %6d %6d %6d  %s\n", m.Family.Code, len(m.Faults), m.Exact(), len(m.Asked), m.Family.Title)
	}
	for _, f := range d.Inexact() {
		fmt.Fprintf(&b, "\n%s\n", f.Name)
		for _, l := range f.wrong() {
			fmt.Fprintf(&b, "  %-10s %s\n", l.what, strings.ReplaceAll(l.text, "\n", "\n             "))
		}
		fmt.Fprintf(&b, "  %-10s statespec run --fault %s --seed %d\n", "again", report.ShellWord(f.Name), d.Seed)
	}
	fmt.Fprintf(&b, "\nmatrix %.16s, suite %s, seed %d, %.0f s\n", d.Digest, d.Suite, d.Seed, d.Seconds)
	_, err := w.Write(b.Bytes())
	return err
}

// A line says one thing of a finding that is not as it should be.
type line struct{ what, text string }

// wrong says what of a finding is not as it should be.
func (f Finding) wrong() (lines []line) {
	if len(f.Missed) > 0 {
		lines = append(lines, line{"missed", strings.Join(f.Missed, ", ")})
	}
	for _, id := range f.Unexpected {
		lines = append(lines, line{"unexpected", id + " " + f.Why[id]})
	}
	for _, id := range f.Unjudged {
		lines = append(lines, line{"unjudged", id + " " + f.Why[id]})
	}
	for _, why := range f.Failures {
		lines = append(lines, line{"failure", why})
	}
	return lines
}

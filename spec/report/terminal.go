package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/statespec/statespec/spec/verdict"
)

// Options say what a terminal can do.
type Options struct {
	Color bool // escape sequences; without it the output is plain text
	Width int  // in columns; 0: 80
}

// terminalLines of a message or an output are shown; results.json has all.
const terminalLines = 24

// requestColumns of a request are shown: enough to see what it asks.
const requestColumns = 160

// Terminal writes the verdict for the person who started the run: the line, the
// counts, every row that went wrong, the worst first, what was not asked, and
// what to do next. Where that fills a screen, the line comes again at the end.
func Terminal(w io.Writer, r verdict.Results, o Options) error {
	if o.Width <= 0 {
		o.Width = 80
	}
	o.Width = max(o.Width, 40)
	s := screen{Options: o}
	s.verdict(r)
	s.wrapped("", about(r))
	s.counts(r)
	rows := told(r)
	for _, row := range rows {
		s.row(row)
	}
	s.list("faults of the harness", r.Faults)
	for _, word := range []verdict.Word{verdict.NotRun, verdict.Unclaimed, verdict.Deselected} {
		s.groups(word, groupsOf(r, word))
	}
	s.list("expectations that this run says nothing about", unusedLines(r))
	s.list("next", hints(r))
	if len(rows) > 0 {
		s.printf("\n")
		s.verdict(r)
	}
	_, err := w.Write(s.buffer.Bytes())
	return err
}

// A screen is what has been written so far.
type screen struct {
	Options
	buffer bytes.Buffer
}

func (s *screen) printf(format string, args ...any) { fmt.Fprintf(&s.buffer, format, args...) }

// The escape sequences of the colours in use.
const (
	red, green, yellow, bold, plain = "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[1m", "\x1b[0m"
)

// paint colours a text, where there are colours.
func (s *screen) paint(color, text string) string {
	if !s.Color || color == "" {
		return text
	}
	return color + text + plain
}

func colorOf(w verdict.Word) string {
	switch {
	case w == verdict.Held:
		return green
	case w.Failed() || w == verdict.Stale || w == verdict.DriverError || w == verdict.HarnessError:
		return red
	case w == verdict.Unclaimed || w == verdict.Deselected:
		return ""
	}
	return yellow
}

// verdict writes the line, its head in colour.
func (s *screen) verdict(r verdict.Results) {
	color := red
	if r.Summary.Exit == verdict.AsExpected {
		color = green
	}
	head, rest, _ := strings.Cut(Printable(r.Summary.Line), ":")
	lines := wrap(head+":"+rest, s.Width-2)
	if len(lines[0]) >= len(head) { // a head wider than the screen stays plain
		lines[0] = s.paint(bold+color, head) + lines[0][len(head):]
	}
	for i, line := range lines {
		if i > 0 {
			line = "  " + line
		}
		s.printf("%s\n", line)
	}
}

// row tells all of one row.
func (s *screen) row(row verdict.Verdict) {
	word := strings.ToUpper(string(row.Own))
	s.printf("\n%s  %s %s\n", s.paint(bold+colorOf(row.Own), word), row.ID, row.Level)
	s.wrapped("  ", row.Statement)
	if why := reasonOf(row); why != "" {
		s.fact(fact{"why", why})
	}
	if row.Link != "" {
		s.fact(fact{"link", Printable(row.Link)})
	}
	for _, o := range tellingOf(row) {
		for _, f := range facts(o) {
			s.fact(f.clip(terminalLines))
		}
	}
}

// fact writes a label and its text beside it. What a person copies (a command, a
// place) and what is laid out already (requests, output) keeps its lines.
func (s *screen) fact(f fact) {
	const indent = "         "
	lines := strings.Split(f.text, "\n")
	if f.label == "spec" || f.label == "got" || f.label == "note" || f.label == "why" {
		lines = wrap(f.text, s.Width-len(indent))
	}
	for i, line := range lines {
		label := ""
		if i == 0 {
			label = f.label
		}
		if f.label == "sent" {
			line = shorten(line, requestColumns)
		}
		s.printf("%s\n", strings.TrimRight(fmt.Sprintf("  %-6s %s", label, line), " "))
	}
}

// groups writes rows that need no more than their reason.
func (s *screen) groups(w verdict.Word, groups []group) {
	if len(groups) == 0 {
		return
	}
	n := 0
	for _, g := range groups {
		n += len(g.rows)
	}
	s.printf("\n%d %s\n", n, s.paint(colorOf(w), string(w)))
	for _, g := range groups {
		text := fmt.Sprintf("%s: %s", Printable(g.reason), strings.Join(g.ids(), ", "))
		if w == verdict.Deselected && !g.rows[0].Selected {
			text = fmt.Sprintf("%s: %d", Printable(g.reason), len(g.rows)) // nobody wants to read those
		}
		s.wrapped("  ", text)
	}
}

func (s *screen) list(title string, items []string) {
	if len(items) == 0 {
		return
	}
	s.printf("\n")
	s.wrapped("", title)
	for _, item := range items {
		s.wrapped("  ", Printable(item))
	}
}

// wrapped writes a text with an indent, and the lines after its first two
// further in.
func (s *screen) wrapped(indent, text string) {
	for i, line := range wrap(text, s.Width-len(indent)-2) {
		if i > 0 {
			line = "  " + line
		}
		s.printf("%s%s\n", indent, line)
	}
}

package history

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Version is that of the format.
const Version = 1

// Extension is how the names of files end.
const Extension = ".history"

// MaxOperations bounds a history.
const MaxOperations = 10_000

// History is a list of operations, where it comes from and what it showed.
type History struct {
	Subject string // who showed it; empty when nobody has
	Seed    uint64 // of the generator
	Stream  uint64 // of the generator: the number of the history
	Row     string // the guarantee that it breaks, or "crashed", "hung", "driver-error"; empty when not known
	Notes   []string
	Operations
}

// Operations are a list of them.
type Operations []Operation

// String is the operations, a line each.
func (os Operations) String() string {
	var b strings.Builder
	for _, o := range os {
		b.WriteString(o.String())
		b.WriteByte('\n')
	}
	return b.String()
}

const magic = "statespec history"

// Text is the history as a file.
func (h History) Text() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %d\n", magic, Version)
	for _, f := range h.header() {
		if f.value != "" {
			fmt.Fprintf(&b, "%s: %s\n", f.name, f.value)
		}
	}
	for _, n := range h.Notes {
		for line := range strings.SplitSeq(n, "\n") {
			fmt.Fprintf(&b, "# %s\n", strings.ToValidUTF8(strings.TrimRight(line, " \t\r"), "\uFFFD"))
		}
	}
	b.WriteByte('\n')
	b.WriteString(h.Operations.String())
	return b.Bytes()
}

type field struct{ name, value string }

func (h History) header() []field {
	quoted := ""
	if h.Subject != "" {
		quoted = strconv.Quote(h.Subject)
	}
	return []field{
		{"subject", quoted}, {"seed", strconv.FormatUint(h.Seed, 10)}, {"stream", strconv.FormatUint(h.Stream, 10)}, {"row", h.Row},
	}
}

// set fills in a field of the header.
func (h *History) set(name, value string) (err error) {
	switch name {
	case "subject":
		if h.Subject, err = strconv.Unquote(value); err != nil || !utf8.ValidString(h.Subject) {
			return fmt.Errorf("subject %s, want a text in quotes", value)
		}
	case "seed", "stream":
		n, err := strconv.ParseUint(value, 10, 64)
		if err != nil {
			return fmt.Errorf("%s %q, want an integer from 0 to 2^64-1", name, value)
		}
		if name == "seed" {
			h.Seed = n
		} else {
			h.Stream = n
		}
	case "row":
		if strings.ContainsFunc(value, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return fmt.Errorf("row %q, want the ID of a guarantee", value)
		}
		h.Row = value
	default:
		return fmt.Errorf("%q is no field of the header, want subject, seed, stream or row", name)
	}
	return nil
}

// ParseError is a line that cannot be read, and what would be right.
type ParseError struct {
	Line int // from 1
	Err  error
}

func (e *ParseError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

func (e *ParseError) Unwrap() error { return e.Err }

// ParseHistory reads a file. Comments of its head become Notes; those among the
// operations are passed over.
func ParseHistory(data []byte) (h History, err error) {
	made := map[string]int{}
	state := expectMagic
	for i, line := range strings.Split(string(data), "\n") {
		if state, err = h.line(strings.TrimSpace(line), state, made, i+1); err != nil {
			return History{}, &ParseError{i + 1, err}
		}
	}
	if state == expectMagic {
		return History{}, &ParseError{1, fmt.Errorf("it is empty, want %q", fmt.Sprintf("%s %d", magic, Version))}
	}
	return h, nil
}

// Where a reader is in a file.
type place int

const (
	expectMagic place = iota
	inHeader
	inOperations
)

// line takes in one line.
func (h *History) line(line string, at place, made map[string]int, number int) (place, error) {
	switch {
	case at == expectMagic:
		return inHeader, version(line)
	case line == "":
		return at, nil
	case strings.HasPrefix(line, "#"):
		if at == inHeader {
			note := strings.TrimSpace(strings.TrimPrefix(line, "#"))
			if !utf8.ValidString(note) {
				return at, fmt.Errorf("it is not UTF-8")
			}
			h.Notes = append(h.Notes, note)
		}
		return at, nil
	case at == inHeader:
		if name, value, is := strings.Cut(line, ": "); is && isName(name) {
			return at, h.set(name, strings.TrimSpace(value))
		}
	}
	o, err := ParseOperation(line)
	if err != nil {
		return at, err
	}
	if first := made[o.Make]; o.Make != "" && first > 0 {
		return at, fmt.Errorf("%s is made twice, first in line %d: choose another slot", o.Make, first)
	}
	made[o.Make] = number
	if h.Operations = append(h.Operations, o); len(h.Operations) > MaxOperations {
		return at, fmt.Errorf("more than %d operations", MaxOperations)
	}
	return inOperations, nil
}

func version(line string) error {
	want := fmt.Sprintf("%s %d", magic, Version)
	if line == want {
		return nil
	}
	if n, is := strings.CutPrefix(line, magic+" "); is {
		return fmt.Errorf("a history of format %s, want %d", n, Version)
	}
	return fmt.Errorf("%.60q, want %q: this is no history", line, want)
}

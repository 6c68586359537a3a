package plainyaml

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// A Position is a place in a file. Its zero value is the file as a whole.
type Position struct {
	Line, Column int // from 1, in characters; 0: not known
}

// A Problem is one mistake, and what would be right.
type Problem struct {
	Position
	Text string // one printable line
}

// Problems gathers the mistakes of a file, so that a reader learns of all of them
// at once. Its zero value has none.
type Problems struct {
	Path string // of the file
	all  []Problem
}

// Add notes a mistake somewhere. What a file says does nothing but be read:
// characters of it that would do more, to a terminal or a log, are written as Go
// writes them.
func (p *Problems) Add(at Position, format string, args ...any) {
	p.all = append(p.all, Problem{at, printable(fmt.Sprintf(format, args...))})
}

func printable(text string) string {
	var b strings.Builder
	for _, r := range text {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
	}
	return b.String()
}

// Err is the problems as an [*Error], in the order of the file; nil if there are none.
func (p *Problems) Err() error {
	if len(p.all) == 0 {
		return nil
	}
	inOrder := slices.SortedStableFunc(slices.Values(p.all), func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return &Error{Path: p.Path, Problems: inOrder}
}

// An Error is all that is wrong with a file.
type Error struct {
	Path     string
	Problems []Problem
}

// Error is a line for each problem: "path:line:column: text", without what is not
// known.
func (e *Error) Error() string {
	var lines []string
	for _, p := range e.Problems {
		where := e.Path
		if p.Line > 0 {
			where += fmt.Sprintf(":%d", p.Line)
		}
		if p.Column > 0 {
			where += fmt.Sprintf(":%d", p.Column)
		}
		lines = append(lines, where+": "+p.Text)
	}
	return strings.Join(lines, "\n")
}

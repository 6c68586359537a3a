package expect

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// An Error is all that is wrong with a file.
type Error struct {
	Path     string // empty: not known
	Problems []Problem
}

// A Problem is one mistake, and what would be right.
type Problem struct {
	Line int // from 1; 0: the file as a whole
	Text string
}

// Error is a line for each problem: "file:line: text".
func (e *Error) Error() string {
	path := cmp.Or(e.Path, "expectations")
	var lines []string
	for _, p := range e.Problems {
		if p.Line == 0 {
			lines = append(lines, fmt.Sprintf("%s: %s", path, p.Text))
			continue
		}
		lines = append(lines, fmt.Sprintf("%s:%d: %s", path, p.Line, p.Text))
	}
	return strings.Join(lines, "\n")
}

// problems gathers mistakes, so that a reader learns of all of them at once.
type problems []Problem

func (p *problems) add(line int, format string, args ...any) {
	*p = append(*p, Problem{line, fmt.Sprintf(format, args...)})
}

// err is the problems as an error, by line; nil if there are none.
func (p problems) err() error {
	if len(p) == 0 {
		return nil
	}
	slices.SortStableFunc(p, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
	return &Error{Problems: p}
}

package selection

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// A SyntaxError is what is wrong with an expression, and where.
type SyntaxError struct {
	Expr    string // as it was written
	Offset  int    // in bytes, of the spot; len(Expr) for its end
	Problem string // in words
	Nearest string // the known word that may have been meant, or empty
}

// Error is the problem, and below it the expression with a caret under the spot.
func (e *SyntaxError) Error() string {
	problem := e.Problem
	if e.Nearest != "" {
		problem += fmt.Sprintf(", did you mean %s?", e.Nearest)
	}
	text, column := e.excerpt()
	return fmt.Sprintf("%s\n\t%s\n\t%s^", problem, text, strings.Repeat(" ", column))
}

// width is how many characters of a long expression are shown on each side of
// the spot.
const width = 32

// excerpt is the expression around the spot as one line, and the column of the
// spot in it.
func (e *SyntaxError) excerpt() (line string, column int) {
	at := min(max(e.Offset, 0), len(e.Expr))
	before, after := printable(e.Expr[:at]), printable(e.Expr[at:])
	if len(before) > width {
		before = append([]rune("…"), before[len(before)-width:]...)
	}
	if len(after) > width {
		after = append(after[:width:width], '…')
	}
	return strings.TrimRight(string(before)+string(after), " "), len(before)
}

// printable replaces what would move the caret.
func printable(text string) []rune {
	return []rune(strings.Map(func(c rune) rune {
		switch {
		case unicode.IsSpace(c):
			return ' '
		case !unicode.IsPrint(c):
			return unicode.ReplacementChar
		}
		return c
	}, text))
}

// quote shows a word in a message, cut short if it is long.
func quote(word string) string {
	if r := []rune(word); len(r) > width {
		word = string(r[:width]) + "…"
	}
	return strconv.Quote(word)
}

package selection

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A tokenKind is a part of speech.
type tokenKind int

const (
	end tokenKind = iota
	word
	and
	or
	not
	open
	shut
)

// token is one word or operator, as it is written and where.
type token struct {
	kind   tokenKind
	text   string
	offset int // in bytes
}

// keywords are the operators that are words.
var keywords = map[string]tokenKind{"and": and, "or": or, "not": not}

// operators are the operators that are not, the longest first.
var operators = []struct {
	text string
	kind tokenKind
}{{"&&", and}, {"||", or}, {",", or}, {"!", not}, {"(", open}, {")", shut}}

// scan splits an expression into tokens, of which the last is the end.
func scan(expr string) ([]token, error) {
	var tokens []token
	for at := 0; at < len(expr); {
		rest := expr[at:]
		c, size := utf8.DecodeRuneInString(rest)
		if unicode.IsSpace(c) {
			at += size
			continue
		}
		t, ok := next(rest)
		if !ok {
			return nil, &SyntaxError{Expr: expr, Offset: at, Problem: unexpected(rest[:size])}
		}
		t.offset = at
		tokens = append(tokens, t)
		at += len(t.text)
	}
	return append(tokens, token{kind: end, offset: len(expr)}), nil
}

// next reads the token that a text begins with.
func next(text string) (token, bool) {
	for _, o := range operators {
		if strings.HasPrefix(text, o.text) {
			return token{kind: o.kind, text: o.text}, true
		}
	}
	n := strings.IndexFunc(text, func(c rune) bool { return !inWord(c) })
	if n < 0 {
		n = len(text)
	}
	if n == 0 {
		return token{}, false
	}
	kind, isKeyword := keywords[strings.ToLower(text[:n])]
	if !isKeyword {
		kind = word
	}
	return token{kind: kind, text: text[:n]}, true
}

// inWord says whether a character belongs to words. More do than any word has,
// so that a mistake is shown as a whole.
func inWord(c rune) bool {
	return unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.IsMark(c) || strings.ContainsRune("-._/:", c)
}

// unexpected says what is wrong with a character that begins no token.
func unexpected(c string) string {
	switch c {
	case "&", "|":
		return fmt.Sprintf("a single %s is no operator, write %s", c, c+c)
	case ";", "+":
		return fmt.Sprintf("%s is no operator, write a comma or ||", c)
	}
	return fmt.Sprintf("unexpected %q", c)
}

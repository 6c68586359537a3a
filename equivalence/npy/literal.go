package npy

import (
	"fmt"
	"strings"
)

// parse reads the header's text: a Python dictionary of three known keys in any
// order, filled with spaces, ended by one line feed.
func (h *Header) parse(text []byte, begin int64) error {
	if len(text) == 0 || text[len(text)-1] != '\n' {
		return wrong(begin+int64(len(text)), "the header does not end in a line feed")
	}
	l := literal{text: string(text[:len(text)-1]), begin: begin}
	if err := l.expect('{'); err != nil {
		return err
	}
	seen := map[string]bool{}
	for !l.take('}') {
		if err := l.entry(h, seen); err != nil {
			return err
		}
		if l.take(',') {
			continue
		}
		if err := l.expect('}'); err != nil {
			return err
		}
		break
	}
	l.space()
	if l.at < len(l.text) {
		return l.wrong("%q after the dictionary", l.text[l.at])
	}
	for _, key := range []string{"descr", "fortran_order", "shape"} {
		if !seen[key] {
			return l.wrong("the header has no %q", key)
		}
	}
	return nil
}

// entry reads one key and its value.
func (l *literal) entry(h *Header, seen map[string]bool) (err error) {
	l.space()
	at := l.at
	key, err := l.str()
	if err != nil {
		return err
	}
	if seen[key] {
		l.at = at
		return l.wrong("%q for the second time", key)
	}
	seen[key] = true
	if err := l.expect(':'); err != nil {
		return err
	}
	l.space()
	switch key {
	case "descr":
		return l.descr(h)
	case "fortran_order":
		h.Fortran, err = l.boolean()
	case "shape":
		h.Shape, err = l.tuple()
	default:
		l.at = at
		err = l.wrong("unknown key %q", key)
	}
	return err
}

func (l *literal) descr(h *Header) (err error) {
	at := l.at
	if strings.HasPrefix(l.text[at:], "[") || strings.HasPrefix(l.text[at:], "(") {
		return l.wrong("a structured type; save one array a field")
	}
	if h.Descr, err = l.str(); err != nil {
		return err
	}
	return h.element(l.begin + int64(at))
}

// A literal is the part of Python's literals that headers are made of.
type literal struct {
	text  string
	at    int
	begin int64 // of the text in its file
}

func (l *literal) wrong(format string, args ...any) error {
	return wrong(l.begin+int64(l.at), format, args...)
}

func (l *literal) space() {
	for l.at < len(l.text) && l.text[l.at] == ' ' {
		l.at++
	}
}

// take passes over a character, if it is the next one.
func (l *literal) take(c byte) bool {
	l.space()
	if l.at == len(l.text) || l.text[l.at] != c {
		return false
	}
	l.at++
	return true
}

func (l *literal) expect(c byte) error {
	if l.take(c) {
		return nil
	}
	return l.wrong("%s, want %q", l.next(), c)
}

// next names the next character.
func (l *literal) next() string {
	if l.at == len(l.text) {
		return "the header's end"
	}
	return fmt.Sprintf("%q", l.text[l.at])
}

// str reads a text in single or double quotes; no type or key needs an escape.
func (l *literal) str() (string, error) {
	if l.at == len(l.text) || l.text[l.at] != '\'' && l.text[l.at] != '"' {
		return "", l.wrong("%s, want a text in quotes", l.next())
	}
	end := strings.IndexByte(l.text[l.at+1:], l.text[l.at])
	if end < 0 {
		return "", l.wrong("a text without an end")
	}
	s := l.text[l.at+1 : l.at+1+end]
	for _, c := range []byte(s) {
		if c < ' ' || c > '~' || c == '\\' {
			return "", l.wrong("%q in a text, want printable ASCII", c)
		}
	}
	l.at += end + 2
	return s, nil
}

func (l *literal) boolean() (bool, error) {
	for word, value := range map[string]bool{"True": true, "False": false} {
		if strings.HasPrefix(l.text[l.at:], word) {
			l.at += len(word)
			return value, nil
		}
	}
	return false, l.wrong("%s, want True or False", l.next())
}

// tuple reads a shape: "()", "(3,)", "(3, 4)". "(3)" is a number to Python, and
// no shape.
func (l *literal) tuple() ([]int64, error) {
	if err := l.expect('('); err != nil {
		return nil, err
	}
	shape := []int64{}
	for comma := true; !l.take(')'); {
		if !comma {
			return nil, l.wrong("%s, want ',' or ')'", l.next())
		}
		if len(shape) == maxAxes {
			return nil, l.wrong("more than %d axes", maxAxes)
		}
		d, err := l.number()
		if err != nil {
			return nil, err
		}
		shape = append(shape, d)
		comma = l.take(',')
		if !comma && len(shape) == 1 {
			return nil, l.wrong("%s after the only length, want ','", l.next())
		}
	}
	return shape, nil
}

func (l *literal) number() (int64, error) {
	l.space()
	start := l.at
	var n int64
	for l.at < len(l.text) && l.text[l.at] >= '0' && l.text[l.at] <= '9' {
		digit := int64(l.text[l.at] - '0')
		if n > (1<<63-1-digit)/10 {
			return 0, l.wrong("a length of more than 63 bits")
		}
		n = 10*n + digit
		l.at++
	}
	if l.at == start {
		return 0, l.wrong("%s, want a length", l.next())
	}
	return n, nil
}

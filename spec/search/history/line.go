package history

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/statespec/statespec/spec/internal/nearest"
)

// String is the operation as one line.
func (o Operation) String() string {
	f, ok := FormOf(o.Verb)
	if !ok {
		return o.Verb
	}
	var ws []string
	if o.Make != "" {
		ws = append(ws, o.Make, "=")
	}
	ws = append(ws, o.Verb)
	if o.On != "" {
		ws = append(ws, o.On)
	}
	for _, p := range f.parts {
		ws = append(ws, p.print(o)...)
	}
	return strings.Join(ws, " ")
}

// A word of a line.
type word struct {
	text   string
	quoted bool
}

func (w word) String() string {
	if w.quoted {
		return "the text " + strconv.Quote(w.text)
	}
	return strconv.Quote(w.text)
}

// split cuts a line into words, up to a comment.
func split(line string) ([]word, error) {
	if !utf8.ValidString(line) {
		return nil, errors.New("it is not UTF-8")
	}
	var ws []word
	for {
		line = strings.TrimLeft(line, " \t\r")
		if line == "" || line[0] == '#' {
			return ws, nil
		}
		if line[0] == '"' {
			quoted, err := strconv.QuotedPrefix(line)
			if err != nil {
				return nil, errors.New("a quote that does not end")
			}
			text, err := strconv.Unquote(quoted)
			if err != nil {
				return nil, fmt.Errorf("the text %s: %w", quoted, err)
			}
			if !utf8.ValidString(text) {
				return nil, fmt.Errorf("the text %s is not UTF-8, as an id has to be", quoted)
			}
			ws, line = append(ws, word{text, true}), line[len(quoted):]
			continue
		}
		end := strings.IndexAny(line, " \t\r\"#")
		if end < 0 {
			end = len(line)
		}
		ws, line = append(ws, word{text: line[:end]}), line[end:]
	}
}

// ParseOperation reads one line.
func ParseOperation(line string) (Operation, error) {
	ws, err := split(line)
	if err != nil {
		return Operation{}, err
	}
	return parse(words{ws})
}

func parse(w words) (o Operation, err error) {
	if len(w.left) >= 2 && w.left[1] == (word{text: "="}) {
		if o.Make, err = w.bare("a slot (m1, h1, o1 or v1)", isSlot); err != nil {
			return o, err
		}
		w.left = w.left[1:]
	}
	verb, err := w.take("an operation")
	if err != nil {
		return o, err
	}
	f, known := FormOf(verb.text)
	if !known || verb.quoted {
		return o, unknown(verb)
	}
	o.Verb = f.Verb
	if err := f.fill(&w, &o); err != nil {
		return o, fmt.Errorf("%s: %w; want %s", f.Verb, err, f.Usage())
	}
	return o, nil
}

func unknown(verb word) error {
	var verbs []string
	for _, f := range forms {
		verbs = append(verbs, f.Verb)
	}
	err := fmt.Errorf("no operation %s", verb)
	if near := nearest.Word(verb.text, verbs); near != "" {
		err = fmt.Errorf("%w: did you mean %s?", err, near)
	}
	return err
}

// fill reads what comes after the verb.
func (f Form) fill(w *words, o *Operation) (err error) {
	switch {
	case o.Make != "" && SortOf(o.Make) != f.Makes:
		if f.Makes == 0 {
			return fmt.Errorf("it makes nothing that could be %s", o.Make)
		}
		return fmt.Errorf("it makes a %s, whose slot begins with %c, not %s", f.Makes, f.Makes, o.Make)
	case o.Make == "" && f.Must:
		return fmt.Errorf("it needs a slot for what it makes")
	}
	if f.On != "" {
		due := "the slot of what it is asked of"
		o.On, err = w.bare(due, func(t string) bool { return isSlot(t) && strings.ContainsRune(f.On, rune(t[0])) })
		if err != nil {
			return err
		}
	}
	for _, p := range f.parts {
		if err := p.parse(w, o); err != nil {
			return err
		}
	}
	if !w.empty() {
		return fmt.Errorf("%s is too much", w.left[0])
	}
	return nil
}

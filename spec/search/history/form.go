package history

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statespec/statespec/spec"
)

// A Form is how the lines of one verb look.
type Form struct {
	Verb  string
	On    string // the sorts that it can be asked of, a letter each; empty: of nothing
	Makes Sort   // what it can make; 0: nothing
	Must  bool   // what it makes needs a slot
	parts []part
	Doc   string
}

// Usage is the form as a line of a manual.
func (f Form) Usage() string {
	words := []string{f.Verb}
	if f.On != "" {
		words = append(words, strings.ToUpper(strings.Join(strings.Split(f.On, ""), "|")))
	}
	for _, p := range f.parts {
		words = append(words, p.usage)
	}
	line := strings.Join(words, " ")
	switch {
	case f.Makes == 0:
		return line
	case f.Must:
		return fmt.Sprintf("%cN = %s", f.Makes, line)
	}
	return fmt.Sprintf("[%cN =] %s", f.Makes, line)
}

// Forms lists every verb.
func Forms() []Form { return slices.Clone(forms) }

// FormOf is the form of a verb.
func FormOf(verb string) (Form, bool) {
	i := slices.IndexFunc(forms, func(f Form) bool { return f.Verb == verb })
	if i < 0 {
		return Form{}, false
	}
	return forms[i], true
}

var forms = []Form{
	{Verb: "manager", Makes: Manager, Must: true, parts: []part{number("cap", 1), refuse, budget}, Doc: "make a manager; refuse: new sessions at the cap"},
	{Verb: "session", On: "m", Makes: Session, parts: []part{perhapsID}, Doc: "the session of an id, or of none; without a slot nobody holds it"},
	{Verb: "continue", On: "m", Makes: Session, parts: []part{id}, Doc: "the session of an id, refused when it is not retained"},
	{Verb: "contains", On: "m", parts: []part{id}, Doc: "whether an id is retained"},
	{Verb: "members", On: "m", Doc: "contains, of every id that was asked for so far"},
	{Verb: "stats", On: "m", Doc: "the statistics"},
	{Verb: "drop", On: "m", parts: []part{id}, Doc: "end a session"},
	{Verb: "raise-cap", On: "m", parts: []part{number("", 1)}, Doc: "raise the cap"},

	{Verb: "ensure", On: "h", Makes: Object, parts: []part{name, kind, bound}, Doc: "the object of a name, built when absent, not resident or of another kind"},
	{Verb: "object", On: "h", Makes: Object, parts: []part{name}, Doc: "the object of a name"},
	{Verb: "put", On: "h", parts: []part{name, given(Object)}, Doc: "store an object under a name"},
	{Verb: "attr", On: "h", Makes: Value, parts: []part{name}, Doc: "read an attribute; with a slot, go on holding what was read"},
	{Verb: "set", On: "h", parts: []part{name, valueOrNone}, Doc: "write an attribute; none clears it"},
	{Verb: "contents", On: "h", Doc: "the names in both buckets"},

	{Verb: "new", Makes: Object, Must: true, parts: []part{kind, from}, Doc: "an object that is in no session and not allocated; from: what it can be made from again"},
	{Verb: "allocate", On: "o", parts: []part{bound}, Doc: "make it usable and empty"},
	{Verb: "commit", On: "o", parts: []part{values(1)}, Doc: "commit payloads; several are an extend"},
	{Verb: "promote", On: "o", Doc: "commit without a payload"},
	{Verb: "stage", On: "o", parts: []part{given(Value)}, Doc: "keep a payload aside"},
	{Verb: "discard", On: "o", Doc: "drop what is staged"},
	{Verb: "view", On: "o", Makes: Value, parts: []part{staged}, Doc: "what is committed; with a slot, go on holding it"},
	{Verb: "last", On: "o", Makes: Value, parts: []part{number("", 1)}, Doc: "the last frames, as one tensor"},
	{Verb: "evict", On: "o", Doc: "release the storage"},
	{Verb: "state", On: "o", Doc: "look without touching"},

	{Verb: "reset", On: "ho", Doc: "reset an object, or a session with all that is in it"},
	{Verb: "look", On: "ho", Doc: "an object: state and view; a session: contents, and every attribute and object in it"},

	{Verb: "tensor", Makes: Value, Must: true, parts: []part{dtype, shape, flags(asArray, odd), seed}, Doc: "a tensor of its own storage; array: a host array; odd: bits that arithmetic would change"},
	{Verb: "narrow", On: "v", Makes: Value, Must: true, parts: []part{number("", 3)}, Doc: "a view: axis, start, length"},
	{Verb: "transpose", On: "v", Makes: Value, Must: true, parts: []part{number("", 2)}, Doc: "a view with two axes exchanged"},
	{Verb: "alias", On: "v", Makes: Value, Must: true, Doc: "a second tensor over the same storage"},
	{Verb: "expand", On: "v", Makes: Value, Must: true, parts: []part{shape}, Doc: "a view broadcast to a shape"},
	{Verb: "reshape", On: "v", Makes: Value, Must: true, parts: []part{shape}, Doc: "a view of another shape"},
	{Verb: "retype", On: "v", Makes: Value, Must: true, parts: []part{dtype}, Doc: "a view of the same bits as another dtype"},
	{Verb: "item", On: "v", Makes: Value, Must: true, parts: []part{number("", 1)}, Doc: "an element of a container, itself"},
	{Verb: "list", Makes: Value, Must: true, parts: []part{values(0)}, Doc: "a list"},
	{Verb: "tuple", Makes: Value, Must: true, parts: []part{values(0)}, Doc: "a tuple"},
	{Verb: "map", Makes: Value, Must: true, parts: []part{pairs}, Doc: "a map from texts"},
	{Verb: "set-of", Makes: Value, Must: true, parts: []part{values(0)}, Doc: "a set"},
	{Verb: "record", Makes: Value, Must: true, parts: []part{values(0)}, Doc: "a value of a type with the fields f, g, ..."},
	{Verb: "instance", Makes: Value, Must: true, parts: []part{values(0)}, Doc: "an object of a class with the attributes f, g, ..."},
	{Verb: "source", Makes: Value, Must: true, parts: []part{values(1)}, Doc: "yields payloads to a commit, then fails"},
	{Verb: "nothing", Makes: Value, Must: true, Doc: "the language's none"},
	{Verb: "bool", Makes: Value, Must: true, parts: []part{truth}, Doc: "a boolean"},
	{Verb: "float", Makes: Value, Must: true, parts: []part{floatBits}, Doc: "a float, by its bits"},
	{Verb: "int", Makes: Value, Must: true, parts: []part{number("", 1)}, Doc: "an integer"},
	{Verb: "text", Makes: Value, Must: true, parts: []part{text}, Doc: "a text"},
	{Verb: "refill", On: "v", parts: []part{seed}, Doc: "write other bits into a tensor, as its caller can"},
	{Verb: "append", On: "v", parts: []part{given(Value)}, Doc: "add to the end of a list"},
	{Verb: "replace", On: "v", parts: []part{number("", 1), given(Value)}, Doc: "put a value in the place of a list's i-th"},
	{Verb: "clear", On: "v", Doc: "empty a list"},
	{Verb: "read", On: "v", Doc: "the content, bit for bit"},

	{Verb: "release", On: "mhov", Doc: "let go of what a slot holds"},
	{Verb: "observe", Doc: "members, look, read and stats of all there is"},
	{Verb: "collect", Doc: "collect, and say which storages live"},
}

// A part is a stretch of words that fills in some fields.
type part struct {
	usage string
	print func(Operation) []string
	parse func(*words, *Operation) error
}

// words are what is left of a line.
type words struct {
	left []word
}

func (w *words) empty() bool { return len(w.left) == 0 }

// take is the next word of a meaning, or why it is none.
func (w *words) take(what string) (word, error) {
	if w.empty() {
		return word{}, fmt.Errorf("it ends where %s is due", what)
	}
	next := w.left[0]
	w.left = w.left[1:]
	return next, nil
}

// takeIf takes a keyword if it is the next word.
func (w *words) takeIf(keyword string) bool {
	if w.empty() || w.left[0].quoted || w.left[0].text != keyword {
		return false
	}
	w.left = w.left[1:]
	return true
}

// bare is the next word, which may not be quoted.
func (w *words) bare(what string, ok func(string) bool) (string, error) {
	next, err := w.take(what)
	if err != nil {
		return "", err
	}
	if next.quoted || !ok(next.text) {
		return "", fmt.Errorf("%s where %s is due", next, what)
	}
	return next.text, nil
}

// quoted is the next word, which has to be quoted.
func (w *words) quoted(what string) (string, error) {
	next, err := w.take(what)
	if err != nil {
		return "", err
	}
	if !next.quoted {
		return "", fmt.Errorf("%s where %s is due", next, what)
	}
	return next.text, nil
}

func (w *words) slot(s Sort) (string, error) {
	return w.bare(fmt.Sprintf("the slot of a %s (%c1)", s, s), func(t string) bool { return isSlot(t) && SortOf(t) == s })
}

var kind = part{
	usage: "KIND",
	print: func(o Operation) []string { return []string{string(o.Kind)} },
	parse: func(w *words, o *Operation) error {
		k, err := w.bare(fmt.Sprintf("a kind of object, one of %q,", kinds), isKind)
		o.Kind = spec.ObjectKind(k)
		return err
	},
}

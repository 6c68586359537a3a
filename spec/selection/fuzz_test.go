package selection

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/statespec/statespec/spec/catalogue"
)

// FuzzParse holds for every text: no panic; a selection means the same when it
// is negated twice or put in parentheses; an error points into the text and
// shows it on three lines.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", "EVI", "ACC-11.set", "EVI && MUST", "!RNG-08", "not RNG-08", "a,b", "(EVI || ACC) && !(OPT, adapter)",
		"EVI-5", "EVI &&", "()", "((", "!!!", "EVI MUST", "&", "ACC-11.", ".set", "-", "\xff", "É\u0301", "\x00\n\t", "and", "or or or",
	} {
		f.Add(seed)
	}
	all, words := catalogue.All(), newVocabulary(catalogue.All())
	f.Fuzz(func(t *testing.T, expr string) {
		s, err := parse(expr, words)
		if err != nil {
			checkFault(t, expr, err)
			return
		}
		if strings.TrimSpace(expr) == "" {
			return
		}
		for _, same := range []string{"(" + expr + ")", "!(!(" + expr + "))", expr + "||" + expr} {
			again, err := parse(same, words)
			if fault, ok := errors.AsType[*SyntaxError](err); ok && strings.HasPrefix(fault.Problem, "nested") {
				continue
			}
			if err != nil {
				t.Fatalf("Parse(%q) = error %v, want what Parse(%q) gives", same, err, expr)
			}
			if got, want := ids(again.Rows(all)), ids(s.Rows(all)); got != want {
				t.Errorf("Parse(%q).Rows = %s, want %s as of %q", same, got, want, expr)
			}
		}
	})
}

func checkFault(t *testing.T, expr string, err error) {
	t.Helper()
	fault, ok := errors.AsType[*SyntaxError](err)
	if !ok {
		t.Fatalf("Parse(%q) = error of type %T, want *SyntaxError", expr, err)
	}
	if fault.Offset < 0 || fault.Offset > len(expr) || fault.Expr != expr || fault.Problem == "" {
		t.Errorf("Parse(%q) = %+v, want a problem at an offset of the text", expr, fault)
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 3 || !strings.HasSuffix(lines[2], "^") {
		t.Fatalf("Parse(%q) = error %q, want three lines, of which the last is a caret", expr, err)
	}
	// A tab before it and the caret itself; blanks at the end are not shown.
	if column := utf8.RuneCountInString(lines[2]) - 2; column > utf8.RuneCountInString(expr) {
		t.Errorf("Parse(%q) = error %q, want the caret under a character or after the last", expr, err)
	}
}

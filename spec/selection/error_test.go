package selection

import (
	"errors"
	"strings"
	"testing"

	"github.com/statespec/statespec/spec/internal/nearest"
)

func TestAMistakeIsShownWithACaretUnderTheSpot(t *testing.T) {
	for _, tt := range []struct{ expr, want string }{
		{"EVI-5", `
unknown word "EVI-5", did you mean EVI-05?
	EVI-5
	^`},
		{"MUST && (EVI-5 || ACC)", `
unknown word "EVI-5", did you mean EVI-05?
	MUST && (EVI-5 || ACC)
	         ^`},
		{"evi05", `
unknown word "evi05", did you mean EVI-05?
	evi05
	^`},
		{"ACC-11/set", `
unknown word "ACC-11/set", did you mean ACC-11.set?
	ACC-11/set
	^`},
		{"manger, adaptor", `
unknown word "manger", did you mean manager?
	manger, adaptor
	^`},
		{"MUTS", `
unknown word "MUTS", did you mean MUST?
	MUTS
	^`},
		{"xyzzy", `
unknown word "xyzzy", want an ID (such as ENV-01), a family (ENV, OFF, OBJ, ATT, EVI, ACC, PRK, RNG, EQV), a level (MUST, SHOULD, OPT) or a layer (manager, adapter, pipeline, config-loader)
	xyzzy
	^`},
		{"ACC-11.sets", `
ACC-11 has no case "sets", only set, map-key, record, instance, stored, did you mean ACC-11.set?
	ACC-11.sets
	^`},
		{"acc-11.bag", `
ACC-11 has no case "bag", only set, map-key, record, instance, stored
	acc-11.bag
	^`},
		{"!EVI-02.kind", `
EVI-02 has no cases, did you mean EVI-02?
	!EVI-02.kind
	 ^`},
		{"EVI MUST", `
&&, || or a comma is missing between "EVI" and "MUST"
	EVI MUST
	    ^`},
		{"EVI !MUST", `
&&, || or a comma is missing between "EVI" and "!"
	EVI !MUST
	    ^`},
		{"EVI & MUST", `
a single & is no operator, write &&
	EVI & MUST
	    ^`},
		{"EVI | MUST", `
a single | is no operator, write ||
	EVI | MUST
	    ^`},
		{"EVI; ACC", `
; is no operator, write a comma or ||
	EVI; ACC
	   ^`},
		{"EVI == MUST", `
unexpected "="
	EVI == MUST
	    ^`},
		{"EVI &&", `
an expression is missing after "&&"
	EVI &&
	      ^`},
		{"EVI,", `
an expression is missing after ","
	EVI,
	    ^`},
		{"|| EVI", `
an expression is missing before "||"
	|| EVI
	^`},
		{"EVI && || ACC", `
an expression is missing between "&&" and "||"
	EVI && || ACC
	       ^`},
		{"()", `
an expression is missing between "(" and ")"
	()
	 ^`},
		{"(EVI && (ACC || RNG)", `
this parenthesis is never closed
	(EVI && (ACC || RNG)
	^`},
		{"EVI)", `
this parenthesis was never opened
	EVI)
	   ^`},
		{"\tEVI\n&& ÄÖÜ ACC", `
unknown word "ÄÖÜ", want an ID (such as ENV-01), a family (ENV, OFF, OBJ, ATT, EVI, ACC, PRK, RNG, EQV), a level (MUST, SHOULD, OPT) or a layer (manager, adapter, pipeline, config-loader)
	 EVI && ÄÖÜ ACC
	        ^`},
		{"MÜST EVI \xff\x00", `
unexpected "\xff"
	MÜST EVI ` + "\ufffd\ufffd" + `
	         ^`},
		{strings.Repeat("EVI || ", 20) + "EVI-99 || " + strings.Repeat("ACC || ", 20) + "ACC", `
unknown word "EVI-99", did you mean EVI-09?
	… || EVI || EVI || EVI || EVI || EVI-99 || ACC || ACC || ACC || A…
	                                 ^`},
	} {
		_, err := Parse(tt.expr)
		if err == nil {
			t.Errorf("Parse(%q) = nil, want an error", tt.expr)
			continue
		}
		if got := "\n" + err.Error(); got != tt.want {
			t.Errorf("Parse(%q) = error%s\nwant%s", tt.expr, got, tt.want)
		}
		if _, ok := errors.AsType[*SyntaxError](err); !ok {
			t.Errorf("Parse(%q) = error of type %T, want *SyntaxError", tt.expr, err)
		}
	}
}

func TestTheNearestWordIsFoundAmongAll(t *testing.T) {
	for word, want := range map[string]string{
		"EVI-5":                          "EVI-05",
		"ACC11":                          "ACC-11",
		"rng-002":                        "RNG-02",
		"ACC-7.sesion":                   "ACC-07.session",
		"EVL":                            "EVI",
		"CAC":                            "ACC", // two neighbours exchanged
		"shuold":                         "SHOULD",
		"configloader":                   "config-loader",
		"x":                              "",
		"nothing-like":                   "",
		strings.Repeat("EVI-05", 10_000): "",
	} {
		if got := nearest.Word(word, full().all()); got != want {
			t.Errorf("nearest(%.20q) = %q, want %q", word, got, want)
		}
	}
}

package selection

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/catalogue"
)

// table is small enough to write down what each expression chooses.
var table = []catalogue.Row{
	{ID: "ENV-13", Level: catalogue.Must, Layer: spec.LayerConfig},
	{ID: "EVI-05", Level: catalogue.Must, Layer: spec.LayerManager},
	{ID: "EVI-18", Level: catalogue.Opt, Layer: spec.LayerManager},
	{ID: "EVI-18.kind", Level: catalogue.Should, Layer: spec.LayerManager},
	{ID: "ACC-11", Level: catalogue.Must, Layer: spec.LayerManager},
	{ID: "ACC-11.set", Level: catalogue.Should, Layer: spec.LayerManager},
	{ID: "ACC-11.map-key", Level: catalogue.Should, Layer: spec.LayerManager},
	{ID: "RNG-02", Level: catalogue.Must, Layer: spec.LayerAdapter},
	{ID: "EQV-07", Level: catalogue.Must, Layer: spec.LayerPipeline},
}

func ids(rows []catalogue.Row) string {
	var ids []string
	for _, r := range rows {
		ids = append(ids, r.ID)
	}
	return strings.Join(ids, " ")
}

func TestAnExpressionChoosesTheRowsItSays(t *testing.T) {
	everything := ids(table)
	for expr, want := range map[string]string{
		"":    everything,
		" \t": everything,

		"ACC-11":         "ACC-11 ACC-11.set ACC-11.map-key",
		"ACC-11.set":     "ACC-11.set",
		"acc-11.Map-Key": "ACC-11.map-key",
		"EVI":            "EVI-05 EVI-18 EVI-18.kind",
		"evi":            "EVI-05 EVI-18 EVI-18.kind",
		"OPT":            "EVI-18",
		"should":         "EVI-18.kind ACC-11.set ACC-11.map-key",
		"adapter":        "RNG-02",
		"pipeline":       "EQV-07",
		"Config-Loader":  "ENV-13",

		"EVI && MUST":           "EVI-05",
		"EVI and MUST":          "EVI-05",
		"EVI&&MUST":             "EVI-05",
		"EVI-05 || ACC-11.set":  "EVI-05 ACC-11.set",
		"EVI-05 OR ACC-11.set":  "EVI-05 ACC-11.set",
		"EVI-05,ACC-11.set":     "EVI-05 ACC-11.set",
		"ACC-11.set, EVI-05":    "EVI-05 ACC-11.set",
		"ACC-11 && !ACC-11.set": "ACC-11 ACC-11.map-key",
		"!manager":              "ENV-13 RNG-02 EQV-07",
		"not manager":           "ENV-13 RNG-02 EQV-07",
		"!!adapter":             "RNG-02",
		"not !adapter":          "RNG-02",
		"(((RNG-02)))":          "RNG-02",
		"EVI && ACC":            "",

		// && binds tighter than || and the comma, ! tighter than &&.
		"EVI || ACC && SHOULD":     "EVI-05 EVI-18 EVI-18.kind ACC-11.set ACC-11.map-key",
		"(EVI || ACC) && SHOULD":   "EVI-18.kind ACC-11.set ACC-11.map-key",
		"ACC && MUST, RNG":         "ACC-11 RNG-02",
		"!EVI && MUST":             "ENV-13 ACC-11 RNG-02 EQV-07",
		"!(EVI || ACC || RNG)":     "ENV-13 EQV-07",
		"MUST and not EVI or OPT":  "ENV-13 EVI-18 ACC-11 RNG-02 EQV-07",
		"EVI && MUST || ACC, EQV":  "EVI-05 ACC-11 ACC-11.set ACC-11.map-key EQV-07",
		"MUST && (EVI, ACC), ENV":  "ENV-13 EVI-05 ACC-11",
		"EVI\n&&\u00a0MUST":        "EVI-05",
		"manager && !SHOULD && !!": "error",
	} {
		s, err := Parse(expr)
		got := ids(s.Rows(table))
		switch {
		case want == "error":
			if err == nil {
				t.Errorf("Parse(%q) = nil, want an error", expr)
			}
		case err != nil:
			t.Errorf("Parse(%q) = error %v", expr, err)
		case sorted(got) != sorted(want):
			t.Errorf("Parse(%q).Rows = %s, want %s", expr, got, want)
		case s.String() != expr:
			t.Errorf("Parse(%q).String() = %q, want the expression", expr, s)
		}
	}
}

func sorted(ids string) string { return strings.Join(slices.Sorted(strings.FieldsSeq(ids)), " ") }

func TestRowsComeInTheOrderOfTheTable(t *testing.T) {
	s, err := Parse("RNG, ACC-11, EVI-05")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := ids(s.Rows(table)), "EVI-05 ACC-11 ACC-11.set ACC-11.map-key RNG-02"; got != want {
		t.Errorf("Rows = %s, want %s", got, want)
	}
}

func TestTheZeroSelectionIsEverything(t *testing.T) {
	var s Selection
	if got, want := ids(s.Rows(table)), ids(table); got != want {
		t.Errorf("Selection{}.Rows = %s, want %s", got, want)
	}
}

func TestEveryWordOfTheCatalogueChoosesSomething(t *testing.T) {
	all := catalogue.All()
	for _, word := range newVocabulary(all).all() {
		rows, err := Select(word, all)
		if err != nil {
			t.Errorf("Select(%q) = error %v", word, err)
		}
		if _, isID := catalogue.Lookup(word); isID && (len(rows) != 1+len(catalogue.Cases(word)) || rows[0].ID != word) {
			t.Errorf("Select(%q) = %s, want that row and its cases", word, ids(rows))
		}
	}
}

func TestNoWordHasTwoMeanings(t *testing.T) {
	v := newVocabulary(catalogue.All())
	if got, want := len(v.filters), len(v.all()); got != want {
		t.Errorf("vocabulary has %d meanings for %d words", got, want)
	}
	for keyword := range keywords {
		if v.filters[keyword] != nil {
			t.Errorf("%q is both an operator and a word", keyword)
		}
	}
}

func TestChoosingNothingIsAnErrorOfItsOwn(t *testing.T) {
	for _, expr := range []string{"EVI && ACC", "!(MUST || SHOULD || OPT)", "MUST and not MUST"} {
		rows, err := Select(expr, table)
		if !errors.Is(err, ErrNothing) || rows != nil {
			t.Errorf("Select(%q) = %s, %v, want ErrNothing", expr, ids(rows), err)
		} else if !strings.Contains(err.Error(), expr) {
			t.Errorf("Select(%q) = error %q, want it to name the expression", expr, err)
		}
	}
	if _, err := Select("", nil); !errors.Is(err, ErrNothing) {
		t.Errorf("Select of no rows = %v, want ErrNothing", err)
	}
	if _, err := Select("EVI-99", table); err == nil || errors.Is(err, ErrNothing) {
		t.Errorf("Select(EVI-99) = %v, want a syntax error", err)
	}
}

func TestRowsThatAreNotInTheCatalogueCanBeSelected(t *testing.T) {
	mine := append(slices.Clone(table), catalogue.Row{ID: "ZZZ-01"}, catalogue.Row{ID: "odd"}, catalogue.Row{})
	for expr, want := range map[string]string{"ZZZ": "ZZZ-01", "zzz-01": "ZZZ-01", "odd": "odd"} {
		if rows, err := Select(expr, mine); err != nil || ids(rows) != want {
			t.Errorf("Select(%q) = %s, %v, want %s", expr, ids(rows), err, want)
		}
	}
}

func TestNestingHasALimit(t *testing.T) {
	nest := func(open, shut string, n int) string {
		return strings.Repeat(open, n) + "EVI" + strings.Repeat(shut, n)
	}
	for name, e := range map[string][2]string{"parentheses": {"(", ")"}, "negations": {"!", ""}, "words": {"not ", ""}} {
		if _, err := Parse(nest(e[0], e[1], maxDepth)); err != nil {
			t.Errorf("Parse of %d %s = error %v", maxDepth, name, err)
		}
		for _, n := range []int{maxDepth + 1, 100_000} {
			_, err := Parse(nest(e[0], e[1], n))
			if fault, ok := errors.AsType[*SyntaxError](err); !ok || fault.Problem != "nested deeper than 100" || fault.Offset != maxDepth*len(e[0]) {
				t.Errorf("Parse of %d %s = %.80v, want nested deeper than 100 at the first too many", n, name, err)
			}
		}
	}
	if _, err := Parse(strings.Repeat("(EVI) && !ACC, ", 1000) + "ENV"); err != nil {
		t.Errorf("Parse of a long flat list = %.80v, want no error", err)
	}
}

func ExampleSelect() {
	rows, err := Select("ACC-12 and not ACC-12.export", catalogue.All())
	if err != nil {
		fmt.Println(err)
	}
	for _, r := range rows {
		fmt.Println(r.ID)
	}
	// Output:
	// ACC-12
	// ACC-12.buffer
	// ACC-12.part-of-array
	// ACC-12.mapped-file
}

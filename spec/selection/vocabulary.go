package selection

import (
	"fmt"
	"strings"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/catalogue"
	"github.com/statespec/statespec/spec/internal/nearest"
)

// vocabulary is every word that an expression can use.
type vocabulary struct {
	ids      []string // in catalogue order
	families []string
	levels   []string
	layers   []string

	filters map[string]filter // by word, in lower case
}

// newVocabulary collects the words for some rows. Levels and layers are always
// known, whether a row has them or not.
func newVocabulary(tables ...[]catalogue.Row) vocabulary {
	v := vocabulary{filters: map[string]filter{}}
	for _, l := range catalogue.Levels() {
		v.add(&v.levels, string(l), func(r catalogue.Row) bool { return r.Level == l })
	}
	for _, l := range spec.Layers() {
		v.add(&v.layers, string(l), func(r catalogue.Row) bool { return r.Layer == l })
	}
	for _, rows := range tables {
		for _, row := range rows {
			v.add(&v.families, row.Family(), func(r catalogue.Row) bool { return r.Family() == row.Family() })
			v.add(&v.ids, row.ID, func(r catalogue.Row) bool { return r.ID == row.ID || r.Guarantee() == row.ID })
		}
	}
	return v
}

// add makes a word known, unless it is.
func (v vocabulary) add(list *[]string, word string, f filter) {
	key := strings.ToLower(word)
	if v.filters[key] == nil {
		v.filters[key] = f
		*list = append(*list, word)
	}
}

// resolve finds what a word means. The error lacks the place of the word.
func (v vocabulary) resolve(word string) (filter, *SyntaxError) {
	if f := v.filters[strings.ToLower(word)]; f != nil {
		return f, nil
	}
	if id, name, ok := strings.Cut(word, "."); ok && v.filters[strings.ToLower(id)] != nil {
		return nil, v.noCase(strings.ToUpper(id), name)
	}
	fault := &SyntaxError{Problem: "unknown word " + quote(word), Nearest: nearest.Word(word, v.all())}
	if fault.Nearest == "" {
		fault.Problem += fmt.Sprintf(", want an ID (such as %s), a family (%s), a level (%s) or a layer (%s)",
			v.ids[0], strings.Join(v.families, ", "), strings.Join(v.levels, ", "), strings.Join(v.layers, ", "))
	}
	return nil, fault
}

// noCase is the fault of a case that a guarantee does not have.
func (v vocabulary) noCase(id, name string) *SyntaxError {
	var cases []string
	for _, known := range v.ids {
		if c, ok := strings.CutPrefix(known, id+"."); ok {
			cases = append(cases, c)
		}
	}
	if len(cases) == 0 {
		return &SyntaxError{Problem: fmt.Sprintf("%s has no cases", id), Nearest: id}
	}
	fault := &SyntaxError{Problem: fmt.Sprintf("%s has no case %s, only %s", id, quote(name), strings.Join(cases, ", "))}
	if c := nearest.Word(name, cases); c != "" {
		fault.Nearest = id + "." + c
	}
	return fault
}

// all lists every word, IDs first.
func (v vocabulary) all() []string {
	var words []string
	for _, list := range [][]string{v.ids, v.families, v.levels, v.layers} {
		words = append(words, list...)
	}
	return words
}

package selection

import (
	"errors"
	"fmt"

	"github.com/statespec/statespec/spec/catalogue"
)

// A Selection chooses rows of the catalogue. The zero Selection chooses every
// row.
type Selection struct {
	text   string
	filter filter // nil: every row
}

// filter says whether a row is chosen.
type filter func(catalogue.Row) bool

// Parse reads an expression about the rows of the catalogue. The error is a
// *[SyntaxError].
func Parse(expr string) (Selection, error) {
	return parse(expr, newVocabulary(catalogue.All()))
}

// Matches says whether the selection chooses a row.
func (s Selection) Matches(r catalogue.Row) bool { return s.filter == nil || s.filter(r) }

// Rows lists those rows of all that the selection chooses, in their order.
func (s Selection) Rows(all []catalogue.Row) []catalogue.Row {
	var chosen []catalogue.Row
	for _, r := range all {
		if s.Matches(r) {
			chosen = append(chosen, r)
		}
	}
	return chosen
}

// String is the expression as it was written.
func (s Selection) String() string { return s.text }

// ErrNothing is the error of an expression that chooses no row.
var ErrNothing = errors.New("nothing selected")

// Select lists those rows of all that an expression chooses, in their order. The
// expression may name every row of the catalogue and of all. The error is a
// *[SyntaxError], or wraps [ErrNothing].
func Select(expr string, all []catalogue.Row) ([]catalogue.Row, error) {
	s, err := parse(expr, newVocabulary(catalogue.All(), all))
	if err != nil {
		return nil, err
	}
	chosen := s.Rows(all)
	if len(chosen) == 0 {
		return nil, fmt.Errorf("%w: %q matches none of %d rows", ErrNothing, expr, len(all))
	}
	return chosen, nil
}

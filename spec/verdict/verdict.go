package verdict

import (
	"fmt"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/catalogue"
)

// A Verdict is what a run says of one guarantee, or of one case of one. For a
// case, and for a guarantee without cases, Own and Verdict are the same word.
type Verdict struct {
	ID      string          `json:"id"`      // "ACC-11", "ACC-11.set"
	Level   catalogue.Level `json:"level"`   // of the own row
	Verdict Word            `json:"verdict"` // the worst of the own row and the cases
	Own     Word            `json:"own"`     // the own row's: what exit codes count

	Statement string            `json:"statement"`
	Why       string            `json:"why"`
	Source    string            `json:"source"`
	Layer     spec.Layer        `json:"layer"`
	Needs     []spec.Capability `json:"needs,omitempty"`
	Since     string            `json:"since"`           // suite version that first had the row
	AskedFrom string            `json:"asked,omitempty"` // suite version from which it is asked, when later than Since

	Selected bool   `json:"selected"`         // in the run's selection, asked or not
	Reason   string `json:"reason,omitempty"` // why the own row's word is not simply held or broken
	Link     string `json:"link,omitempty"`   // the expectation's

	// Held of Of parts held. Parts are the cases of a guarantee that has some,
	// and the specs of any other row.
	Held int `json:"held"`
	Of   int `json:"of"`

	Specs []Outcome `json:"specs"`           // of the own row
	Cases []Verdict `json:"cases,omitempty"` // of a guarantee, in catalogue order
}

// Row is the catalogue row that the verdict is of.
func (v Verdict) Row() catalogue.Row {
	return catalogue.Row{ID: v.ID, Level: v.Level, Layer: v.Layer, Needs: v.Needs, Statement: v.Statement, Why: v.Why,
		Source: v.Source, Since: v.Since, Asked: v.AskedFrom}
}

// Text is the verdict as a person reads it: its word, and how many parts held
// where not all did: "held (3 of 5 cases)".
func (v Verdict) Text() string {
	if v.Verdict != Held || v.Held == v.Of && v.Own == Held {
		return string(v.Verdict)
	}
	switch {
	case len(v.Cases) == 0:
		return fmt.Sprintf("%s (%d of %d specs)", v.Verdict, v.Held, v.Of)
	case v.Own != Held:
		return fmt.Sprintf("%s (%d of %d cases, its own row %s)", v.Verdict, v.Held, v.Of, v.Own)
	}
	return fmt.Sprintf("%s (%d of %d cases)", v.Verdict, v.Held, v.Of)
}

// Telling lists the specs that decided the own row's word: its worst.
func (v Verdict) Telling() []Outcome {
	var words []Word
	for _, o := range v.Specs {
		words = append(words, o.Outcome)
	}
	worst := Worst(words...)
	var telling []Outcome
	for _, o := range v.Specs {
		if o.Outcome == worst {
			telling = append(telling, o)
		}
	}
	return telling
}

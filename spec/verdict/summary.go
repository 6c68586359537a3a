package verdict

import (
	"slices"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/catalogue"
)

// A Summary counts rows: own rows of guarantees and their cases alike.
type Summary struct {
	Line    string                           `json:"line"`    // the verdict, in one line
	Exit    Exit                             `json:"exit"`    //
	Reasons []string                         `json:"reasons"` // why Exit is not 0, a sentence each
	Strict  bool                             `json:"strict"`  // a broken SHOULD fails the run
	Words   map[Word]int                     `json:"words"`   // rows by word
	Levels  map[catalogue.Level]map[Word]int `json:"levels"`  // rows by level and word
	Layers  Layers                           `json:"layers"`
}

// Layers says how far a run went.
type Layers struct {
	Reached    []spec.Layer `json:"reached"`     // at least one row was asked and answered
	NotAsked   []spec.Layer `json:"not_asked"`   // claimed, and nothing of it was asked
	NotClaimed []spec.Layer `json:"not_claimed"` //
}

// Summarise counts the results and judges them under a policy.
func (r Results) Summarise(p Policy) Summary {
	s := Summary{Line: r.Line(p), Exit: r.Exit(p), Reasons: r.Reasons(p), Strict: p.Strict, Words: noRows(),
		Levels: map[catalogue.Level]map[Word]int{catalogue.Must: noRows(), catalogue.Should: noRows(), catalogue.Opt: noRows()},
		Layers: r.layers()}
	for _, v := range r.Rows() {
		s.Words[v.Own]++
		if s.Levels[v.Level] != nil {
			s.Levels[v.Level][v.Own]++
		}
	}
	return s
}

// noRows has every word, so that a reader of the JSON finds a 0 and no gap.
func noRows() map[Word]int {
	counts := map[Word]int{}
	for _, w := range Words() {
		counts[w] = 0
	}
	return counts
}

func (r Results) layers() Layers {
	l := Layers{Reached: []spec.Layer{}, NotAsked: []spec.Layer{}, NotClaimed: []spec.Layer{}}
	rows := r.Rows()
	for _, layer := range spec.Layers() {
		asked := slices.ContainsFunc(rows, func(v Verdict) bool { return v.Layer == layer && v.Own.Asked() })
		switch {
		case asked:
			l.Reached = append(l.Reached, layer)
		case slices.Contains(r.Subject.Layers, layer):
			l.NotAsked = append(l.NotAsked, layer)
		default:
			l.NotClaimed = append(l.NotClaimed, layer)
		}
	}
	return l
}

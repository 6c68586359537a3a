package regress

import (
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// Better says which way of a unit is better.
type Better string

// The ways.
const (
	Lower   Better = "lower"
	Higher  Better = "higher"
	Unknown Better = ""
)

// Terms say how the values of a benchmark in a unit are judged.
type Terms struct {
	Better Better `json:"better"`
	// Gate is whether the word counts for the verdict.
	Gate bool `json:"gate"`
	// Exact values are counted, not sampled: one run is enough.
	Exact bool `json:"exact"`
	// Worse is the change for the worse that is still allowed, as a part of old.
	Worse float64 `json:"worse"`
	// Noise is the worst change that the interval of a pass may reach.
	Noise float64 `json:"noise"`
	// Least is a difference too small to matter, in the unit.
	Least float64 `json:"least"`
	// Samples are the runs of each file without which there is no verdict.
	Samples int `json:"samples"`
	// raw values depend on the machine.
	raw bool
}

// Samples6 is the least number of runs for a 95 % interval of a median.
const Samples6 = 6

// unitTerms are the terms of a unit as long as nothing says otherwise. The first
// that fits counts. Units are tidy: sec/op, not ns/op.
func unitTerms(unit string) Terms {
	numerator, denominator, _ := strings.Cut(unit, "/")
	words := strings.FieldsFunc(numerator, func(r rune) bool { return r == '-' || r == '*' || r == ' ' })
	has := func(word string) bool { return slices.Contains(words, word) }
	t := Terms{}.sampled()
	switch {
	case has("floor"): // what the loop takes, not what is measured
		t.raw = true
	case unit == "ratio" || denominator == "control": // not hit-ratio, of which more is better
		t.Better, t.Gate = Lower, true
	case unit == "allocs/op" || has("held") && (has("bytes") || has("B")):
		t = Terms{Better: Lower}.counted()
	case denominator == "s" || denominator == "sec":
		t.Better, t.raw = Higher, true
	case has("sec"):
		t.Better, t.raw = Lower, true
	case has("B") || has("bytes"): // a part of an allocation depends on how often the loop ran
		t.Better, t.Gate, t.Worse, t.Noise, t.Least = Lower, true, 0.10, 0.25, 16
	}
	return t
}

// declared changes terms by what a file says of the unit.
func (t Terms) declared(unit string, units benchfmt.UnitMetadataMap) Terms {
	if m := units.Get(unit, "better"); m != nil {
		t.Better = Better(m.Value)
	}
	switch m := units.Get(unit, "assume"); {
	case m == nil:
	case m.Value == "exact":
		return t.counted()
	case t.Exact:
		return t.sampled()
	}
	return t
}

// counted are the terms of values that are exact: they gate, and any difference is
// one.
func (t Terms) counted() Terms {
	t.Exact, t.Gate, t.Worse, t.Least, t.Samples = true, true, 0, 0, 1
	return t
}

// sampled are the terms of values that vary.
func (t Terms) sampled() Terms {
	t.Exact, t.Worse, t.Noise, t.Samples = false, 0.05, 0.15, Samples6
	return t
}

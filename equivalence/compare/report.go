package compare

import "slices"

// A Report is what two paths have in common and where they part. Its JSON is that
// of `statespec diff --json`.
type Report struct {
	Schema int    `json:"schema"`
	A      string `json:"a"`
	B      string `json:"b"`
	// Equal says that something was compared, that all of it is equal to the bit, and
	// that neither side has more.
	Equal     bool       `json:"equal"`
	Artefacts []Artefact `json:"artefacts"`  // in their order: the manifest's, or the natural one
	NotJudged []string   `json:"not_judged"` // files of a format that is not read
	Notes     []string   `json:"notes"`      // doubts that change no verdict
}

// Schema is the version of a report's JSON.
const Schema = 1

// An Artefact is a named value on both sides.
type Artefact struct {
	Name      string `json:"name"`
	Equal     bool   `json:"equal"`
	Elements  int64  `json:"elements"` // of A where the sides have other shapes
	Different int64  `json:"different"`
	// Problem is what makes two values different as such, in a sentence: one is
	// missing, or kind, dtype, shape or order differ. Elements are then compared only
	// where just the order differs.
	Problem string      `json:"problem,omitempty"`
	First   *Divergence `json:"first"`

	Kind  string  `json:"kind"` // "array", or that of a number or text
	DType string  `json:"dtype,omitempty"`
	Shape []int64 `json:"shape,omitempty"`

	// Of an array that differs, unless only counts were asked for.
	ULP    *Distances `json:"ulp,omitempty"`
	Axes   []Axis     `json:"axes,omitempty"`
	Beside *Beside    `json:"beside,omitempty"`

	steps bool // its first axis is the step
	heat  *heat
}

// A Divergence is one element that differs. Its values are text: NaN is no JSON.
type Divergence struct {
	Index []int64 `json:"index"`
	A     string  `json:"a"`
	B     string  `json:"b"`
	BitsA string  `json:"bits_a"`
	BitsB string  `json:"bits_b"`
	ULP   string  `json:"ulp"` // "" where there is no distance
}

// Distances are how far elements that differ are apart, in units in the last
// place; between integers in ones.
type Distances struct {
	Largest      string  `json:"largest"`
	LargestIndex []int64 `json:"largest_index,omitempty"`
	// Difference is the largest of two floats, as a number; infinities of one sign are
	// 0 apart, others +Inf.
	Difference string `json:"largest_difference,omitempty"`
	// Typical is the cell of the histogram that the median lies in: "1", "4 to 7".
	Typical string `json:"typical"`
	// Histogram counts distances by their bits: 0, 1, 2 to 3, 4 to 7, and so on.
	Histogram []int64 `json:"histogram"`

	SignedZeros      int64 `json:"signed_zeros"` // -0 against +0
	NaNPayloads      int64 `json:"nan_payloads"` // NaN on both sides, other bits
	NaNAgainstNumber int64 `json:"nan_against_number"`
}

// An Axis says where along one axis elements differ.
type Axis struct {
	Axis    int    `json:"axis"`
	Name    string `json:"name,omitempty"`
	Length  int64  `json:"length"`
	First   int64  `json:"first"`   // the first index with a difference
	Last    int64  `json:"last"`    // the last one
	Summary string `json:"summary"` // "index 14 and later"

	// Bins count differing elements over at most 1,024 runs of Width indices.
	Bins  []int64 `json:"-"`
	Width int64   `json:"-"`
}

// Beside counts elements that are further apart than was asked about; NaN is
// further from everything than any bound.
type Beside struct {
	ULP             uint64  `json:"ulp,omitempty"`
	BeyondULP       *int64  `json:"beyond_ulp,omitempty"`
	AbsTol          float64 `json:"abs,omitempty"`
	RelTol          float64 `json:"rel,omitempty"`
	BeyondTolerance *int64  `json:"beyond_tolerance,omitempty"`
}

// FirstDifferent is where the two sides part first: by step, where artefacts have
// one, else in their order. It is nil where all are equal.
func (r *Report) FirstDifferent() *Artefact {
	var first *Artefact
	for i := range r.Artefacts {
		a := &r.Artefacts[i]
		if !a.Equal && (first == nil || a.part() < first.part()) {
			first = a
		}
	}
	return first
}

// part is the step at which an artefact parts; 0 where it has no steps.
func (a *Artefact) part() int64 {
	if a.steps && a.First != nil && len(a.First.Index) > 0 {
		return a.First.Index[0]
	}
	return 0
}

// LastEqualBefore is the artefact before FirstDifferent, if it is equal as far as
// that: equal state before arithmetic that differs tells where to look. Where the
// first artefact of a step differs it is the last one of the step before. It is
// nil where there is none.
func (r *Report) LastEqualBefore() *Artefact {
	first := r.FirstDifferent()
	if first == nil {
		return nil
	}
	at := slices.IndexFunc(r.Artefacts, func(a Artefact) bool { return a.Name == first.Name })
	step := first.part()
	for i := at - 1; i >= 0; i-- {
		if a := &r.Artefacts[i]; a.Equal || first.steps && a.steps && a.part() > step {
			return a
		}
	}
	if step > 0 {
		for i := len(r.Artefacts) - 1; i >= at; i-- {
			if a := &r.Artefacts[i]; a.steps && (a.Equal || a.part() >= step) {
				return a
			}
		}
	}
	return nil
}

// Counts are the artefacts that are equal, and that are not.
func (r *Report) Counts() (equal, different int) {
	for _, a := range r.Artefacts {
		if a.Equal {
			equal++
		} else {
			different++
		}
	}
	return equal, different
}

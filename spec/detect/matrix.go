package detect

import (
	"slices"
	"strings"

	"github.com/statespec/statespec/spec/catalogue"
)

// A Matrix is the faults of one family against every row that one of them
// breaks: faults in columns, rows in the catalogue's order.
type Matrix struct {
	Family catalogue.Family
	Faults []Finding
	Rows   []string
	Asked  []string // rows of the family that are asked
}

// Matrices splits a detection by the family of the first row that a fault
// breaks. A family without faults has no matrix.
func (d Detection) Matrices() []Matrix {
	var out []Matrix
	for _, family := range catalogue.Families() {
		m := Matrix{Family: family}
		var met []string
		for _, f := range d.Faults {
			if code, _, _ := strings.Cut(f.Breaks[0], "-"); code == family.Code {
				m.Faults = append(m.Faults, f)
				met = slices.Concat(met, f.Breaks, f.Follows, f.Broken, f.Unjudged)
			}
		}
		for _, r := range catalogue.All() {
			if r.Family() == family.Code && r.AskedIn(catalogue.Suite) {
				m.Asked = append(m.Asked, r.ID)
			}
		}
		if m.Rows = inOrder(met); len(m.Faults) > 0 {
			out = append(out, m)
		}
	}
	return out
}

// A Cell is what one fault did to one row.
type Cell struct {
	Mark rune   // one column, for plain text
	Word string // for a reader of the page
}

// What a cell can be.
var (
	kept       = Cell{'·', "held"}
	breaks     = Cell{'X', "broken, as the fault is there to do"}
	follows    = Cell{'f', "broken, as follows from the fault"}
	missed     = Cell{'?', "held, and should be broken"}
	unexpected = Cell{'!', "broken, and should not be"}
	unjudged   = Cell{'-', "no verdict"}
)

// Legend lists the cells.
func Legend() []Cell { return []Cell{breaks, follows, kept, missed, unexpected, unjudged} }

// On is what the fault did to a row.
func (f Finding) On(row string) Cell {
	switch {
	case slices.Contains(f.Missed, row):
		return missed
	case slices.Contains(f.Unexpected, row):
		return unexpected
	case slices.Contains(f.Unjudged, row):
		return unjudged
	case slices.Contains(f.Breaks, row):
		return breaks
	case slices.Contains(f.Follows, row):
		return follows
	}
	return kept
}

// Exact counts the faults of which the suite found what it should.
func (m Matrix) Exact() (n int) {
	for _, f := range m.Faults {
		if f.OK {
			n++
		}
	}
	return n
}

// statementOf is what a row promises.
func statementOf(id string) string {
	r, _ := catalogue.Lookup(id)
	return r.Statement
}

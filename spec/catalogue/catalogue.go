package catalogue

import (
	"slices"
	"sync"

	"github.com/statespec/statespec/spec"
)

// All lists every row: by family, then by number, a guarantee before its
// cases. The slice and what it holds are the caller's.
func All() []Row {
	var all []Row
	for _, f := range families() {
		for _, r := range f.rows() {
			all = append(all, f.complete(r))
		}
	}
	return all
}

// Lookup finds the row of an ID, as the ID is written: "ACC-11", "ACC-11.set".
func Lookup(id string) (Row, bool) {
	r, ok := index()[id]
	r.Needs = slices.Clone(r.Needs)
	return r, ok
}

// index is the rows by ID. The table never changes, and every spec asks for its
// row several times.
var index = sync.OnceValue(func() map[string]Row {
	rows := map[string]Row{}
	for _, r := range All() {
		rows[r.ID] = r
	}
	return rows
})

// Cases lists the cases of a guarantee, in catalogue order; none for an ID that
// is a case or is not in the catalogue.
func Cases(id string) []Row {
	return slices.DeleteFunc(All(), func(r Row) bool { return !r.IsCase() || r.Guarantee() != id })
}

// complete fills in what a row has in common with most others.
func (f family) complete(r Row) Row {
	if r.Layer == "" {
		r.Layer = spec.LayerManager
	}
	if r.Since == "" {
		r.Since = "0.1"
	}
	if r.Asked == "" {
		r.Asked = f.asked
	}
	return r
}

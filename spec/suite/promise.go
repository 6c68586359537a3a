package suite

import (
	"slices"

	"github.com/onsi/ginkgo/v2"

	"github.com/statespec/statespec/spec/catalogue"
)

// Mark is the label that every spec of the catalogue carries, beside those of
// its row. A user's own specs in the same binary do not have it.
const Mark = "statespec"

// Promise labels a spec with the one row of the catalogue that it checks: its
// ID, family and level. A row that is not in the catalogue is a mistake of ours,
// and panics when the spec is registered.
func Promise(id string) ginkgo.Labels {
	row, ok := catalogue.Lookup(id)
	if !ok {
		panic("no row " + id + " in the catalogue")
	}
	return ginkgo.Label(Mark, row.ID, row.Family(), string(row.Level))
}

// RowOf is the row that a spec is tied to by its labels. A spec with none, or
// with several, is a mistake of ours.
func RowOf(labels []string) (row catalogue.Row, ok bool) {
	if !slices.Contains(labels, Mark) {
		return row, false
	}
	found := 0
	for _, l := range labels {
		if r, is := catalogue.Lookup(l); is {
			row = r
			found++
		}
	}
	return row, found == 1
}

package faulty

import (
	"fmt"
	"slices"

	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/internal/nearest"
)

// Var names the fault that a process of ours is to be the subject of.
const Var = "STATESPEC_FAULT"

// A Fault is the reference with one promise broken.
type Fault struct {
	Name    string   // what it does, as in "evicts the most recent"
	Breaks  []string // the rows that it is there to break, at least one
	Follows []string // the rows that cannot hold beside it
	Met     string   // where a real implementation had it; empty: nobody saw it yet

	// Parts makes what differs from the reference, for one subject.
	Parts func() subject.Parts
}

// All lists every fault, by family in the catalogue's order.
func All() []Fault {
	return slices.Concat(environment(), objects(), attributes(), eviction(), accounting(), parking(), ring(), equivalence())
}

// Find is the fault of a name, or an error that says which one may have been
// meant.
func Find(name string) (Fault, error) {
	all := All()
	names := make([]string, len(all))
	for i, f := range all {
		if names[i] = f.Name; f.Name == name {
			return f, nil
		}
	}
	if meant := nearest.Word(name, names); meant != "" {
		return Fault{}, fmt.Errorf("no fault is named %q: did you mean %q?", name, meant)
	}
	return Fault{}, fmt.Errorf("no fault is named %q: statespec detect --list names them", name)
}

// Factory makes subjects with the fault. They say so in their name.
func (f Fault) Factory() spec.Factory { return subject.Assemble(f.Named) }

// Named is the parts of a subject that says the fault in its name.
func (f Fault) Named() subject.Parts {
	parts := f.Parts()
	hello := parts.Hello
	parts.Hello = func(h *spec.Hello) {
		h.Name = "reference that " + f.Name
		if hello != nil {
			hello(h)
		}
	}
	return parts
}

// following is the fault with more rows that cannot hold beside it.
func (f Fault) following(rows ...string) Fault {
	f.Follows = slices.Concat(f.Follows, rows)
	return f
}

// Rows lists the rows that have to come out broken, and no other may.
func (f Fault) Rows() []string { return slices.Concat(f.Breaks, f.Follows) }

// In lists the faults that break a row.
func In(row string) []Fault {
	return slices.DeleteFunc(All(), func(f Fault) bool { return !slices.Contains(f.Breaks, row) })
}

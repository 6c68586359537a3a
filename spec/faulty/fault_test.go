package faulty_test

import (
	"slices"
	"testing"

	"github.com/statespec/statespec/spec/catalogue"
	"github.com/statespec/statespec/spec/faulty"
)

func rows() map[string]catalogue.Row {
	m := map[string]catalogue.Row{}
	for _, r := range catalogue.All() {
		m[r.ID] = r
	}
	return m
}

func TestEveryRowThatIsAskedHasAFault(t *testing.T) {
	for _, r := range catalogue.All() {
		if r.AskedIn(catalogue.Suite) && len(faulty.In(r.ID)) == 0 {
			t.Errorf("no fault breaks %s: %s", r.ID, r.Statement)
		}
	}
}

func TestFaultsNameRowsThatAreAskedAndOnce(t *testing.T) {
	all, names := rows(), map[string]bool{}
	for _, f := range faulty.All() {
		if names[f.Name] {
			t.Errorf("two faults are named %q", f.Name)
		}
		names[f.Name] = true
		if len(f.Breaks) == 0 {
			t.Errorf("%q breaks nothing", f.Name)
		}
		met := map[string]bool{}
		for _, id := range f.Rows() {
			if r, known := all[id]; !known || !r.AskedIn(catalogue.Suite) {
				t.Errorf("%q names %s, which is not asked", f.Name, id)
			}
			if met[id] {
				t.Errorf("%q names %s twice", f.Name, id)
			}
			met[id] = true
		}
	}
}

func TestAFaultIsFoundByItsName(t *testing.T) {
	for _, f := range faulty.All() {
		if found, err := faulty.Find(f.Name); err != nil || !slices.Equal(found.Breaks, f.Breaks) {
			t.Errorf("Find(%q) = %v, %v, want the fault", f.Name, found.Breaks, err)
		}
	}
	if _, err := faulty.Find("is perfect"); err == nil {
		t.Error(`Find("is perfect") = nil, want an error`)
	}
}

package plan_test

import (
	"slices"
	"testing"

	"github.com/statespec/statespec/spec/catalogue"
	"github.com/statespec/statespec/spec/plan"
	"github.com/statespec/statespec/spec/suite"
)

// A guarantee without a spec would read as kept by everybody; a spec without a
// guarantee would accuse of breaking what nobody promised.
func TestEveryRowHasASpecAndEverySpecARow(t *testing.T) {
	specs := plan.Specs()
	for _, s := range specs[""] {
		t.Errorf("the spec %q (%s) is tied to no one row: its labels are %v", s.Text, s.Location, s.Labels)
	}
	asked := 0
	for _, r := range catalogue.All() {
		n := len(specs[r.ID])
		switch {
		case r.AskedIn(catalogue.Suite) && n == 0:
			t.Errorf("%s is asked in suite %s and has no spec", r.ID, catalogue.Suite)
		case !r.AskedIn(catalogue.Suite) && n > 0:
			t.Errorf("%s is asked from suite %s, and has %d specs in suite %s", r.ID, r.Asked, n, catalogue.Suite)
		}
		asked += min(n, 1)
	}
	if asked == 0 {
		t.Fatal("no row has a spec: nothing was read")
	}
	for id, of := range specs {
		texts := map[string]bool{}
		for _, s := range of {
			if texts[s.Text] {
				t.Errorf("%s has two specs of the text %q: a report cannot tell them apart", id, s.Text)
			}
			texts[s.Text] = true
			if !slices.Contains(s.Labels, suite.Mark) {
				t.Errorf("the spec %q has no label %q", s.Text, suite.Mark)
			}
		}
	}
}

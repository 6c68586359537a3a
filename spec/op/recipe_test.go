package op_test

import (
	"strings"
	"testing"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
)

// What is not whole never reaches a subject, which would have to look for each
// operand: it is the asker's mistake, and told as one.
func TestARecipeWithoutItsOperandsIsNotMade(t *testing.T) {
	for _, c := range []struct {
		recipe spec.Recipe
		says   string
	}{
		{spec.Recipe{Step: "narrow", Axes: []int{0, 0, 1}}, "params.from: narrow is made from 1 value, not 0"},
		{spec.Recipe{Step: "alias"}, "params.from"},
		{spec.Recipe{Step: "borrow", Axes: []int{0}}, "params.recipe: borrow takes 2 axes, not 1"},
		{spec.Recipe{Step: "borrow", Text: "export", Axes: []int{0, 1}}, "params.from"},
		{spec.Recipe{Step: "stored"}, "params.object"},
	} {
		d := op.NewDispatcher(&counter{})
		_, err := d.Serve(op.Call{Method: "make", Params: op.Params{As: "v1", Recipe: &c.recipe}})
		if err == nil || err.Kind != spec.Internal || !strings.Contains(err.Message, c.says) {
			t.Errorf("make %+v = %v, want %s: %s", c.recipe, err, spec.Internal, c.says)
		}
	}
	_, err := op.NewDispatcher(&counter{}).Serve(op.Call{Method: "new_manager", Params: op.Params{As: "m1",
		ManagerSpec: &spec.ManagerSpec{Attrs: []spec.AttrDecl{{Name: "a", Default: spec.Recipe{Step: "item"}}}}}})
	if err == nil || err.Kind != spec.Internal {
		t.Errorf("new_manager with a default that is an item of nothing = %v, want %s", err, spec.Internal)
	}
}

func TestAWholeRecipeReachesTheSubject(t *testing.T) {
	for _, r := range []spec.Recipe{spec.Tensor("uint8", 1, 2), spec.Nothing(), spec.List(), spec.Borrow("buffer", nil, 0, 8), spec.Opaque()} {
		_, err := op.NewDispatcher(&counter{}).Serve(op.Call{Method: "make", Params: op.Params{As: "v1", Recipe: &r}})
		if err == nil || err.Kind != spec.TypeMismatch {
			t.Errorf("make %s = %v, want the subject's own answer", r.Step, err)
		}
	}
}

package op

import (
	"slices"

	"github.com/statespec/statespec/spec"
)

// operands are what the steps of a recipe need of it. A subject reads them
// without looking whether they are there.
var operands = map[string]struct{ from, axes int }{
	"narrow": {1, 3}, "transpose": {1, 2}, "expand": {from: 1}, "retype": {from: 1}, "reshape": {from: 1}, "alias": {from: 1},
	"item": {1, 1}, "nest": {from: 1}, "borrow": {axes: 2},
}

// lenders are the kinds of borrowing that are from another value.
var lenders = []string{"export", "part-of-array"}

// deepest is how often a recipe may nest a value: more than any spec asks for,
// and soon done.
const deepest = 1 << 20

// checkRecipe refuses a recipe that lacks an operand of its step.
func checkRecipe(r spec.Recipe, from int) error {
	need := operands[r.Step]
	if r.Step == "borrow" && slices.Contains(lenders, r.Text) {
		need.from = 1
	}
	switch {
	case from < need.from:
		return spec.Refuse(spec.Internal, "params.from: %s is made from %d value, not %d", r.Step, need.from, from)
	case len(r.Axes) < need.axes:
		return spec.Refuse(spec.Internal, "params.recipe: %s takes %d axes, not %d", r.Step, need.axes, len(r.Axes))
	case r.Step == "nest" && (r.Int < 0 || r.Int > deepest):
		return spec.Refuse(spec.Internal, "params.recipe: nest %d deep, want 0 to %d", r.Int, deepest)
	case r.Step == "stored" && r.Object == nil:
		return spec.Refuse(spec.Internal, "params.object: stored is made from an object")
	}
	return nil
}

// checkEdit refuses an edit that lacks its value.
func checkEdit(e spec.Edit) error {
	if (e.Do == "append" || e.Do == "replace") && len(e.With) == 0 {
		return spec.Refuse(spec.Internal, "params.values: %s takes a value", e.Do)
	}
	return nil
}

package subject_test

import (
	"errors"
	"testing"

	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec"
)

func TestAModelTakesTheShippedWindowOnlyWhenNoneIsAskedFor(t *testing.T) {
	s := must[spec.Subject](t)(subject.New(t.Context(), spec.Process{}))
	for _, path := range []string{spec.Bespoke, spec.Managed} {
		model := spec.ModelSpec{Model: "dreamzero", Path: path}
		if path == spec.Managed {
			model.Manager = must[spec.Manager](t)(s.NewManager(spec.ManagerSpec{}))
		}
		for _, window := range []*int{nil, new(1), new(7)} {
			model.Window = window
			must[spec.Model](t)(s.NewModel(model))
		}
		for _, window := range []int{0, -1} {
			model.Window = &window
			_, err := s.NewModel(model)
			if refusal, ok := errors.AsType[*spec.Error](err); !ok || refusal.Kind != spec.InvalidArgument {
				t.Errorf("NewModel on the %s path with a window of %d = %v, want it refused as invalid", path, window, err)
			}
		}
	}
}

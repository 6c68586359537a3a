package subject_test

import (
	"errors"
	"slices"
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

func TestAClipIsEncodedOnlyWhereThereIsAnEncoder(t *testing.T) {
	for _, tt := range []struct {
		name   string
		open   spec.Factory
		recipe spec.Recipe
		want   spec.Kind
	}{
		{"without an encoder", subject.New, spec.Tensor("uint8", 1, 1, 352, 640, 3), spec.Unsupported},
		{"of another size", subject.NewShipped, spec.Tensor("uint8", 1, 1, 16, 16, 3), spec.InvalidArgument},
		{"of another rank", subject.NewShipped, spec.Tensor("uint8", 1, 352, 640, 3), spec.InvalidArgument},
		{"of no frame", subject.NewShipped, spec.Tensor("uint8", 1, 0, 352, 640, 3), spec.InvalidArgument},
		{"of another dtype", subject.NewShipped, spec.Tensor("float32", 1, 1, 352, 640, 3), spec.InvalidArgument},
	} {
		s := must[spec.Subject](t)(tt.open(t.Context(), spec.Process{}))
		if got, want := slices.Contains(s.Hello().Can, spec.CanShippedEncoder), tt.want != spec.Unsupported; got != want {
			t.Errorf("%s: claims its encoder: %t, want %t", tt.name, got, want)
		}
		state := must[spec.State](t)(must[spec.Model](t)(s.NewModel(spec.ModelSpec{Model: "dreamzero", Path: spec.Bespoke})).Open("a"))
		clip := must[spec.Value](t)(s.Make(tt.recipe))
		_, err := state.Do(spec.Step{Do: "encode_newest", With: map[string]spec.Value{"clip": clip}})
		if refusal, ok := errors.AsType[*spec.Error](err); !ok || refusal.Kind != tt.want {
			t.Errorf("encode a clip %s = %v, want it refused as %s", tt.name, err, tt.want)
		}
	}
}

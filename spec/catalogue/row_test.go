package catalogue

import (
	"testing"

	"github.com/statespec/statespec/spec"
)

func TestWhatIsNotClaimedIsNamed(t *testing.T) {
	row := Row{Layer: spec.LayerAdapter, Needs: []spec.Capability{spec.CanDrop, spec.CanRace}}
	for want, h := range map[string]spec.Hello{
		"layer adapter not claimed":              {Layers: []spec.Layer{spec.LayerManager}, Can: spec.Capabilities()},
		"capabilities drop, threads not claimed": {Layers: spec.Layers()},
		"capability drop not claimed":            {Layers: spec.Layers(), Can: []spec.Capability{spec.CanRace}},
		"":                                       {Layers: spec.Layers(), Can: spec.Capabilities()},
	} {
		if got := row.Unclaimed(h); got != want {
			t.Errorf("Unclaimed = %q, want %q", got, want)
		}
	}
}

package suite_test

import (
	"testing"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/suite"
)

func TestARoomyObjectIsBoundedOnlyWhereItsKindDemandsIt(t *testing.T) {
	type units = []spec.BoundUnit
	for _, c := range []struct {
		bounds units
		want   spec.Bound
	}{
		{nil, spec.Bound{}},
		{units{spec.Frames, spec.Payloads, spec.Unbounded}, spec.Bound{}},
		{units{spec.Frames, spec.Payloads}, spec.Bound{Unit: spec.Payloads, N: suite.Room}},
		{units{spec.Frames}, spec.Bound{Unit: spec.Frames, N: suite.Room}},
	} {
		if got := suite.Roomy(spec.KindInfo{Kind: spec.LatentBuffer, Bounds: c.bounds}); got.Bound != c.want || got.Kind != spec.LatentBuffer {
			t.Errorf("Roomy(bounds %q) = %+v, want bound %+v", c.bounds, got, c.want)
		}
	}
}

package suite

import (
	"context"
	"slices"

	"github.com/onsi/ginkgo/v2"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
)

// Open starts a subject. Families of specs are functions of one.
type Open func(ctx context.Context, p spec.Process) (*op.Client, error)

// On is an Open whose subjects make tensors on one of their devices; "" leaves
// that to them.
func (open Open) On(device string) Open {
	if device == "" {
		return open
	}
	return func(ctx context.Context, p spec.Process) (*op.Client, error) {
		s, err := open(ctx, p)
		if err != nil {
			return nil, err
		}
		if err := s.On(device); err != nil {
			s.Close()
			return nil, err
		}
		return s, nil
	}
}

// Subject starts a subject for the running spec, without any variable of the
// feature, and closes it with the spec.
func (open Open) Subject(ctx ginkgo.SpecContext) *op.Client {
	ginkgo.GinkgoHelper()
	return open.In(ctx, spec.Process{})
}

// In starts a subject in an environment. A spec whose row asks for a layer or
// capability that the subject does not claim ends here, as unclaimed.
func (open Open) In(ctx ginkgo.SpecContext, p spec.Process) *op.Client {
	ginkgo.GinkgoHelper()
	s, err := open(ctx, p)
	if err != nil {
		noteFailure(err)
		ginkgo.Fail("the subject could not be started: " + err.Error())
	}
	ginkgo.DeferCleanup(func() {
		note(s)
		if err := s.Close(); err != nil {
			noteFailure(err)
		}
	})
	if row, ok := RowOf(ginkgo.CurrentSpecReport().Labels()); ok {
		if missing := row.Unclaimed(s.Hello()); missing != "" {
			Unclaimed("%s", missing)
		}
	}
	return s
}

// Needs ends the spec as unclaimed unless the subject claims all capabilities.
// Those of the spec's row are asked for without it.
func Needs(s *op.Client, cs ...spec.Capability) {
	ginkgo.GinkgoHelper()
	for _, c := range cs {
		if !slices.Contains(s.Hello().Can, c) {
			Unclaimed("capability %s not claimed", c)
		}
	}
}

// KindOf is what a subject declares of a kind of object; the spec ends as
// unclaimed when it has no such kind.
func KindOf(s *op.Client, kind spec.ObjectKind) spec.KindInfo {
	ginkgo.GinkgoHelper()
	for _, k := range s.Hello().Kinds {
		if k.Kind == kind {
			return k
		}
	}
	Unclaimed("no object of kind %s", kind)
	panic("unreachable: Unclaimed ends the spec")
}

// Bounded ends the spec as unclaimed unless a kind of object takes a bound of
// the unit.
func Bounded(s *op.Client, kind spec.ObjectKind, unit spec.BoundUnit) {
	ginkgo.GinkgoHelper()
	if !slices.Contains(KindOf(s, kind).Bounds, unit) {
		Unclaimed("no %s bounded in %s", kind, unit)
	}
}

// Holds ends the spec as unclaimed unless an attribute can hold all the kinds,
// and accounting sees into them.
func Holds(s *op.Client, kinds ...spec.ValueKind) {
	ginkgo.GinkgoHelper()
	for _, k := range kinds {
		if !slices.Contains(s.Hello().Holds, k) {
			Unclaimed("an attribute cannot hold a %s", k)
		}
		if slices.Contains(s.Hello().Blind, k) {
			Unclaimed("declared: accounting does not see into a %s", k)
		}
	}
}

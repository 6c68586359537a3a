package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/statespec/statespec/ci/paired"
	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
)

// Open starts a subject.
type Open func(context.Context, spec.Process) (*op.Client, error)

// Floor is the unit of what the loop takes that does nothing.
const Floor = "floor-ns/op"

// Paired is the benchmark of a subject beside the same of another, its control.
func (b Benchmark) Paired(subject, control Open) paired.Benchmark {
	return paired.Benchmark{Name: b.Name, Doc: b.Doc, Variants: []paired.Variant{
		{Name: "impl=subject", SetUp: b.setUpOn(subject)},
		{Name: "impl=control", SetUp: b.setUpOn(control)},
	}}
}

// setUpOn does on a subject what has to be there before.
func (b Benchmark) setUpOn(open Open) func(context.Context) (*paired.Body, error) {
	return func(ctx context.Context) (*paired.Body, error) {
		s, err := open(ctx, spec.Process{})
		if err != nil {
			return nil, err
		}
		if err := b.prepare(s); err != nil {
			return nil, errors.Join(err, s.Close())
		}
		floor := 0.0
		return &paired.Body{
			Timed: func(n int) (time.Duration, error) {
				r, err := s.Ask(op.Call{Method: "bench", Params: op.Params{Calls: b.loop, Times: n}})
				if err != nil {
					return 0, err
				}
				floor = float64(r.Timing.Floor) / float64(n)
				return max(time.Nanosecond, r.Timing.Took-r.Timing.Floor), nil
			},
			Units: func() (map[string]float64, error) { return map[string]float64{Floor: floor}, nil },
			Close: s.Close,
		}, nil
	}
}

func (b Benchmark) prepare(s *op.Client) error {
	if what := b.unclaimed(s.Hello()); what != "" {
		return paired.Unavailable{Why: what + " not claimed"}
	}
	const part = 1000 // calls that a line may carry
	for calls := range slices.Chunk(b.setUp(), part) {
		r, err := s.Ask(op.Call{Method: "batch", Params: op.Params{Calls: calls}})
		if err != nil {
			return err
		}
		for i, a := range r.Answers {
			if a.Error != nil {
				return fmt.Errorf("before it: %s: %w", calls[i], a.Error)
			}
		}
	}
	return nil
}

func (b Benchmark) unclaimed(h spec.Hello) string {
	if !slices.Contains(h.Layers, spec.LayerManager) {
		return "layer manager"
	}
	for _, k := range b.Kinds {
		if !slices.ContainsFunc(h.Kinds, func(i spec.KindInfo) bool { return i.Kind == k }) {
			return "objects of kind " + string(k)
		}
	}
	for _, c := range b.Needs {
		if !slices.Contains(h.Can, c) {
			return "capability " + string(c)
		}
	}
	return ""
}

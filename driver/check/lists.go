package check

import (
	"fmt"
	"slices"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
)

// calls are two that are answered with a result, and one in between that is not.
func calls() []any {
	resolve := map[string]any{"method": "resolve", "params": map[string]any{"config": map[string]any{}}}
	return []any{resolve, map[string]any{"method": "no_such_method"}, resolve}
}

// answered asks that each of these calls was answered as is due.
func answered(answers []op.Answer) error {
	if len(answers) != len(calls()) {
		return fmt.Errorf("%d answers to %d calls", len(answers), len(calls()))
	}
	for i, a := range answers {
		switch failed := i == 1; {
		case failed && a.Error == nil:
			return fmt.Errorf("call %d, of no method that there is, has no error", i)
		case !failed && (a.Error != nil || a.Result == nil):
			return fmt.Errorf("call %d, resolve, has no result", i)
		case a.End < a.Start:
			return fmt.Errorf("call %d ends %v before it begins", i, a.Start-a.End)
		}
	}
	return nil
}

func batchRule(v *visit) error {
	r, err := v.must("batch", map[string]any{"calls": calls()})
	if err != nil {
		return err
	}
	return answered(r.Answers)
}

func benchRule(v *visit) error {
	const times = 3
	r, err := v.must("bench", map[string]any{"calls": calls()[:1], "times": times})
	switch {
	case err != nil:
		return err
	case r.Timing == nil:
		return fmt.Errorf(`bench answers without "timing"`)
	case r.Timing.Times != times:
		return fmt.Errorf(`bench of %d times answers "times": %d`, times, r.Timing.Times)
	case r.Timing.Took <= 0 || r.Timing.Floor < 0:
		return fmt.Errorf("bench took %d ns, with a floor of %d: a clock that goes on is needed", r.Timing.Took, r.Timing.Floor)
	}
	return nil
}

func raceRule(v *visit) error {
	if err := v.capability(spec.CanRace); err != nil {
		return err
	}
	r, err := v.must("race", map[string]any{"threads": []any{calls(), calls()}})
	if err != nil {
		return err
	}
	if len(r.Events) != 2 {
		return fmt.Errorf("events of %d threads to a race of 2", len(r.Events))
	}
	for _, answers := range r.Events {
		if err := answered(answers); err != nil {
			return err
		}
	}
	return nil
}

func memoryRule(v *visit) error {
	if err := v.capability(spec.CanCollect); err != nil {
		return err
	}
	if err := v.tensors(); err != nil {
		return err
	}
	tracked := func(tag string) (string, error) {
		return v.value(map[string]any{"step": "tensor", "dtype": "uint8", "shape": []int{1000}, "seed": 1, "tag": tag})
	}
	if _, err := tracked("held"); err != nil {
		return err
	}
	gone, err := tracked("released")
	if err != nil {
		return err
	}
	if err := v.mustOn("release", gone); err != nil {
		return err
	}
	r, err := v.must("memory", nil)
	if err != nil {
		return err
	}
	if r.Memory == nil {
		return fmt.Errorf(`memory answers without "memory"`)
	}
	for tag, want := range map[string]bool{"held": true, "released": false} {
		if alive := slices.Contains(r.Memory.Alive, tag); alive != want {
			return fmt.Errorf("the storage of a tensor that is %s is alive: %t, want %t", tag, alive, want)
		}
	}
	return nil
}

func endOfInput(v *visit) error {
	if err := v.probe.Close(); err != nil {
		return fmt.Errorf("%w", err)
	}
	return nil
}

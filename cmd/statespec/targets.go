package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/statespec/statespec/ci/benchmarks"
	"github.com/statespec/statespec/ci/paired"
	"github.com/statespec/statespec/ci/regress"
	"github.com/statespec/statespec/spec/verdict"
)

// targetsOf shows how the targets stand in recordings.
func (f *benchFlags) targetsOf(cmd *cobra.Command, paths []string) error {
	var inputs []regress.Input
	for _, path := range paths {
		in, err := recording(cmd.InOrStdin(), path)
		if err != nil {
			return usage(err)
		}
		inputs = append(inputs, in)
	}
	return judge(cmd, paired.Chosen(benchmarks.Everything(), f.names), inputs...)
}

// judge shows how the targets of benchmarks stand in recordings. What was measured in
// none of them is left out.
func judge(cmd *cobra.Command, asked []paired.Benchmark, inputs ...regress.Input) error {
	var recs []regress.Recording
	for _, in := range inputs {
		rec, err := regress.ReadOne(in)
		if err != nil {
			return usage(err)
		}
		recs = append(recs, rec)
	}
	targets := benchmarks.Targets(asked, recs...)
	if len(targets) == 0 {
		return usage(errors.New("--targets: nothing that has a target was measured"))
	}
	if err := benchmarks.WriteTargets(cmd.OutOrStdout(), targets, recs...); err != nil {
		return &exit{verdict.OwnFault, err}
	}
	unsure := false
	for _, t := range targets {
		switch t.Worst() {
		case benchmarks.Missed:
			return &exit{verdict.Failure, nil}
		case benchmarks.Close, benchmarks.CannotTell, benchmarks.NotThere:
			unsure = true
		}
	}
	if unsure {
		return &exit{verdict.NoVerdict, nil}
	}
	return nil
}

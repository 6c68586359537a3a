package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/statespec/statespec/driver/bench"
	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/verdict"
)

// benchFlags are the flags of bench, as they were given.
type benchFlags struct {
	target
	out, only string
	length    time.Duration
	count     int
}

func newBench() *cobra.Command {
	var f benchFlags
	cmd := &cobra.Command{
		Use: "bench", Short: "What a manager's operations take, in Go's benchmark format", Args: cobra.NoArgs,
		Long: `Measure what the operations of a manager take, the Go reference's or a driver's: the
driver makes the calls over and over by itself, so that the way through the pipe is no
part of it, and a loop of as many calls that do nothing is taken off (floor-ns/op).

Two files of one machine are compared with benchstat:
  go run golang.org/x/perf/cmd/benchstat@latest a.txt b.txt`,
		Example: `  statespec bench
  statespec bench --count 8 --out reference.txt
  statespec bench --driver 'python driver/python/statespec_driver.py' --only Hit`,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.bench(cmd) },
	}
	fl := cmd.Flags()
	f.target.flags(fl)
	fl.StringVar(&f.out, "out", "", "write into a `FILE` rather than to standard output")
	fl.StringVar(&f.only, "only", "", "benchmarks whose name this `REGEXP` matches")
	fl.DurationVar(&f.length, "time", 500*time.Millisecond, "how long one measurement should take")
	fl.IntVar(&f.count, "count", 1, "measurements of each benchmark; benchstat wants 6 and more")
	return cmd
}

func (f *benchFlags) bench(cmd *cobra.Command) error {
	if f.length < time.Millisecond || f.length > f.timeout/2 {
		return usage(fmt.Errorf("--time %v: want at least 1ms, and at most half of --timeout (%v), the deadline of a measurement", f.length, f.timeout))
	}
	if f.count < 1 {
		return usage(fmt.Errorf("--count %d: want at least 1", f.count))
	}
	only, err := regexp.Compile(f.only)
	if err != nil {
		return usage(fmt.Errorf("--only: %w", err))
	}
	asked := slices.DeleteFunc(bench.Benchmarks(), func(b bench.Benchmark) bool { return !only.MatchString(b.Name) })
	if len(asked) == 0 {
		return usage(fmt.Errorf("--only %s: no benchmark has such a name", f.only))
	}
	open, _, end, err := f.apart()
	if err != nil {
		return usage(err)
	}
	defer end()
	var text bytes.Buffer
	var out io.Writer = &text // a file is written whole, or not at all
	if f.out == "" {
		out = cmd.OutOrStdout()
	}
	o := bench.Options{Open: open, Time: f.length, Count: f.count}
	if err := f.measure(cmd, o, asked, out); err != nil {
		return err
	}
	if f.out != "" {
		if err := os.WriteFile(f.out, text.Bytes(), 0o644); err != nil {
			return usage(err)
		}
	}
	return nil
}

// measure makes benchmarks, and writes what they take.
func (f *benchFlags) measure(cmd *cobra.Command, o bench.Options, asked []bench.Benchmark, out io.Writer) error {
	s, err := o.Open(cmd.Context(), spec.Process{})
	if err != nil {
		return &exit{verdict.NoVerdict, fmt.Errorf("the subject could not be run: %w", err)}
	}
	if err := errors.Join(bench.WriteHead(out, s.Hello()), s.Close()); err != nil {
		return &exit{verdict.NoVerdict, err}
	}
	for _, b := range asked {
		err := bench.Run(cmd.Context(), o, b, func(m bench.Measurement) error { return bench.Write(out, m) })
		switch why, unclaimed := errors.AsType[bench.Unclaimed](err); {
		case unclaimed:
			fmt.Fprintf(cmd.ErrOrStderr(), "%s: %v\n", b.Name, why)
		case cmd.Context().Err() != nil:
			return &exit{verdict.Interrupted, nil}
		case err != nil:
			return &exit{verdict.NoVerdict, err}
		}
	}
	return nil
}

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/statespec/statespec/driver/reap"
	"github.com/statespec/statespec/spec/catalogue"
	"github.com/statespec/statespec/spec/expect"
	"github.com/statespec/statespec/spec/op"
	"github.com/statespec/statespec/spec/report"
	"github.com/statespec/statespec/spec/run"
	"github.com/statespec/statespec/spec/selection"
	"github.com/statespec/statespec/spec/verdict"
)

// runFlags are the flags of run, as they were given.
type runFlags struct {
	target
	only, require, expect, writeExpect, out, shard string
	strict, asJSON, keep                           bool
	seed                                           uint64
	jobs                                           int
}

func newRun() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use: "run", Short: "A verdict per guarantee for one subject", Args: cobra.NoArgs,
		Long: `Run the conformance suite on a subject, and give a verdict per guarantee: on the Go
reference or, with --driver, on whatever speaks the driver protocol. The suite runs in a process of its own: a subject that crashes or hangs
takes one spec with it, is named, and the rest is judged.

Verdict words
  held          every spec of the row passed
  broken        a spec saw the promise not kept
  crashed       the subject ended or panicked during a spec
  hung          the subject gave no answer in time
  unclaimed     the subject does not claim the layer or capability
  cannot-tell   asked, and what came decides nothing (too noisy)
  known-broken  broken, as the expectation file says
  stale         held, though the expectation file says broken: fails the run
  new           broken, and newer than the expectation file: does not fail it
  deselected    not selected, or not asked yet by this version of the suite
  not-run       the run was interrupted before it
  driver-error  the subject could not be run or understood
  harness-error a fault of statespec itself
A broken SHOULD is a warning, and fails the run with --strict.`,
		Example: `  statespec run
  statespec run --only 'EVI && MUST' --out results
  statespec run --only ACC-11.set
  statespec run --only ACC-17 --shipped
  statespec run --device cuda:0 --require EQV-09
  statespec run --expect known.yaml
  statespec run --write-expect known.yaml
  statespec run --driver 'python driver/python/statespec_driver.py' --out results`,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.only, "only", "", "rows to ask: an ID, family, level, or an expression (EVI && MUST, !RNG-08)")
	fl.StringVar(&f.require, "require", "", "fail when a row of this expression is unclaimed")
	fl.StringVar(&f.expect, "expect", "", "expectation `FILE`: what is known to be broken, and why")
	fl.StringVar(&f.writeExpect, "write-expect", "", "write an expectation `FILE` of what this run finds broken")
	fl.StringVar(&f.out, "out", "", "write reports into `DIR`, replacing an earlier run's")
	fl.BoolVar(&f.keep, "keep", false, "with --out: keep working files too, what failed specs asked and what passing ones saw")
	f.target.flags(fl)
	fl.IntVar(&f.restarts, "restarts", run.DefaultRestarts, "how often a process that died is replaced")
	fl.BoolVar(&f.shipped, "shipped", false, "the reference with its encoder of the shipped size, for ACC-17.encoder and .pending: seconds and 2 GB more")
	fl.StringVar(&f.device, "device", "", "make tensors on this `DEVICE` of the subject, cuda:0; more after a comma are there beside it")
	fl.StringVar(&f.shard, "shard", "", "the `i/n`-th part of the rows, 1 to n")
	fl.BoolVar(&f.strict, "strict", false, "a broken SHOULD fails the run")
	fl.BoolVar(&f.asJSON, "json", false, "results.json on standard output instead of text")
	fl.Uint64Var(&f.seed, "seed", 1, "seed of whatever specs generate")
	fl.IntVar(&f.jobs, "jobs", 1, "processes that run specs side by side")
	completeRows(cmd, "only")
	completeRows(cmd, "require")
	return cmd
}

// asked is what the flags come to.
type asked struct {
	rows   []catalogue.Row
	shard  verdict.Shard
	policy verdict.Policy
	expect *expect.File
}

func (f *runFlags) run(cmd *cobra.Command) error {
	a, err := f.read()
	if err != nil {
		return usage(err)
	}
	folder, err := openOut(f.out)
	if err != nil {
		return err
	}
	defer folder.Discard()
	results, err := f.results(cmd.Context(), a, cmd, folder)
	if err != nil {
		return err
	}
	if err := f.tell(cmd, results, folder); err != nil {
		return &exit{verdict.OwnFault, err}
	}
	if code := results.Exit(a.policy); code != verdict.AsExpected {
		return &exit{code, nil}
	}
	return nil
}

// read checks every flag before anything is run or written.
func (f *runFlags) read() (a asked, err error) {
	if a.rows, err = selection.Select(f.only, catalogue.All()); err != nil {
		return a, fmt.Errorf("--only: %w", err)
	}
	if a.shard, err = verdict.ParseShard(f.shard); err != nil {
		return a, fmt.Errorf("--shard: %w", err)
	}
	a.rows = part(a.rows, a.shard)
	a.policy.Strict = f.strict
	if f.require != "" {
		s, err := selection.Parse(f.require)
		if err != nil {
			return a, fmt.Errorf("--require: %w", err)
		}
		if len(s.Rows(a.rows)) == 0 {
			return a, fmt.Errorf("--require %s: no such row is in the selection", f.require)
		}
		a.policy.Require = s.Matches
	}
	if f.expect != "" {
		file, err := expect.Read(f.expect)
		if err != nil {
			return a, fmt.Errorf("--expect: %w", err)
		}
		a.expect = &file
	}
	if f.writeExpect != "" {
		if err := writable(f.writeExpect, f.only == "" && a.shard.Whole()); err != nil {
			return a, fmt.Errorf("--write-expect: %w", err)
		}
	}
	if err := f.check(); err != nil {
		return a, err
	}
	switch {
	case f.keep && f.out == "":
		return a, fmt.Errorf("--keep: want --out as well, the folder to keep files in")
	case f.jobs < 1:
		return a, fmt.Errorf("--jobs %d: want at least 1", f.jobs)
	}
	return a, nil
}

// part is a shard's share of rows, by whole guarantees, so that a verdict is
// never spread over two shards.
func part(rows []catalogue.Row, s verdict.Shard) []catalogue.Row {
	if s.Whole() {
		return rows
	}
	var out []catalogue.Row
	n, last := -1, ""
	for _, r := range rows {
		if r.Guarantee() != last {
			n, last = n+1, r.Guarantee()
		}
		if n%s.Of == s.Index-1 {
			out = append(out, r)
		}
	}
	return out
}

func (f *runFlags) results(ctx context.Context, a asked, cmd *cobra.Command, folder *report.Folder) (verdict.Results, error) {
	self, err := os.Executable()
	if err != nil {
		return verdict.Results{}, &exit{verdict.OwnFault, fmt.Errorf("find this binary, to run it again: %w", err)}
	}
	limit := 2 * op.Longer * f.timeout // a start, and a long request
	if f.driver != "" {
		limit += f.start
		if err := reap.Adopt(); err != nil {
			return verdict.Results{}, &exit{verdict.OwnFault, err}
		}
	}
	p := newProgress(cmd.ErrOrStderr())
	in := run.Run(ctx, run.Options{
		Command: []string{self}, Rows: a.rows, Device: f.place(), Seed: f.seed, Jobs: f.jobs, Timeout: f.timeout, Limit: limit, Restarts: &f.restarts,
		Env: f.env(), Reproduce: f.again, Keep: keeper(folder), KeepAll: f.keep,
		Progress: func(now run.Progress) { p.show(fmt.Sprintf("%d of %d specs", now.Ended, now.Planned), now.Row) },
	})
	p.done()
	in.Selection, in.Shard, in.Policy = f.only, a.shard, a.policy
	if a.expect != nil {
		in.Expectations = a.expect.For(expect.Of(in.Subject, in.Device))
	}
	return verdict.Fold(in), nil
}

// again is the command that runs one row again.
func (f *runFlags) again(row string) string {
	return "statespec run --only " + row + " --seed " + strconv.FormatUint(f.seed, 10) + f.target.again()
}

// tell shows results, and then writes them wherever they are wanted.
func (f *runFlags) tell(cmd *cobra.Command, r verdict.Results, folder *report.Folder) error {
	out := cmd.OutOrStdout()
	show := func() error { return report.Terminal(out, r, terminal(out)) }
	if f.asJSON {
		show = func() error { return report.JSON(out, r) }
	}
	shown := show()
	filled := fill(folder, func(to *report.Folder) error { return report.Write(to, r) })
	if filled == nil {
		sayReports(cmd, f.out, f.asJSON)
	}
	return errors.Join(shown, filled, f.tellExpectations(cmd, r))
}

// tellExpectations writes what the run found broken, if it found out.
func (f *runFlags) tellExpectations(cmd *cobra.Command, r verdict.Results) error {
	if f.writeExpect == "" {
		return nil
	}
	if exit := r.Summary.Exit; exit != verdict.AsExpected && exit != verdict.Failure {
		fmt.Fprintf(cmd.ErrOrStderr(), "--write-expect: %s is left as it is: the run has no verdict\n", line(f.writeExpect))
		return nil
	}
	return writeExpectations(f.writeExpect, r)
}

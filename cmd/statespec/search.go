package main

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/statespec/statespec/spec/report"
	"github.com/statespec/statespec/spec/search"
	"github.com/statespec/statespec/spec/verdict"
)

// searchFlags are the flags of search, as they were given.
type searchFlags struct {
	target
	end func() // of what the target started

	out, shard               string
	seed                     uint64
	histories                int
	length                   time.Duration
	strict, failFast, asJSON bool
}

func newSearch() *cobra.Command {
	var f searchFlags
	cmd := &cobra.Command{
		Use: "search", Short: "Generated histories, shrunk when they fail", Args: cobra.NoArgs,
		Long: `Ask the subject, the Go reference, for generated histories of operations: sessions,
objects, attributes, views and aliases, resets and drops, holders that outlive
eviction. What comes is compared with a model of what is promised, from what the
subject declares of itself. A history that fails is made as short as it can be,
names the guarantee that it breaks, and is saved with --out, for statespec replay.

The subject runs in a process of its own: its crash is a finding. The same seed
gives the same histories; shards share none.`,
		Example: `  statespec search
  statespec search --seed 7 --for 1m --out found
  statespec search --histories 1000 --shard 2/8
  statespec replay found/histories/EVI-02.history`,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.search(cmd) },
	}
	fl := cmd.Flags()
	fl.Uint64Var(&f.seed, "seed", 0, "seed of the histories; a random one unless given, and printed")
	fl.DurationVar(&f.length, "for", 10*time.Second, "how long to search; 0: until --histories are done")
	fl.IntVar(&f.histories, "histories", 0, "how many histories at most; 0: until the time is up")
	fl.StringVar(&f.shard, "shard", "", "the `i/n`-th part of the seed's histories, 1 to n")
	fl.StringVar(&f.out, "out", "", "write search.json and the histories that fail into `DIR`, replacing an earlier run's")
	f.target.flags(fl)
	fl.BoolVar(&f.failFast, "fail-fast", false, "stop at the first failure")
	fl.BoolVar(&f.strict, "strict", false, "a broken SHOULD fails the search")
	fl.BoolVar(&f.asJSON, "json", false, "search.json on standard output instead of text")
	return cmd
}

func (f *searchFlags) search(cmd *cobra.Command) error {
	o, err := f.options(cmd)
	if err != nil {
		return usage(err)
	}
	defer f.end()
	folder, err := openOut(f.out)
	if err != nil {
		return err
	}
	defer folder.Discard()
	fmt.Fprintf(cmd.ErrOrStderr(), "seed %d\n", o.Seed)
	p := newProgress(cmd.ErrOrStderr())
	o.Progress = func(now search.Progress) {
		doing := fmt.Sprintf("%d failures", now.Failures)
		if now.Shrinking != "" {
			doing = "shrinking " + now.Shrinking
		}
		p.show(fmt.Sprintf("%d histories, %d operations", now.Histories, now.Operations), doing)
	}
	found := search.Search(cmd.Context(), o)
	p.done()
	result := found.Result(o, f.strict)
	if err := f.tell(cmd, result, found, folder); err != nil {
		return &exit{verdict.OwnFault, err}
	}
	if result.Exit != verdict.AsExpected {
		return &exit{result.Exit, nil}
	}
	return nil
}

// options is what the flags come to.
func (f *searchFlags) options(cmd *cobra.Command) (o search.Options, err error) {
	if !cmd.Flags().Changed("seed") {
		f.seed = rand.Uint64()
	}
	if o.Shard, err = verdict.ParseShard(f.shard); err != nil {
		return o, fmt.Errorf("--shard: %w", err)
	}
	switch {
	case f.length < 0, f.length > 0 && f.length < shortest:
		return o, fmt.Errorf("--for %v: want at least %v, or 0 with --histories", f.length, shortest)
	case f.histories < 0:
		return o, fmt.Errorf("--histories %d: want 0 or more", f.histories)
	case f.length == 0 && f.histories == 0:
		return o, fmt.Errorf("--for 0: want --histories as well, or the search never ends")
	}
	if cmd.Flags().Changed("histories") && !cmd.Flags().Changed("for") {
		f.length = 0
	}
	open, process, end, err := f.apart()
	if err != nil {
		return o, err
	}
	f.end = end
	o.Open, o.Process = search.Open(open), process
	o.Seed, o.For, o.Histories, o.FailFast = f.seed, f.length, f.histories, f.failFast
	return o, nil
}

// tell shows what was found, and then writes it wherever it is wanted.
func (f *searchFlags) tell(cmd *cobra.Command, r search.Result, found search.Finding, folder *report.Folder) error {
	if r.SubjectError != "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "the subject could not be run: %s\n", report.Printable(r.SubjectError))
	}
	shown := f.show(cmd.OutOrStdout(), r, found)
	filled := fill(folder, func(to *report.Folder) error { return search.Write(to, r, found) })
	if filled == nil {
		sayReports(cmd, f.out, f.asJSON)
	}
	if f.out == "" && !f.asJSON && len(r.Failures) > 0 {
		fmt.Fprintln(cmd.ErrOrStderr(), "with --out the histories are saved, for statespec replay")
	}
	return errors.Join(shown, filled)
}

// show shows what was found, with the commands that replay what is going to be saved.
func (f *searchFlags) show(out io.Writer, r search.Result, found search.Finding) error {
	if f.asJSON {
		return r.JSON(out)
	}
	return r.Text(out, found, func(i int) string {
		if f.out == "" {
			return ""
		}
		return "again: statespec replay " + report.ShellWord(filepath.Join(f.out, r.Failures[i].File)) + f.target.again()
	})
}

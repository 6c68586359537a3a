package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/statespec/statespec/spec/catalogue"
	"github.com/statespec/statespec/spec/detect"
	"github.com/statespec/statespec/spec/faulty"
	"github.com/statespec/statespec/spec/report"
	"github.com/statespec/statespec/spec/run"
	"github.com/statespec/statespec/spec/selection"
	"github.com/statespec/statespec/spec/verdict"
)

// detectFlags are the flags of detect, as they were given.
type detectFlags struct {
	only, out           string
	brief, list, asJSON bool
	seed                uint64
	jobs                int
	timeout             time.Duration
}

func newDetect() *cobra.Command {
	var f detectFlags
	cmd := &cobra.Command{
		Use: "detect", Short: "The suite against every faulty subject: can it fail?", Args: cobra.NoArgs,
		Long: `Ask the whole suite of every faulty subject: the Go reference with one promise
broken. Each fault says which rows it is there to break and which follow from it.
Exactly those have to come out broken, crashed or hung; a row that no fault breaks
is unproven.

Exit codes are those of every command: 0 when every fault was found by exactly its
rows and no row is unproven, 1 when not.`,
		Example: `  statespec detect
  statespec detect --brief
  statespec detect --only EVI --out detection
  statespec detect --list
  statespec run --fault 'is on by default'`,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.detect(cmd) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.only, "only", "", "faults that break a row of this expression, as for run; each is asked everything")
	fl.StringVar(&f.out, "out", "", "write detection.json, .md and .html into `DIR`, replacing an earlier run's")
	fl.BoolVar(&f.brief, "brief", false, "of each row one fault, the first, and races only of those that break one: proves every row in an eighth of the time")
	fl.BoolVar(&f.list, "list", false, "list the faults, and ask nothing")
	fl.BoolVar(&f.asJSON, "json", false, "detection.json on standard output instead of text")
	fl.Uint64Var(&f.seed, "seed", 1, "seed of whatever specs generate")
	fl.IntVar(&f.jobs, "jobs", runtime.NumCPU(), "faults asked side by side; half as many where several callers are")
	fl.DurationVar(&f.timeout, "timeout", run.DefaultTimeout, "time for one request; a fault that hangs takes as long")
	completeRows(cmd, "only")
	return cmd
}

func (f *detectFlags) detect(cmd *cobra.Command) error {
	rows, err := selection.Select(f.only, catalogue.All())
	if err != nil {
		return usage(fmt.Errorf("--only: %w", err))
	}
	faults := breaking(rows)
	if f.brief {
		faults = oneEach(rows, faults)
	}
	switch {
	case len(faults) == 0:
		return usage(fmt.Errorf("--only %s: no fault breaks such a row", f.only))
	case f.jobs < 1:
		return usage(fmt.Errorf("--jobs %d: want at least 1", f.jobs))
	case f.timeout < shortest:
		return usage(fmt.Errorf("--timeout %v: want at least %v", f.timeout, shortest))
	case f.list && (f.asJSON || f.out != ""):
		return usage(errors.New("--list: want it without --json and --out, which are of what was found: nothing is asked"))
	case f.list:
		return listFaults(cmd.OutOrStdout(), faults)
	}
	folder, err := openOut(f.out)
	if err != nil {
		return err
	}
	defer folder.Discard()
	d, err := f.found(cmd.Context(), cmd.ErrOrStderr(), rows, faults)
	if err != nil {
		return err
	}
	if err := f.tell(cmd, d, folder); err != nil {
		return &exit{verdict.OwnFault, err}
	}
	if d.Exit != verdict.AsExpected {
		return &exit{d.Exit, nil}
	}
	return nil
}

// breaking lists the faults that are there to break one of some rows.
func breaking(rows []catalogue.Row) []faulty.Fault {
	return slices.DeleteFunc(faulty.All(), func(f faulty.Fault) bool {
		return !slices.ContainsFunc(rows, func(r catalogue.Row) bool { return slices.Contains(f.Breaks, r.ID) })
	})
}

// oneEach leaves of some faults the first that breaks each row.
func oneEach(rows []catalogue.Row, faults []faulty.Fault) (few []faulty.Fault) {
	proven := map[string]bool{}
	for _, f := range faults {
		first := false
		for _, id := range f.Breaks {
			selected := slices.ContainsFunc(rows, func(r catalogue.Row) bool { return r.ID == id })
			first = first || selected && !proven[id]
			proven[id] = true
		}
		if first {
			few = append(few, f)
		}
	}
	return few
}

func (f *detectFlags) found(ctx context.Context, stderr io.Writer, rows []catalogue.Row, faults []faulty.Fault) (detect.Detection, error) {
	self, err := os.Executable()
	if err != nil {
		return detect.Detection{}, &exit{verdict.OwnFault, fmt.Errorf("find this binary, to run it again: %w", err)}
	}
	p := newProgress(stderr)
	defer p.done()
	return detect.Run(ctx, detect.Options{Command: []string{self}, Faults: faults, Rows: rows, Seed: f.seed, Jobs: f.jobs, Brief: f.brief,
		Timeout: f.timeout, Progress: func(now detect.Progress) {
			p.show(fmt.Sprintf("%d of %d runs", now.Ended, now.Of), now.Fault)
		}}), nil
}

// tell shows what was found, and then writes it wherever it is wanted.
func (f *detectFlags) tell(cmd *cobra.Command, d detect.Detection, folder *report.Folder) error {
	show := detect.Text
	if f.asJSON {
		show = detect.JSON
	}
	shown := show(cmd.OutOrStdout(), d)
	filled := fill(folder, func(to *report.Folder) error { return detect.Write(to, d) })
	if filled == nil {
		sayReports(cmd, f.out, f.asJSON)
	}
	return errors.Join(shown, filled)
}

func listFaults(w io.Writer, faults []faulty.Fault) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, f := range faults {
		follows := ""
		if len(f.Follows) > 0 {
			follows = "follows: " + strings.Join(f.Follows, ", ")
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", f.Name, strings.Join(f.Breaks, ", "), follows)
	}
	return t.Flush()
}

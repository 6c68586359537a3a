package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/statespec/statespec/spec/catalogue"
	"github.com/statespec/statespec/spec/verdict"
)

// execute runs the command line and returns its exit code.
func execute(ctx context.Context, args []string, out, errs io.Writer) verdict.Exit {
	root, shown := newRoot(), &stdout{w: out}
	root.SetArgs(args)
	root.SetOut(shown)
	root.SetErr(errs)
	refuseUnknown(root)
	e := ended(root.ExecuteContext(ctx), shown.err)
	if e.err != nil {
		fmt.Fprintf(errs, "statespec: %s\n", complaint(e.err))
	}
	return e.code
}

// ended is how a command ended, by its error and by that of standard output: an answer
// that nobody could read is none, whatever it was. Who closed a pipe has read enough.
func ended(err, lost error) *exit {
	e, ok := errors.AsType[*exit](err)
	switch {
	case err == nil:
		e = &exit{verdict.AsExpected, nil}
	case !ok:
		e = usage(err) // cobra's own: an unknown command or flag
	}
	if lost == nil || errors.Is(lost, syscall.EPIPE) {
		return e
	}
	if errors.Is(e.err, lost) { // said already, with where
		return &exit{verdict.OwnFault, e.err}
	}
	return &exit{verdict.OwnFault, errors.Join(e.err, lost)}
}

// exit ends a command with a code, and with what went wrong, if that has not
// been told yet.
type exit struct {
	code verdict.Exit
	err  error
}

func (e *exit) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit %d", e.code)
	}
	return e.err.Error()
}

func (e *exit) Unwrap() error { return e.err }

// usage is an input that cannot be used.
func usage(err error) *exit { return &exit{verdict.Unusable, err} }

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "statespec",
		Short: "Executable guarantees for session state managers",
		Long: `statespec asks a session state manager of an autoregressive world model to keep
its promises, and gives a verdict per guarantee that a person can act on.

  statespec run                       ask the Go reference everything
  statespec run --only 'EVI && MUST'  part of it
  statespec explain EVI-05            what a guarantee says, and why it matters
  statespec list                      all of them
  statespec detect                    can the suite fail? every faulty subject
  statespec search                    what nobody wrote a spec of: generated histories
  statespec ab -- python model.py     one command, only the switch flipped, bit for bit
  statespec diff A B                  two files or folders of artefacts, bit for bit
  statespec bench --targets           what it is to be fast at, beside its controls
  statespec regress OLD NEW           what became slower, larger or hungrier

Exit codes, of every command:
  0    as expected
  1    a claimed MUST or OPT broken, crashed or hung; an expectation stale;
       artefacts divergent; a regression; a target missed
  2    usage, an input that cannot be read, or nothing selected
  3    no verdict possible: the subject could not be run, an A/B or a measurement
       says nothing, or a search asked nothing
  4    a fault of statespec itself, or an answer that could not be written
  130  interrupted; what there is, is written and marked incomplete; of bench --out
       and diff --html nothing is, and the lines that bench has shown are whole

Results go to standard output, progress and complaints to standard error.`,
		SilenceErrors: true, SilenceUsage: true,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkFlags(cmd); err != nil {
				return usage(err)
			}
			return nil
		},
	}
	root.CompletionOptions.HiddenDefaultCmd = false
	root.AddCommand(newList(), newExplain(), newRun(), newDetect(), newSearch(), newReplay(), newServe(), newDriver(), newBench(), newRegress(), newRollout(), newDiff(), newAB(), newVersion())
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usage(fmt.Errorf("%w\nrun '%s --help' for its flags", err, cmd.CommandPath()))
	})
	return root
}

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "The versions of the suite, the module and Go", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			module, goVersion := "(devel)", "unknown"
			if info, ok := debug.ReadBuildInfo(); ok {
				goVersion = info.GoVersion
				if info.Main.Version != "" {
					module = info.Main.Version
				}
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "statespec suite %s, module %s, %s\n", catalogue.Suite, module, goVersion)
			return err
		},
	}
}

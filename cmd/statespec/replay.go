package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/statespec/statespec/spec/catalogue"
	"github.com/statespec/statespec/spec/regular"
	"github.com/statespec/statespec/spec/report"
	"github.com/statespec/statespec/spec/search"
	"github.com/statespec/statespec/spec/search/history"
	"github.com/statespec/statespec/spec/verdict"
)

// replayFlags are the flags of replay, as they were given.
type replayFlags struct {
	target
}

func newReplay() *cobra.Command {
	var f replayFlags
	cmd := &cobra.Command{
		Use: "replay FILE", Short: "A saved history again, operation by operation", Args: cobra.ExactArgs(1),
		Long: `Ask the subject for the operations of a saved history, in a process of its own, and
say what came of each. A history is text: change it, and replay it again.

Or send the requests of a transcript.jsonl that run --keep left, one after the other,
and show what comes of each; what should have come only the spec knows.

  exit 0   nothing in it fails
  exit 1   it fails: a guarantee broken (of any level), or the subject crashed or hung`,
		Example: `  statespec replay found/histories/EVI-02.history
  statespec replay results/artefacts/EVI-02/transcript.jsonl --driver './my-driver'`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.replay(cmd, args[0]) },
	}
	f.target.flags(cmd.Flags())
	return cmd
}

// maxReplayed bounds a history or a transcript, in bytes: of the longest that were seen
// a hundredth would do.
const maxReplayed = 256 << 20

func (f *replayFlags) replay(cmd *cobra.Command, path string) error {
	data, err := regular.Read(path, maxReplayed)
	if err != nil {
		return usage(err)
	}
	calls, transcript, err := requests(data)
	if err != nil {
		return usage(fmt.Errorf("%s: %w", path, err))
	}
	var h history.History
	if !transcript {
		if h, err = history.ParseHistory(data); err != nil {
			return usage(fmt.Errorf("%s: %w", path, err))
		}
	}
	open, process, end, err := f.apart()
	if err != nil {
		return usage(err)
	}
	defer end()
	if transcript {
		return resend(cmd, open, process, calls)
	}
	out := cmd.OutOrStdout()
	played, err := search.Replay(cmd.Context(), search.Open(open), process, h, func(s search.Step) {
		came := s.Came
		if s.Skipped {
			came = "passed over"
		}
		fmt.Fprintf(out, "%3d  %s\n       %s\n", s.At+1, s.Operation, report.Printable(came))
	})
	switch {
	case cmd.Context().Err() != nil: // whatever else it came to, it may be by that
		return &exit{verdict.Interrupted, nil}
	case err != nil:
		return &exit{verdict.NoVerdict, fmt.Errorf("the subject could not be run: %w", err)}
	}
	return f.judge(cmd, h, played)
}

// judge says whether the history did what it is kept for.
func (f *replayFlags) judge(cmd *cobra.Command, h history.History, played search.Played) error {
	out, m := cmd.OutOrStdout(), played.Mismatch
	if m == nil {
		fmt.Fprintf(out, "\ndoes not reproduce: nothing fails in %d operations\n", played.Ran)
		return nil
	}
	word := "reproduces"
	if h.Row != "" && h.Row != m.Name() {
		word = "fails otherwise than " + h.Row
	}
	fmt.Fprintf(out, "\n%s: %s at operation %d\n  %s\n    = %s\n    want %s\n", word, m.Name(), m.At+1, m.Call, report.Printable(m.Got), report.Printable(m.Want))
	if row, known := catalogue.Lookup(m.Row); known {
		fmt.Fprintf(out, "  %s: %s\n", row.ID, row.Statement)
	}
	if string(m.Fate) == string(verdict.DriverError) {
		return &exit{verdict.NoVerdict, nil}
	}
	return &exit{verdict.Failure, nil}
}

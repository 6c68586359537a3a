package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/statespec/statespec/driver"
	"github.com/statespec/statespec/driver/check"
	"github.com/statespec/statespec/driver/reap"
	"github.com/statespec/statespec/spec/report"
	"github.com/statespec/statespec/spec/run"
	"github.com/statespec/statespec/spec/verdict"
)

func newDriver() *cobra.Command {
	cmd := &cobra.Command{Use: "driver", Short: "For whoever writes a driver", Args: cobra.NoArgs}
	cmd.AddCommand(newCheck())
	return cmd
}

// newCheck is driver check.
func newCheck() *cobra.Command {
	var asJSON bool
	var request, start time.Duration
	cmd := &cobra.Command{
		Use: "check COMMAND", Short: "Is this driver well made? Message by message", Args: cobra.ExactArgs(1),
		Long: `Start a driver, ask it message by message whether it keeps the driver protocol
(driver/PROTOCOL.md), and say what is right, what is wrong, and how to mend it. Whether
the implementation behind it keeps its promises is for statespec run.

  exit 0   nothing is wrong
  exit 1   something is
  exit 3   it could not be started`,
		Example: `  statespec driver check 'python driver/python/statespec_driver.py'
  statespec driver check 'statespec serve'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			words, err := commandOf(args[0])
			if err != nil {
				return usage(err)
			}
			c := driver.Command{Args: words, Start: start, Request: request}
			if request < shortest || start < shortest {
				return usage(fmt.Errorf("--timeout %v, --start-timeout %v: want at least %v", request, start, shortest))
			}
			if err := reap.Adopt(); err != nil {
				return &exit{verdict.OwnFault, err}
			}
			return checked(cmd.Context(), cmd.OutOrStdout(), c, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "findings as JSON instead of text")
	cmd.Flags().DurationVar(&request, "timeout", run.DefaultTimeout, "time for one request")
	cmd.Flags().DurationVar(&start, "start-timeout", driver.DefaultStart, "time for the driver to start")
	return cmd
}

// checked checks a driver, and tells what was found as it comes.
func checked(ctx context.Context, out io.Writer, c driver.Command, asJSON bool) error {
	count := map[check.Word]int{}
	findings, err := check.Run(ctx, c, func(f check.Finding) {
		count[f.Word]++
		if !asJSON {
			tellFinding(out, f)
		}
	})
	interrupted := ctx.Err() != nil
	if err != nil && !interrupted {
		return &exit{verdict.NoVerdict, fmt.Errorf("the driver could not be started: %w", err)}
	}
	if asJSON {
		if err := writeFindings(out, findings, interrupted); err != nil {
			return &exit{verdict.OwnFault, err}
		}
	} else {
		end := ""
		if interrupted {
			end = "; interrupted"
		}
		fmt.Fprintf(out, "\n%d right, %d wrong, %d not claimed, %d not asked%s\n", count[check.Right], count[check.Wrong], count[check.Skipped], count[check.Unasked], end)
	}
	switch {
	case interrupted:
		return &exit{verdict.Interrupted, nil}
	case count[check.Wrong] > 0:
		return &exit{verdict.Failure, nil}
	}
	return nil
}

// tellFinding writes a finding for a person.
func tellFinding(out io.Writer, f check.Finding) {
	fmt.Fprintf(out, "%-11s %s\n", f.Word, f.Rule)
	if f.Word == check.Wrong {
		fmt.Fprintf(out, "            seen  %s\n", strings.ReplaceAll(strings.TrimSpace(report.Printable(f.What)), "\n", "\n                  "))
		fmt.Fprintf(out, "            mend  %s\n", f.Mend)
	}
}

// writeFindings writes all findings as JSON; those of a check that was interrupted are
// marked.
func writeFindings(out io.Writer, findings []check.Finding, interrupted bool) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(struct {
		Findings   []check.Finding `json:"findings"`
		Incomplete bool            `json:"incomplete,omitempty"`
	}{append([]check.Finding{}, findings...), interrupted})
}

package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/statespec/statespec/driver"
	"github.com/statespec/statespec/reference/subject"
)

// newServe is the reference as a driver.
func newServe() *cobra.Command {
	var t target
	cmd := &cobra.Command{
		Use: "serve", Short: "The reference as a driver, on standard input and output", Args: cobra.NoArgs,
		Long: `Answer requests of the driver protocol, a JSON object a line on standard input, for
the Go reference, a line each on standard output, until the input ends. It is the
example of a driver, and what the protocol itself is tested with.`,
		Example: `  statespec run --driver 'statespec serve'
  statespec run --driver "statespec serve --fault 'counts elements'" --only ACC
  echo '{"id": 1, "method": "hello"}' | statespec serve`,
		RunE: func(*cobra.Command, []string) error {
			factory, err := subjectOf(t.fault)
			if err != nil {
				return usage(fmt.Errorf("--fault: %w", err))
			}
			if t.shipped {
				if t.fault != "" {
					return usage(errShippedFault)
				}
				factory = subject.NewShipped
			}
			driver.Main(factory)
			return nil
		},
	}
	cmd.Flags().StringVar(&t.fault, "fault", "", "with the fault of this `NAME` (statespec detect --list)")
	cmd.Flags().BoolVar(&t.shipped, "shipped", false, "with its encoder of the shipped size: seconds and 2 GB more")
	return cmd
}

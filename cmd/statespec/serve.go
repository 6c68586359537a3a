package main

import (
	"github.com/spf13/cobra"

	"github.com/statespec/statespec/driver"
	"github.com/statespec/statespec/spec/verdict"
)

// newServe is the reference as a driver.
func newServe() *cobra.Command {
	var o own
	cmd := &cobra.Command{
		Use: "serve", Short: "The reference as a driver, on standard input and output", Args: cobra.NoArgs,
		Long: `Answer requests of the driver protocol, a JSON object a line on standard input, for
the Go reference, a line each on standard output, until the input ends. It is the
example of a driver, and what the protocol itself is tested with.`,
		Example: `  statespec run --driver 'statespec serve'
  statespec run --device cuda:0 --driver 'statespec serve --device cuda:0'
  statespec run --driver "statespec serve --fault 'counts elements'" --only ACC
  echo '{"id": 1, "method": "hello"}' | statespec serve`,
		RunE: func(*cobra.Command, []string) error {
			if err := o.check(); err != nil {
				return usage(err)
			}
			factory, err := o.factory()
			if err != nil {
				return &exit{verdict.NoVerdict, err}
			}
			driver.Main(factory)
			return nil
		},
	}
	cmd.Flags().StringVar(&o.device, "device", "", "with this `DEVICE` beside the host, cuda:0, or several between commas")
	cmd.Flags().StringVar(&o.fault, "fault", "", "with the fault of this `NAME` (statespec detect --list)")
	cmd.Flags().BoolVar(&o.shipped, "shipped", false, "with its encoder of the shipped size: seconds and 2 GB more")
	return cmd
}

package main

import (
	"encoding/json"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/catalogue"
	"github.com/statespec/statespec/spec/selection"
)

func newList() *cobra.Command {
	var asJSON bool
	var only string
	cmd := &cobra.Command{
		Use: "list", Short: "The catalogue: every guarantee and its cases", Args: cobra.NoArgs,
		Long: `List the catalogue: ID, level, layer and statement of every guarantee and case.

  MUST    the document says so
  SHOULD  the lifecycle contract, or what any user is entitled to; broken is a
          warning
  OPT     asked only of a subject that claims the capability`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			rows, err := selection.Select(only, catalogue.All())
			if err != nil {
				return usage(fmt.Errorf("--only: %w", err))
			}
			if asJSON {
				enc := json.NewEncoder(cmd.OutOrStdout())
				enc.SetIndent("", "  ")
				return enc.Encode(listed(rows))
			}
			w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, r := range rows {
				statement := r.Statement
				if !r.AskedIn(catalogue.Suite) {
					statement = "(from suite " + r.Asked + ") " + statement
				}
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", r.ID, r.Level, r.Layer, statement)
			}
			return w.Flush()
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	cmd.Flags().StringVar(&only, "only", "", "rows of an expression, as for run")
	completeRows(cmd, "only")
	return cmd
}

// row is a catalogue row in JSON.
type row struct {
	ID        string            `json:"id"`
	Level     catalogue.Level   `json:"level"`
	Layer     spec.Layer        `json:"layer"`
	Needs     []spec.Capability `json:"needs"`
	Statement string            `json:"statement"`
	Why       string            `json:"why"`
	Source    string            `json:"source"`
	Since     string            `json:"since"`
	Asked     bool              `json:"asked"` // by this version of the suite
}

func listed(rows []catalogue.Row) []row {
	out := make([]row, len(rows))
	for i, r := range rows {
		out[i] = row{r.ID, r.Level, r.Layer, append([]spec.Capability{}, r.Needs...), r.Statement, r.Why, r.Source, r.Since,
			r.AskedIn(catalogue.Suite)}
	}
	return out
}

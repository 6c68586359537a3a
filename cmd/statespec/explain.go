package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/statespec/statespec/spec/catalogue"
	"github.com/statespec/statespec/spec/faulty"
	"github.com/statespec/statespec/spec/plan"
	"github.com/statespec/statespec/spec/selection"
)

func newExplain() *cobra.Command {
	cmd := &cobra.Command{
		Use: "explain ID", Short: "What a guarantee says, why, where it comes from, and its specs", Args: cobra.ExactArgs(1),
		Long: `Explain one guarantee (EVI-05) with its cases, or one case (ACC-11.set): what it
says, why a user cares, where the document says it, what a subject must claim to
be asked, the specs that ask it, and the faulty subjects by which these prove
that they can fail (statespec run --fault NAME shows one).`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return ids(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			id := strings.TrimSpace(args[0])
			rows, err := selection.Select(id, catalogue.All())
			if err != nil {
				return usage(err)
			}
			if !strings.EqualFold(rows[0].ID, id) {
				return usage(fmt.Errorf("%q is not the ID of a guarantee or case, as EVI-05 or ACC-11.set is", id))
			}
			specs := plan.Specs()
			for i, r := range rows {
				if i > 0 {
					fmt.Fprintln(cmd.OutOrStdout())
				}
				explain(cmd.OutOrStdout(), r, specs[r.ID])
			}
			return nil
		},
	}
	return cmd
}

func explain(w io.Writer, r catalogue.Row, specs []plan.Spec) {
	fmt.Fprintf(w, "%s  %s  layer %s\n", r.ID, r.Level, r.Layer)
	fmt.Fprintf(w, "  %s\n", r.Statement)
	fmt.Fprintf(w, "  why:     %s\n", r.Why)
	fmt.Fprintf(w, "  source:  %s\n", r.Source)
	if len(r.Needs) > 0 {
		needs := make([]string, len(r.Needs))
		for i, c := range r.Needs {
			needs[i] = string(c)
		}
		fmt.Fprintf(w, "  needs:   %s\n", strings.Join(needs, ", "))
	}
	fmt.Fprintf(w, "  since:   suite %s", r.Since)
	if !r.AskedIn(catalogue.Suite) {
		fmt.Fprintf(w, ", asked from suite %s", r.Asked)
	}
	fmt.Fprintln(w)
	for _, s := range specs {
		fmt.Fprintf(w, "  spec:    %s (%s)\n", s.Text, s.Location)
	}
	for _, f := range faulty.In(r.ID) {
		fmt.Fprintf(w, "  fault:   %s\n", f.Name)
	}
}

package main

import (
	"github.com/spf13/cobra"

	"github.com/statespec/statespec/spec/catalogue"
)

// ids lists what an expression may name by itself.
func ids() (out []string) {
	for _, f := range catalogue.Families() {
		out = append(out, f.Code+"\t"+f.Title)
	}
	for _, r := range catalogue.All() {
		out = append(out, r.ID+"\t"+r.Statement)
	}
	return out
}

// completeRows completes a flag that takes an expression.
func completeRows(cmd *cobra.Command, flag string) {
	err := cmd.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return ids(), cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic(err) // a flag that the command does not have
	}
}

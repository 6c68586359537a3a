package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// refuseUnknown has every command that is there for its sub-commands refuse a word that
// is none of them, cobra's own help and completion as well: they would show their help,
// and call a typing mistake a success. It comes after the command's output was set,
// which cobra's completion keeps.
func refuseUnknown(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	each(root, func(cmd *cobra.Command) {
		switch {
		case cmd.HasSubCommands():
			cmd.Args = ofItsCommands
			if !cmd.Runnable() {
				cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
			}
		case cmd.Name() == "help":
			cmd.Args = topic
		}
	})
}

// each calls a function with a command and with all below it.
func each(cmd *cobra.Command, visit func(*cobra.Command)) {
	visit(cmd)
	for _, sub := range cmd.Commands() {
		each(sub, visit)
	}
}

// ofItsCommands refuses a word that is none of a command's sub-commands: of those,
// cobra has found the command already.
func ofItsCommands(cmd *cobra.Command, words []string) error {
	if len(words) == 0 {
		return nil
	}
	text := fmt.Sprintf("unknown command %q for %q", words[0], cmd.CommandPath())
	var names []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	if len(names) > 0 {
		text += ", want one of " + strings.Join(names, ", ")
	}
	cmd.SuggestionsMinimumDistance = 2 // cobra's own
	if near := cmd.SuggestionsFor(words[0]); len(near) > 0 {
		text += "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return usage(errors.New(text))
}

// topic refuses words that name no command.
func topic(cmd *cobra.Command, words []string) error {
	named, rest, err := cmd.Root().Find(words)
	if err != nil {
		return usage(err)
	}
	return ofItsCommands(named, rest)
}

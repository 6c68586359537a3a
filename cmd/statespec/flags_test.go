package main

import (
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/statespec/statespec/spec/verdict"
)

// everyFlag calls a function with each flag of each command, and the arguments with
// which the command takes it.
func everyFlag(visit func(cmd *cobra.Command, f *pflag.Flag, args []string)) {
	each(newRoot(), func(cmd *cobra.Command) {
		args := strings.Fields(cmd.CommandPath())[1:]
		for _, word := range strings.Fields(cmd.Use)[1:] { // A B, FILE, ID: but not what is optional
			if !strings.ContainsAny(word, "[].-") {
				args = append(args, word)
			}
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) { visit(cmd, f, args) })
	})
}

func TestNoCommandTakesAFlagThatIsEmpty(t *testing.T) {
	asked := 0
	everyFlag(func(cmd *cobra.Command, f *pflag.Flag, args []string) {
		if kind := f.Value.Type(); kind != "string" && kind != "stringArray" {
			return
		}
		asked++
		for _, empty := range []string{"", " \t"} {
			var errs strings.Builder
			code := execute(t.Context(), append(args, "--"+f.Name, empty), io.Discard, &errs)
			if want := "--" + f.Name + ": it is empty, want --" + f.Name; code != verdict.Unusable || !strings.Contains(errs.String(), want) {
				t.Errorf("%s --%s %q = exit %d and %q, want 2 and %q", cmd.CommandPath(), f.Name, empty, code, errs.String(), want)
			}
		}
	})
	if asked < 40 {
		t.Errorf("%d flags were asked, want all of them, 40 and more", asked)
	}
}

// Times are added up and multiplied: what is too long would come out below zero.
func TestNoCommandTakesATimeThatNeverEnds(t *testing.T) {
	asked := 0
	everyFlag(func(cmd *cobra.Command, f *pflag.Flag, args []string) {
		if f.Value.Type() != "duration" {
			return
		}
		asked++
		var errs strings.Builder
		code := execute(t.Context(), append(args, "--"+f.Name, "500000h"), io.Discard, &errs)
		if want := "--" + f.Name + " 500000h0m0s: want at most 1000h"; code != verdict.Unusable || !strings.Contains(errs.String(), want) {
			t.Errorf("%s --%s 500000h = exit %d and %q, want 2 and %q", cmd.CommandPath(), f.Name, code, errs.String(), want)
		}
	})
	if asked < 12 {
		t.Errorf("%d flags were asked, want all of them, 12 and more", asked)
	}
}

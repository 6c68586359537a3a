package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// checkFlags says what is wrong with the flags of any command. One that is given and
// empty is mostly a variable that nobody has set: taken as if it were not given, it
// would have another thing done than was asked for, and called a success.
func checkFlags(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch {
		case err != nil:
		case blank(f):
			err = fmt.Errorf("--%[1]s: it is empty, want --%[1]s %[2]s, or no --%[1]s", f.Name, wanted(f))
		case endless(f):
			err = fmt.Errorf("--%s %v: want at most %v", f.Name, f.Value, longest)
		}
	})
	return err
}

// longest is the most that a flag of time may say: a limit is made of a dozen of
// requests and the start of a driver, and has to fit into a duration.
const longest = 1000 * time.Hour

func endless(f *pflag.Flag) bool {
	if f.Value.Type() != "duration" {
		return false
	}
	d, err := time.ParseDuration(f.Value.String())
	return err != nil || d > longest
}

// blank says whether a flag of texts has one without a word.
func blank(f *pflag.Flag) bool {
	empty := func(text string) bool { return strings.TrimSpace(text) == "" }
	if list, is := f.Value.(pflag.SliceValue); is {
		return slices.ContainsFunc(list.GetSlice(), empty)
	}
	return f.Value.Type() == "string" && empty(f.Value.String())
}

// wanted is the word by which a flag's help calls its value.
func wanted(f *pflag.Flag) string {
	if !strings.Contains(f.Usage, "`") {
		return "VALUE"
	}
	name, _ := pflag.UnquoteUsage(f)
	return name
}

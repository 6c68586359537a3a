package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"regexp"
	"time"

	"github.com/statespec/statespec/ci/paired"
)

// flags are the command's flags, as they were given.
type flags struct {
	length time.Duration
	count  int
	only   string
	strict bool

	asked []paired.Benchmark // that only comes to
}

// set is the flags' names, and where their values go.
func (f *flags) set() *flag.FlagSet {
	set := flag.NewFlagSet("peers", flag.ContinueOnError)
	set.SetOutput(io.Discard) // errors are told once, by run
	set.DurationVar(&f.length, "time", 50*time.Millisecond, "how long each line measures a peer")
	set.IntVar(&f.count, "count", 10, "lines of each peer; an interval wants 6 and more")
	set.StringVar(&f.only, "only", "", "peers whose benchmark's name this `REGEXP` matches, beside the control")
	set.BoolVar(&f.strict, "strict", false, "measure nothing; a table of wrong residents, in Markdown")
	return set
}

func help() string {
	var text bytes.Buffer
	set := new(flags).set()
	set.SetOutput(&text)
	fmt.Fprintln(&text, "Measure the reference's get-or-create beside other caches, in Go's benchmark format.")
	set.PrintDefaults()
	return text.String()
}

// parse reads the flags, and says what is wrong with them.
func parse(args []string) (f flags, err error) {
	set := f.set()
	if err := set.Parse(args); err != nil {
		return f, err
	}
	if set.NArg() > 0 {
		return f, fmt.Errorf("%s: want flags only", set.Arg(0))
	}
	names, err := regexp.Compile(f.only)
	if err != nil {
		return f, fmt.Errorf("-only: %w", err)
	}
	switch {
	case f.strict && set.NFlag() > 1:
		return f, fmt.Errorf("-strict: want it without other flags: nothing is measured")
	case f.length < time.Millisecond:
		return f, fmt.Errorf("-time %v: want at least 1ms", f.length)
	case f.count < 1 || f.count > 10_000:
		return f, fmt.Errorf("-count %d: want 1 to 10000", f.count)
	}
	if f.asked = paired.Chosen(list(), names); len(f.asked) == 0 {
		return f, fmt.Errorf("-only %s: no benchmark of a peer has such a name, as PeerGet/impl=otter/sessions=64 is one", f.only)
	}
	return f, nil
}

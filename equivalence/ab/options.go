package ab

import (
	"errors"
	"fmt"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/statespec/statespec/equivalence/compare"
)

// OutVar is the environment variable that names the folder a run writes its
// artefacts into. All runs see the same folder, empty at the start of each, so
// that its path cannot leak into what they write.
const OutVar = "STATESPEC_OUT"

// Options say what to run and what to make of it.
type Options struct {
	// A and B are the commands of the two sides, program first, without a shell.
	// Most often they are the same, and only the variable differs.
	A, B []string

	Var    string    // the variable that differs; empty where only the commands do
	Values [2]string // its value on A and on B
	Env    []string  // "name=value", set on both sides

	// Environ is the environment that all runs start from, as of os.Environ.
	Environ []string

	Repeat  int            // how often B and A again follow the first A, 1 to MaxRepeat
	Witness *regexp.Regexp // what in a run's log tells its path; nil: WitnessFile does
	Timeout time.Duration  // of one run; 0: none
	Caches  []string       // folders whose state must be the same before each run

	Out  string // the folder that runs are given; it must not exist
	Runs string // the folder that finished runs are moved to; it exists
	Kept string // where Runs will be in the end, to tell it; empty: the runs are not kept

	// Reuse are earlier runs. Those that fit stand for runs of this A/B.
	Reuse      []Run
	KeepReused bool // those that stand for others are put into Runs as well

	Compare compare.Options

	// Say is told what goes on, a line at a time. It may be nil.
	Say func(line string)
}

// MaxRepeat bounds Repeat: more than anyone waits for, and few enough to be listed.
const MaxRepeat = 1000

// sides are the runs in their order: A, then B and A so often as is wanted.
func (o Options) sides() []Side {
	all := []Side{A}
	for range o.Repeat {
		all = append(all, B, A)
	}
	return all
}

// Check refuses options that could not give an answer. Ask asks it as well.
func (o Options) Check() error {
	switch {
	case len(o.A) == 0 || len(o.B) == 0:
		return errors.New("no command: want a program and its arguments")
	case o.Repeat < 1 || o.Repeat > MaxRepeat:
		return fmt.Errorf("repeat %d: want at least 1 and at most %d", o.Repeat, MaxRepeat)
	case o.Timeout < 0:
		return fmt.Errorf("timeout %v: want a positive duration, or 0 for none", o.Timeout)
	case o.Var == "" && slices.Equal(o.A, o.B):
		return errors.New("both sides are the same command in the same environment: want a variable that differs, or two commands")
	case o.Var != "" && o.Values[0] == o.Values[1]:
		return fmt.Errorf("%s is %q on both sides: want two values", o.Var, o.Values[0])
	case strings.ContainsAny(o.Var, "=\x00"):
		return fmt.Errorf("variable %q: want a name", o.Var)
	case o.Var == OutVar:
		return fmt.Errorf("variable %q: every run is given a folder of ours", o.Var)
	}
	for _, entry := range o.Env {
		name, _, found := strings.Cut(entry, "=")
		switch {
		case !found || name == "" || strings.Contains(entry, "\x00"):
			return fmt.Errorf("environment %q: want NAME=VALUE", entry)
		case name == o.Var:
			return fmt.Errorf("environment %q: it is the variable that differs, and has its values from there", entry)
		case name == OutVar:
			return fmt.Errorf("environment %q: every run is given a folder of ours", entry)
		}
	}
	for _, g := range slices.Concat(o.Compare.Bytes, o.Compare.BFloat16, o.Compare.Ignore) {
		if _, err := path.Match(g, ""); err != nil {
			return fmt.Errorf("glob %q: %w", g, err)
		}
	}
	for _, s := range []Side{A, B} {
		if _, err := exec.LookPath(o.command(s)[0]); err != nil {
			return fmt.Errorf("side %s cannot be started: %w", s, err)
		}
	}
	if len(o.Reuse) > 0 {
		if _, err := o.Fitting(); err != nil {
			return err
		}
	}
	return nil
}

func (o Options) say(format string, args ...any) {
	if o.Say != nil {
		o.Say(line(fmt.Sprintf(format, args...)))
	}
}

// A Side is one of the two things compared.
type Side string

// The sides.
const (
	A Side = "A"
	B Side = "B"
)

func (o Options) command(s Side) []string {
	if s == A {
		return o.A
	}
	return o.B
}

func (o Options) value(s Side) string {
	if s == A {
		return o.Values[0]
	}
	return o.Values[1]
}

// environ is the environment of a side's runs. Of a name that is set twice the
// last one counts, and only that one is handed on.
func (o Options) environ(s Side) []string {
	all := append(slices.Clone(o.Environ), o.Env...)
	if o.Var != "" {
		all = append(all, o.Var+"="+o.value(s))
	}
	all = append(all, OutVar+"="+o.Out)
	var names []string
	last := map[string]string{}
	for _, entry := range all {
		name, _, _ := strings.Cut(entry, "=")
		if _, seen := last[name]; !seen {
			names = append(names, name)
		}
		last[name] = entry
	}
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = last[name]
	}
	return out
}

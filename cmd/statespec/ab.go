package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/kballard/go-shellquote"
	"github.com/spf13/cobra"

	"github.com/statespec/statespec/driver/reap"
	"github.com/statespec/statespec/equivalence/ab"
	"github.com/statespec/statespec/equivalence/compare"
	"github.com/statespec/statespec/equivalence/rollout"
	"github.com/statespec/statespec/reference/config"
	"github.com/statespec/statespec/spec/report"
	"github.com/statespec/statespec/spec/verdict"
)

// abFlags are the flags of ab, as they were given.
type abFlags struct {
	variable, values, witness string
	a, b, profile             string
	out, reuse                string
	env, bytes, caches        []string
	repeat                    int
	ulp                       uint64
	timeout                   time.Duration
	deterministic, asJSON     bool
}

func newAB() *cobra.Command {
	var f abFlags
	cmd := &cobra.Command{
		Use: "ab [flags] [-- COMMAND ARGUMENT...]", Short: "One command with the switch off, on and off again, compared bit for bit",
		Long: `Run one command in fresh processes that differ in one environment variable, and
compare what they write, bit for bit. Without a command it is our own rollout.

The order is A B A: off, on, off again. Every run is given the same empty folder
in $` + ab.OutVar + ` and writes its artefacts there: .npy, .npz, .safetensors, .pt
and .pth are compared by value, other files are listed and not judged unless
--bytes names them.

Every run has to witness the path that it took, or a switch that never acted
would compare equal: ` + ab.WitnessFile + ` in that folder, {"path": "managed"}, or
--witness, a pattern for its log.

Answers
  equal             every artefact of every run is the same            exit 0
  divergent         A equals A, and B differs                          exit 1
  nondeterministic  A differs from A                                   exit 3
  unwitnessed       the runs do not show two paths                     exit 3
  drifted           something besides the variable differed: the
                    arguments, environment, program, files, config,
                    host, devices, caches or exit codes                exit 3
  failed            a run did not end well, or left nothing to judge   exit 3

--deterministic sets, on both sides:
` + settings(),
		Example: `  statespec ab
  statespec ab --profile shipped --out nightly
  statespec ab --deterministic --witness 'session state: (\w+)' -- python rollout.py --steps 96
  statespec ab --var USE_NEW_CACHE --values off,on -- ./model
  statespec ab --a './before --steps 96' --b './after --steps 96'`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.variable, "var", config.EnableVar, "the environment `VARIABLE` that differs; with --a and --b: none unless given")
	fl.StringVar(&f.values, "values", "0,1", "its values on `A,B`")
	fl.StringVar(&f.witness, "witness", "", "a regular `EXPRESSION` that finds the path in a run's log: its first group, or the match")
	fl.StringVar(&f.a, "a", "", "the `COMMAND` of side A, split as a shell does, without a shell")
	fl.StringVar(&f.b, "b", "", "the `COMMAND` of side B")
	fl.StringVar(&f.profile, "profile", rollout.Small.Name, "profile of our own rollout: tiny, small or shipped")
	fl.StringArrayVar(&f.env, "env", nil, "set `NAME=VALUE` on both sides")
	fl.BoolVar(&f.deterministic, "deterministic", false, "set what makes libraries repeat themselves, on both sides (above)")
	fl.StringArrayVar(&f.caches, "cache", nil, "a `FOLDER` of compiled kernels that must be the same before each run")
	fl.IntVar(&f.repeat, "repeat", 1, fmt.Sprintf("how often B and A again follow the first A, at most %d", ab.MaxRepeat))
	fl.StringVar(&f.reuse, "reuse", "", "take what fits of the runs of an earlier A/B, its --out `DIR`, and make only the others")
	fl.StringArrayVar(&f.bytes, "bytes", nil, "compare files of this `PATTERN` byte for byte")
	fl.Uint64Var(&f.ulp, "ulp", 0, "also count the elements that are further apart than so many ULP; decides nothing")
	fl.DurationVar(&f.timeout, "timeout", 0, "time limit of one run; 0: none")
	completeWords(cmd, "profile", profileNames()...)
	fl.StringVar(&f.out, "out", "", "write reports and the runs into `DIR`, replacing an earlier A/B's")
	fl.BoolVar(&f.asJSON, "json", false, "ab.json on standard output instead of text")
	return cmd
}

// settings is the determinism preset, to read.
func settings() string {
	var b strings.Builder
	for _, s := range ab.Deterministic() {
		fmt.Fprintf(&b, "  %s=%s\n      %s\n", s.Name, s.Value, s.Why)
	}
	return b.String()
}

func (f *abFlags) run(cmd *cobra.Command, args []string) error {
	defer outliveReader()()
	o, err := f.options(cmd, args)
	if err == nil {
		err = f.vacant(o)
	}
	if err != nil {
		return usage(err)
	}
	folder, err := openOut(f.out)
	if err != nil {
		return err
	}
	defer folder.Discard()
	done, err := f.places(&o, folder)
	if err != nil {
		return err
	}
	defer done()
	if err := reap.Adopt(); err != nil {
		return &exit{verdict.OwnFault, err}
	}
	o.Say = func(line string) { fmt.Fprintln(cmd.ErrOrStderr(), line) }
	result, err := ab.Ask(cmd.Context(), o)
	if err != nil {
		return &exit{verdict.OwnFault, err}
	}
	if err := f.tell(cmd, folder, result); err != nil {
		return &exit{verdict.OwnFault, err}
	}
	if code := result.Answer.Exit(); code != verdict.AsExpected {
		return &exit{code, nil}
	}
	return nil
}

// options reads every flag before anything is run or written.
func (f *abFlags) options(cmd *cobra.Command, args []string) (o ab.Options, err error) {
	o = ab.Options{Env: f.env, Environ: os.Environ(), Repeat: f.repeat, Timeout: f.timeout,
		Compare: compare.Options{Bytes: f.bytes, ULP: f.ulp}}
	if err := filled(cmd); err != nil {
		return o, err
	}
	if o.A, o.B, err = f.commands(cmd, args); err != nil {
		return o, err
	}
	if f.a == "" || cmd.Flags().Changed("var") {
		a, b, found := strings.Cut(f.values, ",")
		if !found || strings.Contains(b, ",") {
			return o, fmt.Errorf("--values %s: want two, separated by a comma, as 0,1", f.values)
		}
		o.Var, o.Values = f.variable, [2]string{a, b}
	}
	if f.witness != "" {
		if o.Witness, err = regexp.Compile(f.witness); err != nil {
			return o, fmt.Errorf("--witness: %w", err)
		}
	}
	if f.deterministic {
		o.Env = append(slices.Clone(f.env), ab.Entries(ab.Deterministic(), f.env)...)
	}
	o.Caches = append(ab.CachesOf(append(o.Environ, o.Env...)), f.caches...)
	if f.reuse != "" {
		if o.Reuse, err = f.earlier(); err != nil {
			return o, fmt.Errorf("--reuse: %w", err)
		}
	}
	if err := o.Check(); err != nil || len(o.Reuse) == 0 {
		return o, err
	}
	o.Reuse, err = o.Fitting()
	return o, err
}

// filled refuses flags that were given and are empty: most often a variable of the
// shell that is not set, and never a wish for what is done without the flag.
func filled(cmd *cobra.Command) error {
	for _, f := range []struct{ flag, want string }{
		{"a", "the command of side A"}, {"b", "the command of side B"},
		{"var", "the name of a variable"}, {"values", "two, separated by a comma, as 0,1"},
		{"witness", "a pattern that finds the path in a log"},
		{"reuse", "the --out folder of an earlier A/B"}, {"out", "a folder"},
	} {
		if flag := cmd.Flags().Lookup(f.flag); flag.Changed && strings.TrimSpace(flag.Value.String()) == "" {
			return fmt.Errorf("--%s: it is empty, want %s", f.flag, f.want)
		}
	}
	return nil
}

// commands are those of the two sides.
func (f *abFlags) commands(cmd *cobra.Command, args []string) (a, b []string, err error) {
	two := f.a != "" || f.b != ""
	switch {
	case cmd.ArgsLenAtDash() >= 0 && cmd.ArgsLenAtDash() == len(args):
		return nil, nil, errors.New("--: nothing follows it, want a command, or no -- for our own rollout")
	case two && (f.a == "" || f.b == ""):
		return nil, nil, errors.New("--a and --b: want both, or one command after --")
	case two && len(args) > 0:
		return nil, nil, fmt.Errorf("%s: want --a and --b, or a command after --, not both", strings.Join(args, " "))
	case len(args) > 0 && cmd.ArgsLenAtDash() != 0:
		return nil, nil, fmt.Errorf("%s: want a command after --, as in: statespec ab -- %s", args[0], strings.Join(args, " "))
	case (two || len(args) > 0) && cmd.Flags().Changed("profile"):
		return nil, nil, errors.New("--profile: it is of our own rollout, and another command is given")
	case two:
		if a, err = split("--a", f.a); err != nil {
			return nil, nil, err
		}
		b, err = split("--b", f.b)
		return a, b, err
	case len(args) > 0:
		return args, args, nil
	}
	if _, err := rollout.ProfileNamed(f.profile); err != nil {
		return nil, nil, fmt.Errorf("--profile: %w", err)
	}
	self, err := os.Executable()
	if err != nil {
		return nil, nil, fmt.Errorf("find this binary, to run it again: %w", err)
	}
	own := []string{self, "rollout", "--profile", f.profile}
	return own, own, nil
}

// split makes words of a command as a POSIX shell would.
func split(flag, command string) ([]string, error) {
	words, err := shellquote.Split(command)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", flag, command, err)
	}
	if len(words) == 0 {
		return nil, fmt.Errorf("%s: no word in it, want a command", flag)
	}
	return words, nil
}

// runsDir is where an A/B keeps its runs in its folder.
const runsDir = "runs"

// earlier are the runs of --reuse.
func (f *abFlags) earlier() ([]ab.Run, error) {
	if f.out != "" && sameFile(f.out, f.reuse) {
		return nil, fmt.Errorf("%s is --out as well, and would be replaced: want another --out", f.reuse)
	}
	return ab.Load(filepath.Join(f.reuse, runsDir))
}

func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// vacant says what is in the way of the folder that runs are given, before an
// earlier A/B is replaced.
func (f *abFlags) vacant(o ab.Options) error {
	dir := ""
	switch {
	case len(o.Reuse) > 0:
		dir = o.Reuse[0].Out
		if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
			return fmt.Errorf("--reuse: its runs wrote into %s, and so have the others to: %w", dir, err)
		}
	case f.out != "":
		place, err := filepath.Abs(f.out)
		if err != nil {
			return fmt.Errorf("--out: %w", err)
		}
		if target, err := filepath.EvalSymlinks(place); err == nil {
			place = target
		}
		dir = place + runSuffix
	default:
		return nil // a new one
	}
	if _, err := os.Lstat(dir); err == nil {
		return fmt.Errorf("%s is there, and is the folder that runs are given: is another A/B under way, or was one killed? then remove it", dir)
	}
	return nil
}

// runSuffix follows the name of --out in that of the folder that runs are given.
const runSuffix = ".run"

// places gives the runs a folder to write into and one to be kept in. The first is
// beside --out and named after it, so that the next A/B with the same --out sees
// the same path; runs that are used again were given another, which all the
// others are given too.
func (f *abFlags) places(o *ab.Options, folder *report.Folder) (done func(), err error) {
	temp := ""
	if folder == nil {
		if temp, err = os.MkdirTemp("", "statespec-ab-"); err != nil {
			return nil, usage(fmt.Errorf("no folder for the runs: %w; want a $TMPDIR that is there and can be written, or --out", err))
		}
		o.Runs, o.Out = filepath.Join(temp, runsDir), filepath.Join(temp, "out")
		err = os.Mkdir(o.Runs, 0o755)
	} else {
		o.Out = folder.Place() + runSuffix
		o.Runs, err = folder.Room(runsDir)
		o.Kept, o.KeepReused = filepath.Join(folder.Place(), runsDir), true
	}
	if len(o.Reuse) > 0 {
		o.Out = o.Reuse[0].Out
	}
	done = func() {
		if temp != "" {
			os.RemoveAll(temp)
		}
	}
	if err != nil {
		done()
		return nil, &exit{verdict.OwnFault, err}
	}
	return done, nil
}

// outliveReader lets a write to a pipe that nobody reads fail, where it would end
// this process and leave its runs behind. The signal is not ignored: that would be
// handed on to the programs under test.
func outliveReader() (stop func()) {
	unread := make(chan os.Signal, 1)
	signal.Notify(unread, syscall.SIGPIPE)
	return func() { signal.Stop(unread) }
}

// tell writes the answer wherever it is wanted: first to who waits for it, since
// the folder may have become impossible to write meanwhile.
func (f *abFlags) tell(cmd *cobra.Command, folder *report.Folder, r *ab.Result) error {
	shown := f.show(cmd.OutOrStdout(), r)
	if errors.Is(shown, syscall.EPIPE) {
		shown = nil // who stopped reading has what he wants, and the exit code is still the answer's
	}
	if err := fill(folder, r.Write); err != nil {
		return errors.Join(shown, fmt.Errorf("the answer was %s, and the runs are lost: %w", r.Answer, err))
	}
	sayReports(cmd, f.out, f.asJSON)
	return shown
}

func (f *abFlags) show(out io.Writer, r *ab.Result) error {
	if f.asJSON {
		return r.JSON(out)
	}
	return r.Text(out, terminal(out).Color)
}

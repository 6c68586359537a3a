package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"time"

	"github.com/klauspost/cpuid/v2"
	"github.com/spf13/cobra"

	"github.com/statespec/statespec/ci/benchmarks"
	"github.com/statespec/statespec/ci/paired"
	"github.com/statespec/statespec/ci/regress"
	"github.com/statespec/statespec/driver"
	"github.com/statespec/statespec/driver/bench"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/regular"
	"github.com/statespec/statespec/spec/suite"
	"github.com/statespec/statespec/spec/verdict"
)

// benchFlags are the flags of bench, as they were given.
type benchFlags struct {
	target
	out, only, python  string
	length             time.Duration
	count, line        int
	long, list, judged bool
	portable, within   bool

	names *regexp.Regexp // that only comes to
}

func newBench() *cobra.Command {
	var f benchFlags
	cmd := &cobra.Command{
		Use: "bench [RECORDING...]", Short: "What operations take, beside a control, in Go's benchmark format", Args: cobra.ArbitraryArgs,
		Long: `Measure what the Go reference promises to be fast at, each benchmark in turns of 2 ms
with its control: hashicorp's LRU cache, a copy, bytes.Equal, itself at the start of a
session. What counts is x/control, the time divided by the control's, round by round,
and what is exact: allocs/op and bytes-held. Times are for scale. Each line is of a
process of its own: where its memory lies makes as much as 15 % of a ratio.

With --driver or --fault the operations of that manager are measured, in its own loop,
and the control is the Go reference.

--targets shows what each ratio should come to at most, and of what was measured, or of
RECORDINGS that an earlier bench wrote, whether it does: exit 1 where one is missed,
and 3 where none is and of some the interval is too wide to tell, or its middle above.
statespec regress compares two recordings.`,
		Example: `  statespec bench --out new.txt
  statespec bench --targets old.txt new.txt
  statespec bench --driver 'python driver/python/statespec_driver.py' --only Hit`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.bench(cmd, args) },
	}
	fl := cmd.Flags()
	f.target.flags(fl)
	fl.StringVar(&f.out, "out", "", "write into a `FILE` rather than to standard output")
	fl.StringVar(&f.only, "only", "", "benchmarks whose name this `REGEXP` matches")
	fl.DurationVar(&f.length, "time", 50*time.Millisecond, "how long each line measures a benchmark, without its control")
	fl.IntVar(&f.count, "count", 10, "lines of each benchmark; an interval wants 6 and more, regress 10")
	fl.IntVar(&f.line, "line", 0, "which line of a recording is the first here, of lines that are measured one by one: the orders of turns go on from it")
	fl.BoolVar(&f.long, "long", false, "artefacts of 1 GiB, the whole conformance run and the growth curves too: many minutes, 3 GiB of disk, 8 GiB of memory")
	fl.BoolVar(&f.portable, "portable", false, "ratios and what is counted alone, as a baseline for other machines has")
	fl.BoolVar(&f.list, "list", false, "say which benchmarks there are, and measure nothing")
	fl.BoolVar(&f.judged, "targets", false, "a table of the targets instead: of RECORDINGs, or of what is measured now")
	fl.BoolVar(&f.within, "in-process", false, "all lines of one process, which is quicker; they say less than they seem to")
	fl.StringVar(&f.python, "python-driver", "", "the `COMMAND` of a driver in Python whose requests are measured too")
	return cmd
}

func (f *benchFlags) bench(cmd *cobra.Command, recordings []string) error {
	if err := f.check(recordings); err != nil {
		return usage(err)
	}
	if len(recordings) > 0 {
		return f.targetsOf(cmd, recordings)
	}
	ctx, cancel := onLifeline(cmd.Context(), cmd.InOrStdin())
	defer cancel()
	cmd.SetContext(ctx)
	asked, head, end, err := f.asked(cmd.Context())
	if err != nil {
		return err
	}
	defer end()
	switch {
	case f.list:
		return list(cmd.OutOrStdout(), asked)
	case f.judged && len(benchmarks.Aims(asked)) == 0: // and not after it was measured
		return usage(fmt.Errorf("--only %s: no such benchmark has a target", f.only))
	}
	var text bytes.Buffer
	var out io.Writer = &text // a file is written whole, or not at all
	if f.out == "" && !f.judged {
		out = io.MultiWriter(&text, cmd.OutOrStdout())
	}
	if err := paired.WriteHead(out, head...); err != nil {
		return &exit{verdict.OwnFault, err}
	}
	measure := f.apartEach
	if f.within || f.count == 1 {
		measure = f.measure
	}
	if err := measure(cmd, asked, out); err != nil {
		return err
	}
	if err := f.sayNoise(cmd, text.Bytes()); err != nil {
		return &exit{verdict.OwnFault, err}
	}
	if f.out != "" {
		if err := writeWhole(f.out, content(text.Bytes())); err != nil {
			return usage(fmt.Errorf("--out: %w", err))
		}
	}
	if f.judged {
		return judge(cmd, asked, regress.Input{Name: "now", Data: text.Bytes()})
	}
	return nil
}

// check says what is wrong with the flags.
func (f *benchFlags) check(recordings []string) (err error) {
	if err := f.target.check(); err != nil {
		return err
	}
	if f.names, err = regexp.Compile(f.only); err != nil {
		return fmt.Errorf("--only: %w", err)
	}
	switch {
	case len(recordings) > 0 && !f.judged:
		return fmt.Errorf("%s: want recordings with --targets only; statespec regress compares two", recordings[0])
	case len(recordings) > 0 && (f.out != "" || f.list || f.portable):
		return errors.New("--out, --list, --portable: want them without RECORDINGs, of which nothing is measured")
	case f.judged && f.through():
		return errors.New("--targets: want it without --driver and --fault: the targets are the Go reference's")
	case f.length < time.Millisecond || f.length > f.timeout/2:
		return fmt.Errorf("--time %v: want at least 1ms, and at most half of --timeout (%v), the deadline of a measurement", f.length, f.timeout)
	case f.count < 1 || f.count > 10_000:
		return fmt.Errorf("--count %d: want 1 to 10000", f.count)
	case f.line < 0 || f.line > 10_000:
		return fmt.Errorf("--line %d: want 0 to 10000", f.line)
	case f.out != "":
		if err := canReplace(f.out, isRecording); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
	}
	return nil
}

// isRecording refuses a file that is there and was no recording, to be replaced by one.
func isRecording(path string) error {
	data, err := regular.Read(path, regress.MaxInput)
	if err == nil {
		_, err = regress.ReadOne(regress.Input{Name: path, Data: data})
	}
	if err != nil {
		return fmt.Errorf("%s is there, and no recording of benchmarks to be replaced: %w", path, err)
	}
	return nil
}

// through says whether a manager is measured through the port.
func (f *benchFlags) through() bool { return f.driver != "" || f.fault != "" }

// asked is what is measured, and what its recording says of itself. Whoever calls
// ends it.
func (f *benchFlags) asked(ctx context.Context) (asked []paired.Benchmark, head []string, end func(), err error) {
	head, end = []string{"goos", runtime.GOOS, "goarch", runtime.GOARCH, "toolchain", runtime.Version()}, func() {}
	if !f.portable { // times are of a machine
		head = append(head, "cpu", cpuid.CPU.BrandName)
	}
	if f.through() {
		var open suite.Open
		if open, _, end, err = f.apart(); err != nil {
			return nil, nil, nil, usage(err)
		}
		s, err := open(ctx, spec.Process{})
		if err != nil {
			end()
			if ctx.Err() != nil { // it had no time to
				return nil, nil, nil, &exit{verdict.Interrupted, nil}
			}
			return nil, nil, nil, &exit{verdict.NoVerdict, fmt.Errorf("the subject could not be run: %w", err)}
		}
		h := s.Hello()
		head = append(head, "pkg", h.Implementation, "subject", h.Name, "subject-version", h.Version, "language", h.Language)
		if err := s.Close(); err != nil {
			end()
			return nil, nil, nil, &exit{verdict.NoVerdict, err}
		}
		control := driver.OpenWithin(subject.New, f.timeout)
		for _, b := range bench.Benchmarks() {
			asked = append(asked, b.Paired(bench.Open(open), control))
		}
	} else {
		head = append(head, "pkg", "github.com/statespec/statespec/ci/benchmarks", "subject", "reference")
		o := benchmarks.Options{Long: f.long}
		if o.Statespec, o.Python, err = f.commands(); err != nil {
			return nil, nil, nil, usage(err)
		}
		asked = benchmarks.List(o)
	}
	if asked = paired.Chosen(asked, f.names); len(asked) == 0 {
		end()
		return nil, nil, nil, usage(fmt.Errorf("--only %s: no benchmark has such a name (--list shows them)", f.only))
	}
	return asked, head, end, nil
}

// commands are this command and the driver in Python: the one that is named, or the
// project's own where the command runs in a checkout that has Python.
func (f *benchFlags) commands() (statespec, python []string, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, nil, err
	}
	if f.python != "" {
		if python, err = commandOf(f.python); err != nil {
			return nil, nil, fmt.Errorf("--python-driver %w", err)
		}
		return []string{self}, python, nil
	}
	const own = "driver/python/statespec_driver.py"
	if _, err := os.Stat(own); err == nil {
		if path, err := exec.LookPath("python3"); err == nil {
			python = []string{path, own, "--target", "manager"}
		}
	}
	return []string{self}, python, nil
}

func list(w io.Writer, asked []paired.Benchmark) error {
	for _, b := range asked {
		for i, v := range b.Variants {
			doc := b.Doc
			if i > 0 {
				doc = ""
			}
			if _, err := fmt.Fprintf(w, "%-52s %s\n", b.Name+"/"+v.Name, doc); err != nil {
				return err
			}
		}
	}
	return nil
}

// measure makes benchmarks in this process, and writes what they take.
func (f *benchFlags) measure(cmd *cobra.Command, asked []paired.Benchmark, out io.Writer) error {
	p := newProgress(cmd.ErrOrStderr())
	defer p.done()
	write := paired.Write
	if f.portable {
		write = paired.WritePortable
	}
	for i, b := range asked {
		o := paired.Options{
			Count: f.count, First: f.line, Time: f.length,
			Progress: func(b paired.Benchmark, part float64) {
				p.show(fmt.Sprintf("%d of %d benchmarks", i, len(asked)), fmt.Sprintf("%s %.0f %%", b.Name, 100*part))
			},
			Skip: func(name string, why error) {
				p.done()
				fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s: %v\n", name, notMeasured, why)
			},
		}
		err := paired.Run(cmd.Context(), b, o, func(l paired.Line) error { return write(out, l) })
		switch {
		case cmd.Context().Err() != nil:
			return &exit{verdict.Interrupted, nil}
		case err != nil:
			return &exit{verdict.NoVerdict, err}
		}
	}
	return nil
}

// notMeasured is in what is said of a benchmark that cannot be measured here.
const notMeasured = "not measured"

// sayNoise says of which benchmarks the lines lie too far apart.
func (f *benchFlags) sayNoise(cmd *cobra.Command, text []byte) error {
	if f.count < regress.Samples6 {
		fmt.Fprintf(cmd.ErrOrStderr(), "%d lines of each: fewer than %d make no interval, and nothing is said of noise\n", f.count, regress.Samples6)
		return nil
	}
	if !bytes.Contains(text, []byte("\nBenchmark")) { // nothing could be measured, and why was said
		return nil
	}
	rec, err := regress.ReadOne(regress.Input{Name: "the recording", Data: text})
	if err != nil {
		return err
	}
	var lines []paired.Line
	for _, r := range rec.Results {
		ratio, _ := r.Value(paired.Ratio)
		lines = append(lines, paired.Line{Name: string(r.Name), Ratio: ratio})
	}
	for _, noisy := range paired.TooNoisy(lines) {
		fmt.Fprintln(cmd.ErrOrStderr(), noisy)
	}
	return nil
}

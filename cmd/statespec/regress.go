package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"golang.org/x/perf/benchproc"

	"github.com/statespec/statespec/ci/regress"
	"github.com/statespec/statespec/spec/regular"
	"github.com/statespec/statespec/spec/report"
	"github.com/statespec/statespec/spec/verdict"
)

// regressFlags are the flags of regress, as they were given.
type regressFlags struct {
	thresholds, filter, out, color string
	gates                          []string
	strict, asJSON, asMarkdown     bool
}

func newRegress() *cobra.Command {
	var f regressFlags
	cmd := &cobra.Command{
		Use: "regress OLD NEW", Short: "What became slower, larger or hungrier between two recordings of benchmarks", Args: cobra.ExactArgs(2),
		Long: `Compare two recordings of the same benchmarks, as go test -bench and statespec bench
write them, with benchstat's statistics. One of the two may be - for standard input.

What gates is the ratio of a benchmark to its control (a unit of x/control or ratio, or
the benchmark beside it whose name has impl=control), memory (B/op) and what is exact
(allocs/op, bytes-held). Raw times are reported only: on most machines they differ
between two runs of one binary. --gate sec/op gates them as well.

Ten runs of each gate what six cannot. Too few runs or too much noise are no pass.

  exit 0   none is worse than allowed
  exit 1   a regression
  exit 2   an input that cannot be read, or a filter that leaves nothing
  exit 3   no verdict: of some unit nothing can be told, or nothing is gated`,
		Example: `  go test -run '^$' -bench . -benchmem -count 10 ./reference/manager > new.txt
  statespec regress old.txt new.txt
  git show main:bench.txt | statespec regress - new.txt --thresholds limits.yaml --out results`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.regress(cmd, args[0], args[1]) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.thresholds, "thresholds", "", "what is allowed, by unit and benchmark, in a `FILE`: see ci/regress/README.md")
	flags.StringArrayVar(&f.gates, "gate", nil, "gate a `UNIT` too, as sec/op; again for more")
	flags.StringVar(&f.filter, "filter", "*", "only results of this `EXPR`, in benchstat's language: '.name:Hit .unit:sec/op'")
	flags.BoolVar(&f.strict, "strict", false, "no verdict as soon as anything that is gated cannot be told")
	flags.BoolVar(&f.asJSON, "json", false, "the report as JSON")
	flags.BoolVar(&f.asMarkdown, "markdown", false, "the report as Markdown, for a pull request")
	flags.StringVar(&f.out, "out", "", "write the report as text, Markdown, JSON and HTML into a `FOLDER`")
	flags.StringVar(&f.color, "color", "auto", "`WHEN` to colour: auto, always or never")
	cmd.MarkFlagsMutuallyExclusive("json", "markdown")
	return cmd
}

func (f *regressFlags) regress(cmd *cobra.Command, old, new string) error {
	colour, err := colours(f.color, cmd.OutOrStdout())
	if err != nil {
		return usage(err)
	}
	r, inputs, err := f.compare(cmd, old, new)
	if err != nil {
		return err
	}
	folder, err := openOut(f.out)
	if err != nil {
		return err
	}
	defer folder.Discard()
	switch w := cmd.OutOrStdout(); {
	case f.asJSON:
		err = regress.WriteJSON(w, r)
	case f.asMarkdown:
		err = regress.WriteMarkdown(w, r)
	default:
		err = regress.WriteText(w, r, colour)
	}
	filled := fill(folder, func(to *report.Folder) error { return writeRegress(to, r, inputs) })
	if err = errors.Join(err, filled); err != nil {
		return &exit{verdict.OwnFault, err}
	}
	switch r.Verdict {
	case regress.Regression:
		return &exit{verdict.Failure, nil}
	case regress.NoVerdict:
		return &exit{verdict.NoVerdict, nil}
	}
	return nil
}

// compare reads what is compared, and compares it. Its errors are exits.
func (f *regressFlags) compare(cmd *cobra.Command, old, new string) (r *regress.Report, inputs [2]regress.Input, err error) {
	if old == "-" && new == "-" {
		return nil, inputs, usage(errors.New("- and -: want at most one of OLD and NEW from standard input"))
	}
	filter, err := benchproc.NewFilter(f.filter)
	if err != nil {
		return nil, inputs, usage(fmt.Errorf("--filter: %w", err))
	}
	var th regress.Thresholds
	if f.thresholds != "" {
		data, err := regular.Read(f.thresholds, regress.MaxThresholds)
		if err == nil {
			th, err = regress.ParseThresholds(f.thresholds, data)
		}
		if err != nil {
			return nil, inputs, usage(fmt.Errorf("--thresholds: %w", err))
		}
	}
	for _, unit := range f.gates {
		if unit == "" {
			return nil, inputs, usage(errors.New("--gate is empty, want a unit, as in --gate sec/op"))
		}
		th.Rules = append(th.Rules, regress.GateRule(unit))
	}
	for i, path := range []string{old, new} {
		if inputs[i], err = recording(cmd.InOrStdin(), path); err != nil {
			return nil, inputs, usage(err)
		}
	}
	files, err := regress.Read(inputs[0], inputs[1], filter)
	switch {
	case err != nil:
		return nil, inputs, usage(err)
	case len(files.Old.Results)+len(files.New.Results) == 0:
		return nil, inputs, usage(fmt.Errorf("--filter %s: no result is left", f.filter))
	}
	r, err = regress.Make(files, regress.Options{Thresholds: th, Strict: f.strict})
	if err != nil {
		return nil, inputs, &exit{verdict.OwnFault, err}
	}
	return r, inputs, nil
}

// recording reads a recording, of standard input where the path is -.
func recording(stdin io.Reader, path string) (regress.Input, error) {
	if path != "-" {
		data, err := regular.Read(path, regress.MaxInput)
		if errors.Is(err, regular.ErrNoFile) {
			err = fmt.Errorf("%w; - is standard input", err)
		}
		return regress.Input{Name: line(path), Data: data}, err
	}
	data, err := io.ReadAll(io.LimitReader(stdin, regress.MaxInput+1)) // Read refuses one more
	if err != nil {
		return regress.Input{}, fmt.Errorf("standard input: %w", err)
	}
	return regress.Input{Name: "standard input", Data: data}, nil
}

// writeRegress writes every form of a report, and what it is of.
func writeRegress(folder *report.Folder, r *regress.Report, inputs [2]regress.Input) error {
	verbatim := func(i int) func(io.Writer, *regress.Report) error {
		return func(w io.Writer, _ *regress.Report) error {
			_, err := w.Write(inputs[i].Data)
			return err
		}
	}
	for _, form := range []struct {
		name  string
		write func(io.Writer, *regress.Report) error
	}{
		{"regress.json", regress.WriteJSON},
		{"regress.txt", func(w io.Writer, r *regress.Report) error { return regress.WriteText(w, r, false) }},
		{"summary.md", regress.WriteMarkdown},
		{"report.html", regress.WriteHTML},
		{"old.txt", verbatim(0)},
		{"new.txt", verbatim(1)},
	} {
		var b bytes.Buffer
		if err := form.write(&b, r); err != nil {
			return err
		}
		if err := folder.WriteFile(form.name, b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

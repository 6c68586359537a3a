package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/statespec/statespec/equivalence/artefact"
	"github.com/statespec/statespec/equivalence/compare"
	"github.com/statespec/statespec/spec/verdict"
)

// diffFlags are the flags of diff, as they were given.
type diffFlags struct {
	options compare.Options
	asJSON  bool
	html    string
	color   string
}

func newDiff() *cobra.Command {
	var f diffFlags
	cmd := &cobra.Command{
		Use: "diff A B", Short: "Two artefact files or folders, bit for bit", Args: cobra.ExactArgs(2),
		Long: `Compare two files, or two folders, value by value and bit for bit: where they
differ first, in how many elements, by how much, and along which axes.

Read are ` + artefact.Extensions + `. No code in a file is ever run.
What else lies in a folder is listed as not judged, unless --bytes names it.
Bits decide: -0 is not +0, and two NaN with other payloads differ. A bound of
--ulp, --abs or --rel is reported beside the verdict and never changes it.

  exit 0   equal
  exit 1   divergent
  exit 2   an input that cannot be read, or nothing to compare`,
		Example: `  statespec diff a/latents.npy b/latents.npy
  statespec diff off on --bytes '*.json' --html diff.html`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.diff(cmd, args[0], args[1]) },
	}
	flags := cmd.Flags()
	flags.Uint64Var(&f.options.ULP, "ulp", 0, "also say how many elements are more than `N` units in the last place apart")
	flags.Float64Var(&f.options.AbsTol, "abs", 0, "also say how many are more than `X` apart; with --rel R, more than X + R·|b|")
	flags.Float64Var(&f.options.RelTol, "rel", 0, "the same, in proportion to |b|")
	flags.StringArrayVar(&f.options.Bytes, "bytes", nil, "compare files of this `GLOB` byte for byte, whatever they are; again for more")
	flags.StringArrayVar(&f.options.BFloat16, "bfloat16", nil, "read the uint16 of artefacts of this `GLOB` as bfloat16; again for more")
	flags.StringArrayVar(&f.options.Ignore, "ignore", nil, "pass over files and artefacts of this `GLOB`; again for more")
	flags.BoolVar(&f.options.CountOnly, "count", false, "the first divergence and the count only, which is faster where much differs")
	flags.BoolVar(&f.asJSON, "json", false, "the report as JSON")
	flags.StringVar(&f.html, "html", "", "write the report with maps of where elements differ to `FILE` as well")
	flags.StringVar(&f.color, "color", "auto", "`WHEN` to colour: auto, always or never")
	return cmd
}

func (f *diffFlags) diff(cmd *cobra.Command, a, b string) error {
	colour, err := colours(f.color, cmd.OutOrStdout())
	if err != nil {
		return usage(err)
	}
	if f.html != "" {
		if err := canReplace(f.html, isPage); err != nil { // and not after it was compared
			return usage(fmt.Errorf("--html: %w", err))
		}
	}
	report, err := compare.Paths(cmd.Context(), a, b, f.options)
	switch {
	case cmd.Context().Err() != nil:
		return &exit{verdict.Interrupted, nil}
	case err != nil:
		return usage(err)
	}
	if err := f.tell(cmd, report, colour); err != nil {
		return &exit{verdict.OwnFault, err}
	}
	return judged(report)
}

// tell shows a report, and then writes its page.
func (f *diffFlags) tell(cmd *cobra.Command, r *compare.Report, colour bool) (err error) {
	if f.asJSON {
		err = compare.WriteJSON(cmd.OutOrStdout(), r)
	} else {
		err = compare.WriteText(cmd.OutOrStdout(), r, colour)
	}
	if f.html == "" {
		return err
	}
	page := writePage(f.html, r)
	if page != nil {
		page = fmt.Errorf("--html: %w", page)
	}
	return errors.Join(err, page)
}

// judged is the exit of a report.
func judged(r *compare.Report) error {
	switch {
	case len(r.Artefacts) == 0:
		return usage(fmt.Errorf("nothing to compare in %s and %s: %d files that are not read; --bytes GLOB compares them byte for byte", r.A, r.B, len(r.NotJudged)))
	case !r.Equal:
		return &exit{verdict.Failure, nil}
	}
	return nil
}

// colours decides whether to colour what goes to a place.
func colours(when string, w io.Writer) (bool, error) {
	switch when {
	case "auto":
		return terminal(w).Color, nil
	case "always":
		return true, nil
	case "never":
		return false, nil
	}
	return false, fmt.Errorf("--color %q: want auto, always or never", when)
}

// writePage writes the report's page beside its place and moves it there, so that
// nobody finds half of it.
func writePage(path string, r *compare.Report) error {
	return writeWhole(path, func(w io.Writer) error { return compare.WriteHTML(w, r) })
}

// isPage refuses a file that is there and was no page, to be replaced by one.
func isPage(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	start := make([]byte, 512)
	n, err := io.ReadFull(f, start)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	if err == nil && !bytes.Contains(start[:n], []byte(compare.PageMark)) {
		return fmt.Errorf("%s is there, and no page of statespec diff to be replaced", path)
	}
	return err
}

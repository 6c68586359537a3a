package ab

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/statespec/statespec/equivalence/compare"
	"github.com/statespec/statespec/spec/report"
)

// where tells where two runs part: the first artefact that differs, and the last
// one before it that does not. That the state is equal and the arithmetic after it
// is not says where to look.
func where(r *compare.Report) string {
	first := r.FirstDifferent()
	if first == nil {
		return "artefacts are missing on one side"
	}
	text := first.Name
	if first.Problem != "" {
		text += ": " + first.Problem
	} else {
		text += fmt.Sprintf("%s (%d of %d elements differ)", first.At(), first.Different, first.Elements)
	}
	if before := r.LastEqualBefore(); before != nil {
		return text + "; the last equal one before it is " + before.Name
	}
	return text + "; nothing before it is equal"
}

// Text writes the answer for the person who asked.
func (r *Result) Text(w io.Writer, colour bool) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s: %s\n", r.Answer, r.Answer.meaning())
	for _, why := range r.Why {
		fmt.Fprintf(&b, "  %s\n", strings.ReplaceAll(report.Printable(why), "\n", "\n    "))
	}
	b.WriteString("\n")
	for _, run := range r.Runs {
		fmt.Fprintf(&b, "  %d %s  %-12s  %10v  %9s  %s\n", run.Number, run.Side, line(run.path()),
			(time.Duration(run.Seconds * float64(time.Second))).Round(10*time.Millisecond), size(run.Bytes), line(r.setting(run)))
	}
	for _, c := range r.Comparisons {
		fmt.Fprintf(&b, "\nrun %d (%s) and run %d (%s)\n", c.Runs[0], c.Sides[0], c.Runs[1], c.Sides[1])
		if err := compare.WriteText(&b, c.Report, colour); err != nil {
			return err
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

// line is a text that a program or a user chose, as a part of one line.
func line(text string) string { return strings.ReplaceAll(report.Printable(text), "\n", "\u240a") }

// path is the witness of a run, to show.
func (r Run) path() string {
	if r.Witness == "" {
		return "no witness"
	}
	return r.Witness
}

// setting is what makes a run one of its side.
func (r *Result) setting(run Run) string {
	if r.Var == "" {
		return strings.Join(run.Argv, " ")
	}
	return r.Var + "=" + run.Value
}

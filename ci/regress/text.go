package regress

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"golang.org/x/perf/benchunit"
)

// WriteText writes a report as benchstat writes its tables, with a word behind each
// line, the reasons below, and the verdict last.
func WriteText(w io.Writer, r *Report, colour bool) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n%s\n", r.sources(), r.basis())
	grouped := slices.ContainsFunc(r.Tables, func(t Table) bool { return t.Group != "" })
	for i, t := range r.Tables {
		b.WriteString("\n")
		if grouped && (i == 0 || t.Group != r.Tables[i-1].Group) {
			fmt.Fprintf(&b, "%s\n", t.heading())
		}
		t.grid(colour).write(&b)
	}
	reasons := false
	for _, t := range r.Tables {
		for _, c := range t.Rows {
			if c.Reason == "" && c.Word != Vanished && c.Word != Appeared {
				continue
			}
			if !reasons {
				b.WriteString("\n")
				reasons = true
			}
			fmt.Fprintf(&b, "%s %s: %s", c.Word.mark(), c.Word, r.name(&t, &c))
			if c.Reason != "" {
				fmt.Fprintf(&b, ": %s", c.Reason)
			}
			b.WriteString("\n")
		}
	}
	if len(r.Notes) > 0 {
		b.WriteString("\n")
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	fmt.Fprintf(&b, "\n%s\n", paint(colour, verdictColours[r.Verdict], r.Line))
	_, err := w.Write(b.Bytes())
	return err
}

// grid lays a table out as text.
func (t *Table) grid(colour bool) *grid {
	g := &grid{}
	g.row(left(""), left("│ old"), left(""), left("│ new"))
	g.row(left(""), left("│ "+t.Unit), left(""), left("│ "+t.Unit), left(""), left("vs old"))
	for i := range t.Rows {
		c := &t.Rows[i]
		s := c.scaler(t.Unit)
		word := string(c.Word)
		g.row(left(c.Benchmark),
			centre(c.Old, s), spreadOf(c.Old), centre(c.New, s), spreadOf(c.New),
			right(c.delta()), left(c.statistics()), cell{text: c.Word.mark() + " " + word, colour: tint(colour, c.Word)})
	}
	if len(t.Rows) > 1 {
		class, m := benchunit.ClassOf(t.Unit), t.Geomean
		scaled := func(n Number) cell {
			switch {
			case !n.finite():
				return left("│")
			case t.Rows[0].scaler(t.Unit) == ratioScaler:
				return right("│ " + ratioScaler.Format(float64(n)))
			}
			return right("│ " + benchunit.Scale(float64(n), class))
		}
		delta := right(percent(m.Ratio))
		g.row(left("geomean"), scaled(m.Old), left(""), scaled(m.New), left(""), delta)
	}
	return g
}

func centre(s *Summary, scale benchunit.Scaler) cell {
	if s == nil {
		return left("│")
	}
	return right("│ " + scale.Format(float64(s.Center)))
}

func spreadOf(s *Summary) cell {
	if s == nil {
		return left("")
	}
	return left("± " + s.plusMinus())
}

const (
	red, green, yellow, plainText = "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[0m"
)

var verdictColours = map[Verdict]string{Regression: red, AsExpected: green, NoVerdict: yellow}

var wordColours = map[Word]string{Worse: red, CannotTell: yellow, Vanished: yellow, Improved: green}

func tint(colour bool, w Word) string {
	if !colour {
		return ""
	}
	return wordColours[w]
}

func paint(colour bool, escape, text string) string {
	if !colour || escape == "" {
		return text
	}
	return escape + text + plainText
}

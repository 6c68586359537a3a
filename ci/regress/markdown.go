package regress

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// The rows that are told of at once and those of all, and the bytes behind which no
// row follows: a comment on a pull request has an end, at 65,536 characters.
const (
	mdTold  = 40
	mdAll   = 200
	mdBytes = 50_000
)

// WriteMarkdown writes a report for a pull request: the verdict, what is not as it
// was, and all of it folded away.
func WriteMarkdown(w io.Writer, r *Report) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "## Benchmarks: %s\n\n%s\n\n%s\n", r.Verdict, mdText(r.Line), mdText(r.sources()))
	told := r.rows(func(c *Comparison) bool { return c.Word != Held && c.Word != Reported })
	if len(told) > 0 {
		b.WriteString("\n")
		r.mdTable(&b, told, mdTold, true)
	}
	all := r.rows(func(*Comparison) bool { return true })
	fmt.Fprintf(&b, "\n<details><summary>All comparisons: %s</summary>\n\n", r.counts())
	r.mdTable(&b, all, mdAll, false)
	b.WriteString("\n</details>\n")
	for i, n := range r.Notes {
		if i == 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "- %s\n", mdText(n))
	}
	fmt.Fprintf(&b, "\n%s\n", mdText(r.basis()))
	_, err := w.Write(b.Bytes())
	return err
}

// A placed comparison knows its table.
type placed struct {
	*Comparison
	table *Table
}

// rows lists comparisons, by word.
func (r *Report) rows(keep func(*Comparison) bool) []placed {
	var all []placed
	for _, w := range Words() {
		for i := range r.Tables {
			t := &r.Tables[i]
			for k := range t.Rows {
				if c := &t.Rows[k]; c.Word == w && keep(c) {
					all = append(all, placed{c, t})
				}
			}
		}
	}
	return all
}

func (r *Report) mdTable(b *bytes.Buffer, rows []placed, most int, reasons bool) {
	b.WriteString("| | benchmark | unit | old | new | change | |\n|---|---|---|---:|---:|---:|---|\n")
	for i, p := range rows {
		if i == most || b.Len() > mdBytes {
			fmt.Fprintf(b, "\n%d more are in the report.\n", len(rows)-i)
			return
		}
		why := p.statistics()
		if reasons && p.Reason != "" {
			why = strings.TrimSpace(p.Reason + " " + why)
		}
		s := p.scaler(p.table.Unit)
		value := func(sum *Summary) string {
			if sum == nil {
				return ""
			}
			return s.Format(float64(sum.Center)) + " ± " + sum.plusMinus()
		}
		fmt.Fprintf(b, "| %s %s | %s | %s | %s | %s | %s | %s |\n", p.Word.mark(), p.Word, mdText(p.Benchmark+r.of(p.table, p.Comparison)), mdText(p.table.Unit),
			value(p.Old), value(p.New), mdText(p.delta()), mdText(why))
	}
}

// mdText keeps a text from being anything but text.
func mdText(text string) string {
	var b strings.Builder
	for _, r := range text {
		if strings.ContainsRune("\\`*_{}[]<>#|~&\"'@!", r) {
			fmt.Fprintf(&b, "&#%d;", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

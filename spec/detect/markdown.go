package detect

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// Markdown writes detection.md: the line, the counts, and for each family the
// matrix and the list of its faults.
func Markdown(w io.Writer, d Detection) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "## %s\n\n| family | faults | exact | rows |\n|---|---:|---:|---:|\n", d.Line())
	for _, m := range d.Matrices() {
		fmt.Fprintf(&b, "| %s %s | %d | %d | %d |\n", m.Family.Code, m.Family.Title, len(m.Faults), m.Exact(), len(m.Asked))
	}
	b.WriteString("\n")
	for _, c := range Legend() {
		fmt.Fprintf(&b, "`%c` %s  \n", c.Mark, c.Word)
	}
	for _, m := range d.Matrices() {
		fmt.Fprintf(&b, "\n### %s %s\n\n```text\n", m.Family.Code, m.Family.Title)
		m.text(&b)
		b.WriteString("```\n\n")
		for i, f := range m.Faults {
			fmt.Fprintf(&b, "%d. %s%s\n", i+1, escape(f.Name), met(f))
			for _, l := range f.wrong() {
				fmt.Fprintf(&b, "   - **%s** %s\n", l.what, escape(l.text))
			}
		}
	}
	fmt.Fprintf(&b, "\nmatrix %.16s, suite %s, seed %d, %.0f s\n", d.Digest, d.Suite, d.Seed, d.Seconds)
	_, err := w.Write(b.Bytes())
	return err
}

// text draws the matrix, with the numbers of the faults from top to bottom.
func (m Matrix) text(b *bytes.Buffer) {
	wide := 0
	for _, row := range m.Rows {
		wide = max(wide, len(row))
	}
	digits := len(fmt.Sprint(len(m.Faults)))
	for d := range digits {
		fmt.Fprintf(b, "%-*s ", wide, "")
		for i := range m.Faults {
			b.WriteByte(fmt.Sprintf("%*d", digits, i+1)[d])
		}
		b.WriteString("\n")
	}
	for _, row := range m.Rows {
		fmt.Fprintf(b, "%-*s ", wide, row)
		for _, f := range m.Faults {
			b.WriteRune(f.On(row).Mark)
		}
		b.WriteString("\n")
	}
}

func met(f Finding) string {
	if f.Met == "" {
		return ""
	}
	return " (met: " + escape(f.Met) + ")"
}

// escape keeps a text from meaning anything to Markdown.
func escape(text string) string {
	return strings.NewReplacer("\\", "\\\\", "`", "\\`", "*", "\\*", "_", "\\_", "<", "&lt;", "|", "\\|", "\n", " ").Replace(text)
}

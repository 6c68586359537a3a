package regress

import (
	"io"
	"strings"
	"unicode/utf8"
)

// A grid is text in columns.
type grid struct{ rows [][]cell }

// A cell is a text in a grid. A rule at the start of it stays on the left, however
// the rest is aligned.
type cell struct {
	text   string
	right  bool
	colour string // an escape sequence, or empty
}

func left(text string) cell  { return cell{text: text} }
func right(text string) cell { return cell{text: text, right: true} }

func (g *grid) row(cells ...cell) { g.rows = append(g.rows, cells) }

// write writes every row on a line, without spaces at its end.
func (g *grid) write(w io.StringWriter) {
	var widths []int
	for _, r := range g.rows {
		for i, c := range r {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(c.text))
		}
	}
	for _, r := range g.rows {
		var line strings.Builder
		for i, c := range r {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(c.text))
			text := c.text
			if c.right {
				rest, ruled := strings.CutPrefix(text, "│")
				if text = pad + text; ruled {
					text = "│" + pad + rest
				}
			} else {
				text = paint(c.colour != "", c.colour, text) + pad
			}
			line.WriteString(text)
			if i < len(r)-1 {
				line.WriteString("  ")
			}
		}
		w.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}

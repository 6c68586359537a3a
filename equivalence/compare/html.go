package compare

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io"
)

//go:embed compare.html.tmpl
var page string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"facts":     func(a Artefact) [][2]string { return a.facts() },
	"map":       func(a Artefact) template.HTML { return a.svg() },
	"printable": printable,
	"grouped":   grouped,
}).Parse(page))

// PageMark stands at the start of every page of WriteHTML, and of nothing else.
const PageMark = `<meta name="generator" content="statespec diff">`

// WriteHTML writes a report as one page without anything outside it.
func WriteHTML(w io.Writer, r *Report) error { return write(w, "page", r) }

// WriteSection writes what WriteHTML has in its body, for a page that has more. Its
// style is inside the drawings; headings start at the third level.
func WriteSection(w io.Writer, r *Report) error { return write(w, "section", r) }

// write fills a template whole before it writes any of it.
func write(w io.Writer, name string, r *Report) error {
	var b bytes.Buffer
	if err := pageTemplate.ExecuteTemplate(&b, name, r); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// svg draws where elements differ; "" where there is nothing to draw.
func (a *Artefact) svg() template.HTML {
	if a.heat == nil || a.heat.down*a.heat.across < 2 {
		return ""
	}
	return template.HTML(a.heat.svg(printable(a.Name), a.describe()))
}

// describe says what the drawing shows, for who does not see it.
func (a *Artefact) describe() string {
	h := a.heat
	down := "runs of elements"
	if h.axis >= 0 {
		down = fmt.Sprintf("indices of axis %d", h.axis)
	}
	text := fmt.Sprintf("Down: %s, %d a cell. Across: the elements within, %d a cell. Darker cells have more differing elements.", down, h.rows, h.columns)
	for _, x := range a.Axes {
		if x.Length > 1 {
			text += " Axis " + x.String() + "."
		}
	}
	return text
}

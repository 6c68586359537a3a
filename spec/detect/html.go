package detect

import (
	_ "embed"
	"html/template"
	"io"
)

//go:embed detection.html.tmpl
var page string

var pageTemplate = template.Must(template.New(HTMLFile).Funcs(template.FuncMap{
	"legend":    Legend,
	"mark":      func(c Cell) string { return string(c.Mark) },
	"kind":      Cell.kind,
	"number":    func(i int) int { return i + 1 },
	"wrong":     func(f Finding) []map[string]string { return told(f) },
	"statement": statementOf,
}).Parse(page))

// HTML writes detection.html: one file without anything outside it.
func HTML(w io.Writer, d Detection) error { return pageTemplate.Execute(w, d) }

// kind is a cell's class in the style sheet.
func (c Cell) kind() string {
	switch c {
	case breaks:
		return "breaks"
	case follows:
		return "follows"
	case kept:
		return "kept"
	}
	return "wrong"
}

func told(f Finding) (lines []map[string]string) {
	for _, l := range f.wrong() {
		lines = append(lines, map[string]string{"what": l.what, "text": l.text})
	}
	return lines
}

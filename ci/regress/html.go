package regress

import (
	"bytes"
	_ "embed"
	"html/template"
	"io"
	"strings"
)

//go:embed regress.html.tmpl
var page string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"counts":  func(r *Report) string { return r.counts() },
	"basis":   func(r *Report) string { return r.basis() },
	"sources": func(r *Report) string { return r.sources() },
	"mark":    func(w Word) string { return w.mark() },
	"class":   func(w Word) string { return strings.ReplaceAll(string(w), " ", "-") },
	"value": func(p placed, s *Summary) string {
		return p.scaler(p.table.Unit).Format(float64(s.Center)) + " ± " + s.plusMinus()
	},
	"change":  func(p placed) string { return strings.TrimSpace(p.delta() + " " + p.statistics()) },
	"drawing": func(p placed) template.HTML { return template.HTML(p.svg()) },
	"percent": percent,
	"name":    func(r *Report, p placed) string { return r.name(p.table, p.Comparison) },
	"placed": func(t *Table) []placed {
		var rows []placed
		for i := range t.Rows {
			rows = append(rows, placed{&t.Rows[i], t})
		}
		return rows
	},
	"pointers": func(r *Report) []*Table {
		var all []*Table
		for i := range r.Tables {
			all = append(all, &r.Tables[i])
		}
		return all
	},
	"finite": func(n Number) bool { return n.finite() },
	"unlike": func(r *Report) []placed {
		return r.rows(func(c *Comparison) bool { return c.Word != Held && c.Word != Reported })
	},
}).Parse(page))

// WriteHTML writes a report as one page without anything outside it.
func WriteHTML(w io.Writer, r *Report) error {
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, r); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

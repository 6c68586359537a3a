package ab

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"html/template"
	"io"
	"strings"
	"time"

	"github.com/statespec/statespec/equivalence/compare"
	"github.com/statespec/statespec/spec/report"
)

// Names of the files of an A/B, beside the folder of its runs.
const (
	JSONFile     = "ab.json"
	MarkdownFile = "ab.md"
	HTMLFile     = "ab.html"
)

// Schema is the version of ab.json.
const Schema = 1

// Write writes every report into a folder.
func (r *Result) Write(folder *report.Folder) error {
	for name, write := range map[string]func(io.Writer) error{JSONFile: r.JSON, MarkdownFile: r.Markdown, HTMLFile: r.HTML} {
		var b bytes.Buffer
		if err := errors.Join(write(&b), folder.WriteFile(name, b.Bytes())); err != nil {
			return err
		}
	}
	return nil
}

// JSON writes ab.json.
func (r *Result) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(struct {
		Schema int `json:"schema"`
		*Result
	}{Schema, r})
}

// Markdown writes the answer for the summary of a CI job: what Text writes, as it is.
func (r *Result) Markdown(w io.Writer) error {
	var text bytes.Buffer
	if err := r.Text(&text, false); err != nil {
		return err
	}
	head, rest, _ := strings.Cut(text.String(), "\n")
	// A fence longer than any in the text, which is a program's last words now and then.
	fence := "```"
	for strings.Contains(rest, fence) {
		fence += "`"
	}
	_, err := io.WriteString(w, "**"+head+"**\n\n"+fence+"\n"+strings.Trim(rest, "\n")+"\n"+fence+"\n")
	return err
}

//go:embed ab.html.tmpl
var page string

var pageTemplate = template.Must(template.New(HTMLFile).Funcs(template.FuncMap{
	"meaning": Word.meaning,
	"size":    size,
	"path":    Run.path,
	"duration": func(s float64) string {
		return time.Duration(s * float64(time.Second)).Round(10 * time.Millisecond).String()
	},
	"detail": detail,
}).Parse(page))

// detail is a comparison's own report, as part of the page.
func detail(r *compare.Report) (template.HTML, error) {
	var b bytes.Buffer
	err := compare.WriteSection(&b, r)
	return template.HTML(b.String()), err
}

// HTML writes ab.html: one file without anything outside it.
func (r *Result) HTML(w io.Writer) error { return pageTemplate.Execute(w, r) }

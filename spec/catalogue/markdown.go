package catalogue

import (
	"fmt"
	"io"
	"strings"
)

// Markdown writes the catalogue as a document to read: CATALOGUE.md.
func Markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# The catalogue of suite %s\n\n", Suite)
	b.WriteString("Made from the table in this folder by `go generate ./spec/catalogue`; change the table, not this page.\n" +
		"A row `ACC-11.set` is a case of the guarantee `ACC-11`, with a level of its own.\n")
	for _, f := range Families() {
		fmt.Fprintf(&b, "\n## %s: %s\n\n", f.Code, f.Title)
		b.WriteString("| ID | level | layer | statement | why | source |\n|---|---|---|---|---|---|\n")
		for _, r := range All() {
			if r.Family() == f.Code {
				fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", r.ID, r.Level, r.asked(), cell(r.Statement), cell(r.Why), cell(r.Source))
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// asked is what a row is asked of: its layer, the capabilities in brackets, and
// from which suite on where that is not this one.
func (r Row) asked() string {
	out := string(r.Layer)
	for _, c := range r.Needs {
		out += fmt.Sprintf(" [%s]", c)
	}
	if !r.AskedIn(Suite) {
		out += " from suite " + r.Asked
	}
	return out
}

func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

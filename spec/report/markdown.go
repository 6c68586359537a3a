package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/statespec/statespec/spec/verdict"
)

// Bounds of a summary page: CI servers cut off long ones.
const (
	mdRows  = 50 // told in full
	mdLines = 16 // of a message or an output
)

// Markdown writes summary.md, short enough for a CI job's summary page: the
// verdict, the counts of each family, what went wrong and how to run it again.
func Markdown(w io.Writer, r verdict.Results) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "## %s\n\n%s\n\n", mdText(r.Summary.Line), mdText(about(r)))
	mdCounts(&b, r)
	rows := told(r)
	for i, row := range rows {
		if i == mdRows {
			fmt.Fprintf(&b, "\n%d more rows are in `%s`.\n", len(rows)-mdRows, ResultsFile)
			break
		}
		mdRow(&b, row)
	}
	for _, w := range []verdict.Word{verdict.NotRun, verdict.Unclaimed, verdict.Deselected} {
		mdGroups(&b, w, groupsOf(r, w))
	}
	mdList(&b, "Expectations that this run says nothing about", unusedLines(r))
	mdList(&b, "Faults of the harness", r.Faults)
	_, err := w.Write(b.Bytes())
	return err
}

func mdCounts(b *bytes.Buffer, r verdict.Results) {
	words := columns(r)
	b.WriteString("| family |")
	for _, w := range words {
		fmt.Fprintf(b, " %s |", w)
	}
	b.WriteString("\n|---|" + strings.Repeat("---:|", len(words)) + "\n")
	for _, f := range familiesOf(r) {
		fmt.Fprintf(b, "| %s |", mdText(strings.TrimSpace(f.code+" "+f.title)))
		for _, w := range words {
			fmt.Fprintf(b, " %s |", number(f.count(w)))
		}
		b.WriteString("\n")
	}
}

// number leaves a zero out: in a table of counts the others are what matters.
func number(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

func mdRow(b *bytes.Buffer, row verdict.Verdict) {
	fmt.Fprintf(b, "\n### %s %s %s\n\n%s\n", row.ID, row.Level, row.Own, mdText(row.Statement))
	if why := reasonOf(row); why != "" {
		fmt.Fprintf(b, "\n%s%s\n", mdText(why), mdLink(row.Link))
	}
	for _, o := range tellingOf(row) {
		fence, body := "```", new(bytes.Buffer)
		for _, f := range facts(o) {
			text := f.clip(mdLines).text
			for strings.Contains(text, fence) {
				fence += "`"
			}
			fmt.Fprintf(body, "%-7s %s\n", f.label, strings.ReplaceAll(text, "\n", "\n        "))
		}
		fmt.Fprintf(b, "\n%stext\n%s%s\n", fence, body, fence)
	}
}

func mdLink(link string) string {
	if link == "" {
		return ""
	}
	return fmt.Sprintf(" (<%s>)", strings.NewReplacer("<", "%3C", ">", "%3E", " ", "%20", "\n", "").Replace(link))
}

func mdGroups(b *bytes.Buffer, w verdict.Word, groups []group) {
	if len(groups) == 0 {
		return
	}
	n := 0
	for _, g := range groups {
		n += len(g.rows)
	}
	fmt.Fprintf(b, "\n<details><summary>%d %s</summary>\n\n", n, w)
	for _, g := range groups {
		fmt.Fprintf(b, "- %s: %s\n", mdText(g.reason), strings.Join(g.ids(), ", "))
	}
	b.WriteString("\n</details>\n")
}

func mdList(b *bytes.Buffer, title string, items []string) {
	if len(items) == 0 {
		return
	}
	fmt.Fprintf(b, "\n### %s\n\n", title)
	for _, item := range items {
		fmt.Fprintf(b, "- %s\n", mdText(item))
	}
}

var mdEscapes = strings.NewReplacer("\\", "\\\\", "&", "&amp;", "`", "\\`", "*", "\\*", "_", "\\_", "[", "\\[", "]", "\\]", "<", "&lt;",
	">", "&gt;", "|", "\\|", "#", "\\#", "~", "\\~", "\n", " ")

// mdText is a text in a paragraph or a table's cell, that means nothing to
// Markdown and mentions nobody.
func mdText(text string) string {
	return strings.ReplaceAll(mdEscapes.Replace(Printable(text)), "@", "@\u200b")
}

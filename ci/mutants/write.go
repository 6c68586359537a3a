package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// write writes the report as Markdown: the score, the packages, then every
// survivor, those without a reason first.
func write(out io.Writer, r results, c code, why reasons) error {
	var open, known []string
	for _, m := range r.mutants(lived) {
		line := c.line(m)
		entry := fmt.Sprintf("- `%s:%d:%d` %s\n  `%s`", m.file, m.Line, m.Column, words(m.Type), line)
		if reason := why.of(survivor{m.file, m.Type, line}); reason != "" {
			known = append(known, entry+"  \n  "+reason)
		} else {
			open = append(open, entry)
		}
	}
	stale := why.stale()
	slices.SortFunc(stale, func(a, b survivor) int { return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.code, b.code)) })
	var idle []string
	for _, s := range stale {
		idle = append(idle, fmt.Sprintf("- `%s` %s\n  `%s`", s.file, words(s.kind), s.code))
	}
	var unreached []string
	for _, m := range r.mutants(notCovered) {
		unreached = append(unreached, fmt.Sprintf("- `%s:%d:%d` %s\n  `%s`", m.file, m.Line, m.Column, words(m.Type), c.line(m)))
	}

	var b bytes.Buffer
	fmt.Fprintf(&b, "# Mutants of the reference\n\nThe only test was the conformance specs. %s.\n\n", r.score())
	writeTable(&b, r)
	writeList(&b, "Survivors without a reason", open)
	writeList(&b, "Survivors that are right", known)
	writeList(&b, "Reasons of mutants that did not survive", idle)
	writeList(&b, "Not reached by any spec", unreached)
	_, err := out.Write(b.Bytes())
	return err
}

// score is the run in one line.
func (r results) score() string {
	k, l, t, n := len(r.mutants(killed)), len(r.mutants(lived)), len(r.mutants(timedOut)), len(r.mutants(notCovered))
	noticed, run := k+t, k+t+l
	return fmt.Sprintf("%d of %d mutants that they reach were noticed (%s), %d are not reached; %v in all",
		noticed, run, percent(noticed, run), n, (time.Duration(r.Seconds) * time.Second).String())
}

func percent(n, of int) string {
	if of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of))
}

func writeTable(b *bytes.Buffer, r results) {
	fmt.Fprintln(b, "| package | noticed | survived | score | not reached |\n|---|---|---|---|---|")
	for _, pkg := range r.packages() {
		noticed, l := r.count(pkg, killed)+r.count(pkg, timedOut), r.count(pkg, lived)
		fmt.Fprintf(b, "| `%s` | %d | %d | %s | %d |\n", pkg, noticed, l, percent(noticed, noticed+l), r.count(pkg, notCovered))
	}
}

func writeList(b *bytes.Buffer, title string, entries []string) {
	if len(entries) > 0 {
		fmt.Fprintf(b, "\n## %s: %d\n\n%s\n", title, len(entries), strings.Join(entries, "\n"))
	}
}

// words are a kind of mutation as a person reads it.
func words(kind string) string { return strings.ToLower(strings.ReplaceAll(kind, "_", " ")) }

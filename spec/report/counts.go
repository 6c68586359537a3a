package report

import (
	"fmt"
	"strings"

	"github.com/statespec/statespec/spec/verdict"
)

// counts writes the table of families and words. Titles are cut where the screen
// is narrow; where the table does not fit at all, each family is a sentence.
func (s *screen) counts(r verdict.Results) {
	words, families := columns(r), familiesOf(r)
	table := len("ACC")
	for _, w := range words {
		table += 2 + len(w)
	}
	titles := 0
	for _, f := range families {
		titles = max(titles, runes(f.title))
	}
	titles = min(titles, s.Width-table-2)
	s.printf("\n")
	switch {
	case table > s.Width:
		s.sentences(r, words, families)
		return
	case titles < 8:
		titles = 0
	}
	line := func(code, title string, cell func(verdict.Word) string) {
		text := fmt.Sprintf("%-3s", code)
		if titles > 0 {
			text += "  " + pad(title, titles)
		}
		for _, w := range words {
			cell := cell(w)
			text += "  " + strings.Repeat(" ", len(w)-len(cell)) + s.paint(cellColor(w, cell), cell)
		}
		s.printf("%s\n", strings.TrimRight(text, " "))
	}
	line("", "", func(w verdict.Word) string { return string(w) })
	for _, f := range families {
		line(f.code, f.title, func(w verdict.Word) string { return number(f.count(w)) })
	}
	line("all", "", func(w verdict.Word) string { return number(r.Summary.Words[w]) })
}

// sentences writes the counts without a table: "EVI  1 held, 2 broken".
func (s *screen) sentences(r verdict.Results, words []verdict.Word, families []family) {
	line := func(code string, count func(verdict.Word) int) {
		var parts []string
		for _, w := range words {
			if n := count(w); n > 0 {
				parts = append(parts, fmt.Sprintf("%d %s", n, w))
			}
		}
		s.wrapped("", fmt.Sprintf("%-3s  %s", code, strings.Join(parts, ", ")))
	}
	for _, f := range families {
		line(f.code, f.count)
	}
	line("all", func(w verdict.Word) int { return r.Summary.Words[w] })
}

// cellColor leaves headings and empty cells alone.
func cellColor(w verdict.Word, cell string) string {
	if cell == "" || cell == string(w) {
		return ""
	}
	return colorOf(w)
}

// pad makes a text exactly some columns wide.
func pad(text string, width int) string {
	if n := runes(text); n <= width {
		return text + strings.Repeat(" ", width-n)
	}
	return string([]rune(text)[:width-1]) + "…"
}

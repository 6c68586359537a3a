package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/statespec/statespec/spec/verdict"
)

// A fact is one thing to know of a failed spec.
type fact struct {
	label string
	text  string // may have several lines
}

// facts lists what is known of an outcome, in the order in which a reader needs
// it.
func facts(o verdict.Outcome) []fact {
	var all []fact
	add := func(label, text string) {
		if text = strings.Trim(Printable(text), "\n"); text != "" {
			all = append(all, fact{label, text})
		}
	}
	add("spec", o.Spec)
	add("got", o.Message)
	add("note", strings.Join(o.Notes, "\n"))
	add("sent", strings.Join(o.Requests, "\n"))
	add("kept", strings.Join(o.Artefacts, "\n"))
	add("at", o.Location)
	add("again", o.Reproduce)
	add("output", o.Output)
	return all
}

// Printable keeps a subject's text from doing anything but being read: control
// characters, escape sequences among them, become visible.
func Printable(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\ufffd"), "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r < 0x20:
			return 0x2400 + r // the picture of the control character
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r):
			return utf8.RuneError
		}
		return r
	}, text)
}

// ends is the first lines of a text and, for the most part, its last.
func ends(text string, lines int) string {
	all := strings.Split(text, "\n")
	if len(all) <= lines {
		return text
	}
	first := lines / 4
	rest := all[len(all)-lines+first:]
	return strings.Join(all[:first], "\n") + fmt.Sprintf("\n… %d more\n", len(all)-lines) + strings.Join(rest, "\n")
}

// tail is the last lines of a text.
func tail(text string, lines int) string {
	all := strings.Split(text, "\n")
	if len(all) <= lines {
		return text
	}
	return "…\n" + strings.Join(all[len(all)-lines:], "\n")
}

// head is the first lines of a text.
func head(text string, lines int) string {
	all := strings.Split(text, "\n")
	if len(all) <= lines {
		return text
	}
	return strings.Join(all[:lines], "\n") + "\n…"
}

// clip keeps a text readable: an output by its end, the rest by its beginning.
func (f fact) clip(lines int) fact {
	switch f.label {
	case "output":
		return fact{f.label, tail(f.text, lines)}
	case "sent": // how it began, and what it ended with
		return fact{f.label, ends(f.text, lines)}
	}
	return fact{f.label, head(f.text, lines)}
}

// wrap breaks a text at spaces into lines of at most some width. A word that is
// wider keeps a line of its own. Line breaks of the text stay.
func wrap(text string, width int) []string {
	var lines []string
	for paragraph := range strings.SplitSeq(text, "\n") {
		line := ""
		for word := range strings.SplitSeq(paragraph, " ") {
			switch {
			case line == "":
				line = word
			case runes(line)+1+runes(word) <= width:
				line += " " + word
			default:
				lines = append(lines, line)
				line = word
			}
		}
		lines = append(lines, line)
	}
	return lines
}

func runes(s string) int { return utf8.RuneCountInString(s) }

// shorten cuts a line after some runes, and says so.
func shorten(line string, n int) string {
	if runes(line) <= n {
		return line
	}
	return string([]rune(line)[:n-1]) + "…"
}

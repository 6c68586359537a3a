package compare

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// WriteJSON writes a report as `statespec diff --json` does.
func WriteJSON(w io.Writer, r *Report) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// The escape sequences of the colours in use.
const (
	red, green, yellow, bold, plain = "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[1m", "\x1b[0m"
)

// told is the most artefacts that a person is told of one by one; the JSON has all.
const told = 20

// screen is what has been written for a person.
type screen struct {
	strings.Builder
	colour bool
}

func (s *screen) line(format string, args ...any) {
	fmt.Fprintf(s, format+"\n", args...)
}

func (s *screen) paint(colour, text string) string {
	if !s.colour {
		return text
	}
	return colour + text + plain
}

// WriteText writes a report for the person who asked: the verdict, each artefact
// that differs, and what was not judged.
func WriteText(w io.Writer, r *Report, colour bool) error {
	s := &screen{colour: colour}
	s.head(r)
	shown := 0
	for i := range r.Artefacts {
		if a := &r.Artefacts[i]; !a.Equal {
			if shown++; shown <= told {
				s.artefact(a)
			}
		}
	}
	if shown > told {
		s.line("\nand %d more that differ: --json has all", shown-told)
	}
	s.list("not judged (--bytes GLOB compares them byte for byte)", r.NotJudged)
	s.list("notes", r.Notes)
	_, err := io.WriteString(w, s.String())
	return err
}

// Verdict is a report in one line.
func (r *Report) Verdict() string {
	equal, different := r.Counts()
	switch {
	case equal+different == 0:
		return "nothing compared"
	case different == 0:
		return fmt.Sprintf("equal: %s", artefacts(equal))
	}
	return fmt.Sprintf("divergent: %d of %s", different, artefacts(equal+different))
}

func artefacts(n int) string {
	if n == 1 {
		return "1 artefact"
	}
	return grouped(int64(n)) + " artefacts"
}

func (s *screen) head(r *Report) {
	verdict, colour := r.Verdict(), bold+red
	if r.Equal {
		colour = bold + green
	}
	word, rest, _ := strings.Cut(verdict, ":")
	if rest != "" {
		rest = ":" + rest
	}
	s.line("%s%s", s.paint(colour, word), rest)
	first := r.FirstDifferent()
	if first == nil || len(r.Artefacts) < 2 {
		return
	}
	s.line("  first      %s%s", printable(first.Name), first.At())
	if before := r.LastEqualBefore(); before != nil {
		s.line("  before it  %s is equal", printable(before.Name))
	}
}

// At says where an artefact parts, to follow its name: at a step, where it has
// steps, else at an index; empty where it is equal, or differs as such.
func (a *Artefact) At() string {
	switch {
	case a.First == nil:
		return ""
	case a.steps:
		return fmt.Sprintf(", at step %d", a.part())
	}
	return fmt.Sprintf(", at %v", a.First.Index)
}

// artefact tells of one that differs.
func (s *screen) artefact(a *Artefact) {
	what := ""
	if a.DType != "" {
		what = fmt.Sprintf("  %s %v", a.DType, a.Shape)
	}
	s.line("\n%s  %s%s", s.paint(bold+red, "DIFFERENT"), printable(a.Name), what)
	for _, f := range a.facts() {
		s.line("  %-8s %s", f[0], f[1])
	}
}

// facts are what there is to tell, each with its name.
func (a *Artefact) facts() (all [][2]string) {
	add := func(name, format string, args ...any) {
		all = append(all, [2]string{name, printable(fmt.Sprintf(format, args...))})
	}
	if a.Problem != "" {
		add("problem", "%s", a.Problem)
		if strings.HasPrefix(a.Problem, "order") && a.Different == 0 {
			add("elements", "all %s are equal", grouped(a.Elements))
		}
	}
	if a.First == nil {
		return all
	}
	if a.Kind == "array" {
		add("elements", "%s of %s differ (%s)", grouped(a.Different), grouped(a.Elements), percent(a.Different, a.Elements))
	}
	add("first", "%s", a.First)
	if d := a.ULP; d != nil {
		for _, line := range d.lines() {
			add("ulp", "%s", line)
		}
	}
	for _, x := range a.Axes {
		if x.Length > 1 {
			add("axis", "%s", x)
		}
	}
	if a.Beside != nil {
		for _, line := range a.Beside.lines(a.Elements) {
			add("beside", "%s", line)
		}
	}
	return all
}

// String is a divergence in one line.
func (d *Divergence) String() string {
	text := fmt.Sprintf("a = %s, b = %s", d.A, d.B)
	if d.BitsA != "" {
		text = fmt.Sprintf("a = %s (%s), b = %s (%s)", d.A, d.BitsA, d.B, d.BitsB)
	}
	if len(d.Index) > 0 {
		text = fmt.Sprintf("%v: ", d.Index) + text
	}
	if d.ULP != "" {
		text += ", ULP " + d.ULP
	}
	return text
}

func (d *Distances) lines() (lines []string) {
	if d.Largest != "" {
		line := fmt.Sprintf("typical %s, largest %s at %v", d.Typical, d.Largest, d.LargestIndex)
		if d.Difference != "" {
			line += "; values differ by at most " + d.Difference
		}
		lines = append(lines, line)
	}
	for _, c := range []struct {
		n    int64
		what string
	}{{d.SignedZeros, "-0 against +0"}, {d.NaNPayloads, "NaN on both sides with other bits"}, {d.NaNAgainstNumber, "NaN against a number"}} {
		if c.n > 0 {
			lines = append(lines, fmt.Sprintf("%s: %s", grouped(c.n), c.what))
		}
	}
	return lines
}

// String says of an axis where differences lie.
func (a Axis) String() string {
	name := strconv.Itoa(a.Axis)
	if a.Name != "" {
		name += " (" + a.Name + ")"
	}
	return fmt.Sprintf("%s, %d long: %s", name, a.Length, a.Summary)
}

func (b *Beside) lines(elements int64) (lines []string) {
	const unchanged = "the verdict is about bits and stays"
	if b.BeyondULP != nil {
		lines = append(lines, fmt.Sprintf("%s of %s are more than %d ULP apart; %s", grouped(*b.BeyondULP), grouped(elements), b.ULP, unchanged))
	}
	if b.BeyondTolerance != nil {
		lines = append(lines, fmt.Sprintf("%s of %s are more than %g + %g·|b| apart; %s", grouped(*b.BeyondTolerance), grouped(elements), b.AbsTol, b.RelTol, unchanged))
	}
	return lines
}

func (s *screen) list(title string, items []string) {
	if len(items) == 0 {
		return
	}
	s.line("\n%s", s.paint(yellow, title))
	for i, item := range items {
		if i == told {
			s.line("  and %d more", len(items)-told)
			return
		}
		s.line("  %s", printable(item))
	}
}

// grouped prints a number with commas.
func grouped(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// percent never rounds something to nothing, nor a part to the whole.
func percent(n, of int64) string {
	p := 100 * float64(n) / float64(of)
	switch {
	case p < 0.1:
		return "less than 0.1 %"
	case p > 99.9 && n < of:
		return "more than 99.9 %"
	}
	return fmt.Sprintf("%.1f %%", p)
}

// printable keeps names and texts of a file from doing anything but being read.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < 0x20:
			return 0x2400 + r // the picture of the control character
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r):
			return utf8.RuneError
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
}

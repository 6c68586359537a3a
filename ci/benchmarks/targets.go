package benchmarks

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/statespec/statespec/ci/paired"
	"github.com/statespec/statespec/ci/regress"
)

// A Word says how a target stands.
type Word string

// The words of a target.
const (
	Met        Word = "met"         // the middle is not above it
	Close      Word = "close"       // the middle is above it, part of the interval is not
	Missed     Word = "missed"      // the whole interval is above it
	CannotTell Word = "cannot tell" // too few lines for an interval, or it is on both sides and too wide
	NotThere   Word = "not measured"
)

// A Target is what a benchmark should come to at most, and what recordings say.
type Target struct {
	Name, Unit string
	Most       float64
	Measured   []Measured // one for each recording
}

// Measured is a target's unit in one recording.
type Measured struct {
	N              int
	Center, Lo, Hi float64 // median and its 95 % interval
	Word           Word
}

// Worst is the worst word of a target's recordings.
func (t Target) Worst() Word {
	order := []Word{Met, Close, NotThere, CannotTell, Missed}
	worst := Met
	for _, m := range t.Measured {
		if slices.Index(order, m.Word) > slices.Index(order, worst) {
			worst = m.Word
		}
	}
	return worst
}

// Aims are the targets of a list, in its order, with nothing measured.
func Aims(list []paired.Benchmark) (targets []Target) {
	for _, b := range list {
		for _, v := range b.Variants {
			for _, unit := range slices.Sorted(maps.Keys(v.Most)) {
				targets = append(targets, Target{Name: b.Name + "/" + v.Name, Unit: unit, Most: v.Most[unit]})
			}
		}
	}
	return targets
}

// Targets holds recordings against the targets of a list. Those of which no recording
// says anything are left out.
func Targets(list []paired.Benchmark, recordings ...regress.Recording) (targets []Target) {
	for _, t := range Aims(list) {
		for _, r := range recordings {
			t.Measured = append(t.Measured, measured(r, t))
		}
		if slices.ContainsFunc(t.Measured, func(m Measured) bool { return m.Word != NotThere }) {
			targets = append(targets, t)
		}
	}
	return targets
}

// measured is what a recording says of a target.
func measured(r regress.Recording, t Target) Measured {
	var values []float64
	for _, result := range r.Results {
		if name := string(result.Name); name == t.Name || strings.HasPrefix(name, t.Name+"-") { // Go adds the number of processors
			if v, ok := result.Value(t.Unit); ok {
				values = append(values, v)
			}
		}
	}
	if len(values) == 0 {
		return Measured{Word: NotThere}
	}
	m := Measured{N: len(values), Word: Met}
	m.Center, m.Lo, m.Hi = paired.Interval(values)
	switch {
	case m.N < regress.Samples6:
		m.Word = CannotTell
	case m.Lo > t.Most:
		m.Word = Missed
	case m.Hi > t.Most && paired.Wide(m.Center, m.Lo, m.Hi):
		m.Word = CannotTell
	case m.Center > t.Most:
		m.Word = Close
	}
	return m
}

// WriteTargets writes a Markdown table: a row for each target, two columns for each
// recording.
func WriteTargets(w io.Writer, targets []Target, recordings ...regress.Recording) error {
	var b strings.Builder
	b.WriteString("| benchmark | unit | at most |")
	for _, r := range recordings {
		fmt.Fprintf(&b, " %s, 95 %% interval | |", strings.ReplaceAll(r.Name, "|", `\|`))
	}
	b.WriteString("\n|---|---|---|" + strings.Repeat("---|---|", len(recordings)) + "\n")
	for _, t := range targets {
		fmt.Fprintf(&b, "| %s | %s | %g |", t.Name, t.Unit, t.Most)
		for _, m := range t.Measured {
			switch {
			case m.N == 0:
				fmt.Fprintf(&b, " | %s |", m.Word)
			case m.N < regress.Samples6:
				fmt.Fprintf(&b, " %.3g, of %d | %s |", m.Center, m.N, m.Word)
			default:
				fmt.Fprintf(&b, " %.3g, %.3g to %.3g | %s |", m.Center, m.Lo, m.Hi, m.Word)
			}
		}
		b.WriteString("\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

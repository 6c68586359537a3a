package regress

import (
	"fmt"

	"golang.org/x/perf/benchmath"
	"golang.org/x/perf/benchunit"
)

// ratioScaler writes ratios as they are: 12m of a control is no way to say 0.012.
var ratioScaler = benchunit.Scaler{Prec: 3, Factor: 1}

// scaler formats the values of a row alike, as benchstat does.
func (c *Comparison) scaler(unit string) benchunit.Scaler {
	if unitTerms(unit).Better == Lower && unitTerms(unit).Gate && benchunit.ClassOf(unit) == benchunit.Decimal && !unitTerms(unit).Exact {
		return ratioScaler
	}
	var values []float64
	for _, s := range []*Summary{c.Old, c.New} {
		if s != nil {
			values = append(values, float64(s.Center))
		}
	}
	return benchunit.CommonScale(values, benchunit.ClassOf(unit))
}

// plusMinus is a summary's interval in percent of its centre: "2%", or ∞.
func (s *Summary) plusMinus() string {
	return benchmath.Summary{Center: float64(s.Center), Lo: float64(s.Lo), Hi: float64(s.Hi)}.PctRangeString()
}

// delta is the change as benchstat shows it: ~ where it may be chance.
func (c *Comparison) delta() string {
	if c.Change == nil {
		return ""
	}
	shown := benchmath.Comparison{P: float64(c.Change.P), Alpha: ShownAlpha}
	return shown.FormatDelta(float64(c.Old.Center), float64(c.New.Center))
}

// statistics are p and n, in brackets.
func (c *Comparison) statistics() string {
	switch {
	case c.Change == nil:
		return ""
	case c.Terms.Exact:
		return "(" + c.runs() + ")"
	}
	return fmt.Sprintf("(p=%.3f %s)", float64(c.Change.P), c.runs())
}

// mark is a sign for a word, so that colour is never alone.
func (w Word) mark() string {
	switch w {
	case Worse:
		return "✗"
	case CannotTell:
		return "?"
	case Vanished:
		return "−"
	case Appeared:
		return "+"
	case Improved:
		return "▲"
	case Held:
		return "="
	}
	return "·"
}

// basis says how the words were found.
func (r *Report) basis() string {
	text := fmt.Sprintf("Medians with %.0f %% intervals, Mann-Whitney U. Shown is p < %v; ", 100*Confidence, ShownAlpha)
	if r.Shared == 0 {
		return text + fmt.Sprintf("gates would share alpha %v.", r.Alpha)
	}
	alpha := r.Alpha / float64(r.Shared)
	return text + fmt.Sprintf("a gate needs p < %.2g (alpha %v shared by %s), so %d runs of each and more.",
		alpha, r.Alpha, plural(r.Shared, "comparison"), max(Samples6, enough(alpha)))
}

func plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// sources names the two files.
func (r *Report) sources() string {
	return fmt.Sprintf("old: %s (%s), new: %s (%s)", r.Old.Name, plural(r.Old.Results, "result"), r.New.Name, plural(r.New.Results, "result"))
}

// counts are the words and how often each came: "1 worse, 3 held".
func (r *Report) counts() string {
	text := ""
	for _, w := range Words() {
		if n := r.Words[w]; n > 0 {
			if text != "" {
				text += ", "
			}
			text += fmt.Sprintf("%d %s", n, w)
		}
	}
	return text
}

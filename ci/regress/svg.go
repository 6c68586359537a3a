package regress

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// The drawing's size, in its own units. Its text is readable on a phone.
const (
	svgWidth, svgHeight = 320.0, 76.0
	svgLeft, svgRight   = 36.0, 308.0
)

// svg draws both intervals on one scale, with what is allowed, and says the same in
// words; "" where there is nothing to draw. Old is round and grey, new is square:
// colour is never alone.
func (p placed) svg() string {
	if p.Change == nil || !(p.Old.Center > 0) {
		return ""
	}
	base := float64(p.Old.Center)
	part := func(n Number) float64 { return float64(n) / base }
	limit := 1 + p.Terms.Worse
	if p.Terms.Better == Higher {
		limit = 1 - p.Terms.Worse
	}
	gated := p.Terms.Gate && p.Terms.Better != Unknown
	low, high := 1.0, 1.0
	reach := func(x float64) {
		if Number(x).finite() {
			low, high = min(low, x), max(high, x)
		}
	}
	for _, s := range []*Summary{p.Old, p.New} {
		reach(part(s.Lo))
		reach(part(s.Center))
		reach(part(s.Hi))
	}
	if gated {
		reach(limit)
	}
	margin := max((high-low)*0.06, 0.01)
	low, high = low-margin, high+margin
	x := func(v float64) float64 { return svgLeft + (svgRight-svgLeft)*(v-low)/(high-low) }

	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 %g %g">`, svgWidth, svgHeight)
	fmt.Fprintf(&b, "<title>%s</title><desc>%s</desc>", html.EscapeString(p.Benchmark+" in "+p.table.Unit), html.EscapeString(p.inWords(gated, limit)))
	b.WriteString(`<g font-family="system-ui, sans-serif" font-size="11" fill="#1b1f24">`)
	fmt.Fprintf(&b, `<path d="M%.1f 4V58" stroke="#8b949e"/>`, x(1))
	if gated {
		fmt.Fprintf(&b, `<path d="M%.1f 4V58" stroke="#b3261e" stroke-width="1.5" stroke-dasharray="4 3"/>`, x(limit))
	}
	for i, s := range []*Summary{p.Old, p.New} {
		y := 18.0 + 26*float64(i)
		name, colour := "old", "#57606a"
		if i == 1 {
			name, colour = "new", svgColours[p.Word]
			if colour == "" {
				colour = "#0b4f9c"
			}
		}
		fmt.Fprintf(&b, `<text x="4" y="%g">%s</text>`, y+4, name)
		if s.Lo.finite() && s.Hi.finite() {
			from, to := x(part(s.Lo)), x(part(s.Hi))
			fmt.Fprintf(&b, `<path d="M%.1f %gH%.1fM%.1f %gv10M%.1f %gv10" stroke="%s" stroke-width="2"/>`, from, y, to, from, y-5, to, y-5, colour)
		}
		at := x(part(s.Center))
		if i == 0 {
			fmt.Fprintf(&b, `<circle cx="%.1f" cy="%g" r="4" fill="%s"/>`, at, y, colour)
		} else {
			fmt.Fprintf(&b, `<rect x="%.1f" y="%g" width="8" height="8" fill="%s"/>`, at-4, y-4, colour)
		}
	}
	fmt.Fprintf(&b, `<text x="%g" y="72">%s</text><text x="%g" y="72" text-anchor="end">%s</text>`, svgLeft, tick(low), svgRight, tick(high))
	b.WriteString("</g></svg>")
	return b.String()
}

var svgColours = map[Word]string{Worse: "#b3261e", Improved: "#1a6b2f", CannotTell: "#7a4b00"}

// tick is a place on the scale, as a change from old's centre.
func tick(v float64) string {
	change := 100 * (v - 1)
	switch size := math.Abs(change); {
	case size < 10:
		return fmt.Sprintf("%+.1f%%", change)
	case size < enormous:
		return fmt.Sprintf("%+.0f%%", change)
	}
	return fmt.Sprintf("%+.2g%%", change)
}

// inWords is what the drawing shows, for who does not see it.
func (p placed) inWords(gated bool, limit float64) string {
	scale := p.scaler(p.table.Unit)
	of := func(name string, s *Summary) string {
		text := fmt.Sprintf("%s: %s", name, scale.Format(float64(s.Center)))
		switch {
		case p.Terms.Exact && s.constant():
			return text + ", in every run."
		case p.Terms.Exact:
			return text + fmt.Sprintf(", from %s to %s.", scale.Format(float64(s.Lo)), scale.Format(float64(s.Hi)))
		case !s.Lo.finite() || !s.Hi.finite():
			return text + ", too few runs for an interval."
		}
		return text + fmt.Sprintf(", interval %s to %s.", scale.Format(float64(s.Lo)), scale.Format(float64(s.Hi)))
	}
	text := of("Old", p.Old) + " " + of("New", p.New) + " Change: " + percent(p.Change.Ratio)
	if !p.Terms.Exact && p.Change.Lo.finite() && p.Change.Hi.finite() {
		text += fmt.Sprintf(", interval %s to %s", percent(p.Change.Lo), percent(p.Change.Hi))
	}
	text += "."
	if gated {
		text += fmt.Sprintf(" Allowed is up to %s, the dashed line.", percent(Number(limit)))
	}
	return text + fmt.Sprintf(" Verdict: %s.", p.Word)
}

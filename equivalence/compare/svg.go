package compare

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// shades are the steps of a map's colour, from few to many.
const shades = 8

// svg draws a map, with its text for a screen reader. Cells beside each other in
// one shade are one rectangle, and what does not differ is not drawn.
func (h *heat) svg(title, description string) string {
	width, height := h.scale()
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 %d %d" width="%d" height="%d" preserveAspectRatio="none" shape-rendering="crispEdges">`,
		h.across, h.down, width, height)
	fmt.Fprintf(&b, "<title>Where %s differs</title><desc>%s</desc>", html.EscapeString(title), html.EscapeString(description))
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#eef1f4"/>`, h.across, h.down)
	full := math.Log1p(float64(h.rows) * float64(h.columns))
	for y := range h.down {
		line := h.counts[y*h.across : (y+1)*h.across]
		for x := 0; x < len(line); {
			s, end := shade(line[x], full), x+1
			for end < len(line) && shade(line[end], full) == s {
				end++
			}
			if s > 0 {
				fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%d" height="1" fill="#b3261e" fill-opacity="%.3g"/>`, x, y, end-x, float64(s)/shades)
			}
			x = end
		}
	}
	b.WriteString("</svg>")
	return b.String()
}

// scale is the size of a drawing in which a cell is a few pixels, and no side is
// thin.
func (h *heat) scale() (width, height int) {
	return max(2*h.across, 128), max(2*h.down, 48)
}

// shade is 0 for nothing, and grows with the logarithm: one element of many in a
// cell is what a person looks for.
func shade(n int64, full float64) int {
	if n == 0 {
		return 0
	}
	return min(max(int(math.Ceil(shades*math.Log1p(float64(n))/full)), 2), shades)
}

package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/statespec/statespec/spec/verdict"
)

// Badge writes badge.svg: the head of the verdict line, in a colour, as one
// self-contained picture with a text for those who do not see it.
func Badge(w io.Writer, r verdict.Results) error {
	const label = "statespec"
	message, _, _ := strings.Cut(Printable(r.Summary.Line), ":")
	left, right := badgeWidth(label), badgeWidth(message)
	color := badgeColor(r)
	var text strings.Builder
	if err := xml.EscapeText(&text, []byte(message)); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="20" role="img" aria-label="%[4]s: %[5]s">
  <title>%[4]s: %[5]s</title>
  <rect width="%[2]d" height="20" fill="#444"/>
  <rect x="%[2]d" width="%[3]d" height="20" fill="%[6]s"/>
  <g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
    <text x="%[7]d" y="14" textLength="%[8]d">%[4]s</text>
    <text x="%[9]d" y="14" textLength="%[10]d">%[5]s</text>
  </g>
</svg>
`, left+right, left, right, label, text.String(), color, left/2, left-10, left+right/2, right-10)
	return err
}

// badgeWidth estimates a text's width in pixels, with five at each end.
// textLength makes the text fit it.
func badgeWidth(text string) int { return 10 + 7*runes(text) }

// badgeColor is dark enough for white text in each case.
func badgeColor(r verdict.Results) string {
	switch {
	case r.Summary.Exit == verdict.Failure:
		return "#b3261e"
	case r.Summary.Exit != verdict.AsExpected:
		return "#666"
	case r.Summary.Words[verdict.KnownBroken]+r.Summary.Words[verdict.New] > 0:
		return "#8a6100"
	}
	return "#1a7f37"
}

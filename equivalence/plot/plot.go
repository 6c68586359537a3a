package plot

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// A Series is one curve: bytes after each step, from step 0 on.
type Series struct {
	Name  string
	Bytes []int64
}

// Sizes of the drawing, in its own units: pixels where it is not scaled.
const (
	width, height            = 720, 320
	left, right, top, bottom = 84, 16, 16, 72
)

// styles tell the curves apart by colour and, for whoever sees none, by dashes.
var styles = [...]struct{ colour, dashes string }{
	{"#1b6ca8", ""}, {"#b3261e", "8 4"}, {"#4f7a28", "2 4"}, {"#6b4fa0", "10 3 2 3"},
}

// Write draws the series over one pair of axes. The title names the picture,
// and a description beneath says in words where each curve begins and ends, so
// that a screen reader tells what an eye sees. It draws at most four series;
// one without a step is in the legend only.
func Write(w io.Writer, title string, series ...Series) error {
	if len(series) == 0 || len(series) > len(styles) {
		return fmt.Errorf("plot of %d series: want 1 to %d", len(series), len(styles))
	}
	steps, most := extent(series)
	axis := scaleOf(most)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 %d %d" style="max-width:%dpx;width:100%%;height:auto" font-family="system-ui, sans-serif" font-size="12">`, width, height, width)
	fmt.Fprintf(&b, "\n<title>%s</title>\n<desc>%s</desc>\n", escaped(title), escaped(describe(series)))
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#fff"/>`+"\n", width, height)
	axis.grid(&b)
	stepLabels(&b, steps)
	for i, s := range series {
		curve(&b, s, i, steps, axis)
		legend(&b, s, i)
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// extent returns the steps of the longest series and the largest number of any.
func extent(series []Series) (steps int, most int64) {
	for _, s := range series {
		steps = max(steps, len(s.Bytes))
		for _, n := range s.Bytes {
			most = max(most, n)
		}
	}
	return steps, most
}

// describe says in words what is drawn.
func describe(series []Series) string {
	sentences := make([]string, 0, len(series))
	for _, s := range series {
		if len(s.Bytes) == 0 {
			sentences = append(sentences, s.Name+": no steps.")
			continue
		}
		first, last := s.Bytes[0], s.Bytes[len(s.Bytes)-1]
		_, most := extent([]Series{s})
		sentences = append(sentences, fmt.Sprintf("%s: %s after the first step, %s after the last of %d, at most %s.", s.Name, mebibytes(first), mebibytes(last), len(s.Bytes), mebibytes(most)))
	}
	return strings.Join(sentences, " ")
}

func mebibytes(n int64) string {
	return strconv.FormatFloat(float64(n)/(1<<20), 'f', 2, 64) + " MiB"
}

// x is where a step is.
func x(step, steps int) float64 {
	return left + float64(step)*(width-left-right)/float64(max(1, steps-1))
}

// curve draws a series. Where several steps fall on one unit, the least and the
// most of them are drawn, so that no peak is lost and the text stays short.
func curve(b *strings.Builder, s Series, i, steps int, a scale) {
	if len(s.Bytes) == 0 {
		return
	}
	var points []string
	point := func(step int) {
		points = append(points, fmt.Sprintf("%.1f,%.1f", x(step, steps), a.y(s.Bytes[step])))
	}
	const units = width - left - right
	each := max(1, (steps+units-1)/units)
	for from := 0; from < len(s.Bytes); from += each {
		least, most := from, from
		for n := from; n < min(from+each, len(s.Bytes)); n++ {
			if s.Bytes[n] < s.Bytes[least] {
				least = n
			}
			if s.Bytes[n] > s.Bytes[most] {
				most = n
			}
		}
		point(min(least, most))
		if least != most {
			point(max(least, most))
		}
	}
	if len(points) == 1 { // a lone point is a line of no length, which nobody sees
		points = append(points, fmt.Sprintf("%.1f,%.1f", x(0, 1)+3, a.y(s.Bytes[0])))
	}
	fmt.Fprintf(b, `<polyline fill="none" stroke="%s" stroke-width="2"%s points="%s"/>`+"\n", styles[i].colour, dashes(i), strings.Join(points, " "))
}

func dashes(i int) string {
	if styles[i].dashes == "" {
		return ""
	}
	return fmt.Sprintf(` stroke-dasharray="%s"`, styles[i].dashes)
}

// legend names a curve below the axis of steps.
func legend(b *strings.Builder, s Series, i int) {
	at := left + i*(width-left-right)/len(styles)
	fmt.Fprintf(b, `<line x1="%d" y1="%d" x2="%d" y2="%d" stroke="%s" stroke-width="2"%s/>`, at, height-16, at+28, height-16, styles[i].colour, dashes(i))
	fmt.Fprintf(b, `<text x="%d" y="%d">%s</text>`+"\n", at+34, height-12, escaped(s.Name))
}

// stepLabels writes the first, the middle and the last step below the axis.
func stepLabels(b *strings.Builder, steps int) {
	at := []int{0}
	if steps > 2 {
		at = append(at, (steps-1)/2)
	}
	if steps > 1 {
		at = append(at, steps-1)
	}
	for _, step := range at {
		fmt.Fprintf(b, `<text x="%.1f" y="%d" text-anchor="middle">%d</text>`, x(step, steps), height-bottom+18, step)
	}
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="middle">step</text>`+"\n", left+(width-left-right)/2, height-bottom+34)
}

// escaped makes a text safe within an element.
func escaped(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // which a Builder never refuses
	return b.String()
}

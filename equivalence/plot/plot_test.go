package plot

import (
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"
)

func drawn(t *testing.T, series ...Series) string {
	t.Helper()
	var b strings.Builder
	if err := Write(&b, "Bytes held", series...); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// elements reads a drawing as XML and counts its elements.
func elements(t *testing.T, svg string) map[string]int {
	t.Helper()
	count := map[string]int{}
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return count
		}
		if err != nil {
			t.Fatalf("no XML: %v\n%s", err, svg)
		}
		if start, ok := token.(xml.StartElement); ok {
			count[start.Name.Local]++
		}
	}
}

// points are those of a drawing's curves.
func points(t *testing.T, svg string) (curves [][][2]float64) {
	t.Helper()
	for _, part := range strings.Split(svg, `points="`)[1:] {
		text, _, _ := strings.Cut(part, `"`)
		var curve [][2]float64
		for _, pair := range strings.Fields(text) {
			a, b, _ := strings.Cut(pair, ",")
			x, errX := strconv.ParseFloat(a, 64)
			y, errY := strconv.ParseFloat(b, 64)
			if errX != nil || errY != nil {
				t.Fatalf("point %q", pair)
			}
			curve = append(curve, [2]float64{x, y})
		}
		curves = append(curves, curve)
	}
	return curves
}

func TestADrawingTellsInWordsWhatItShows(t *testing.T) {
	svg := drawn(t, Series{"bespoke", []int64{1 << 20, 2 << 20, 5 << 19}}, Series{"managed", []int64{1 << 20}}, Series{"<none> & \"all\"", nil})
	for _, want := range []string{
		`role="img"`, "<title>Bytes held</title>", "bespoke: 1.00 MiB after the first step, 2.50 MiB after the last of 3, at most 2.50 MiB.",
		"managed: 1.00 MiB", "&lt;none&gt; &amp; &#34;all&#34;: no steps.",
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("the drawing lacks %q:\n%s", want, svg)
		}
	}
	if got := elements(t, svg); got["title"] != 1 || got["desc"] != 1 || got["polyline"] != 2 {
		t.Errorf("the drawing has %v, want one title, one desc and two polylines", got)
	}
}

func TestCurvesLieWithinTheAxesAndRiseWithTheBytes(t *testing.T) {
	for _, most := range []int64{0, 1, 7, 1023, 1024, 632_586_240, 1 << 45} {
		curve := points(t, drawn(t, Series{"s", []int64{0, most / 2, most}}))[0]
		for i, p := range curve {
			if p[0] < left-1 || p[0] > width-right+1 || p[1] < top-1 || p[1] > height-bottom+1 {
				t.Errorf("most %d: point %v lies outside the axes", most, p)
			}
			if i > 0 && (p[0] <= curve[i-1][0] || p[1] > curve[i-1][1]) {
				t.Errorf("most %d: after %v comes %v, want it further right and no lower", most, curve[i-1], p)
			}
		}
	}
}

func TestAPeakOfALongSeriesIsDrawn(t *testing.T) {
	long := make([]int64, 100_000)
	for i := range long {
		long[i] = 100
	}
	long[54_321] = 1000
	curve := points(t, drawn(t, Series{"s", long}))[0]
	highest := float64(height)
	for _, p := range curve {
		highest = min(highest, p[1])
	}
	if want := scaleOf(1000).y(1000); highest != want || len(curve) > 2*width {
		t.Errorf("highest of %d points at %.1f, want %.1f of at most %d", len(curve), highest, want, 2*width)
	}
}

func TestAxesHaveRoundNumbers(t *testing.T) {
	for most, want := range map[int64]string{0: "1 B", 5: "5 B", 1000: "1000 B", 2048: "2 KiB", 632_586_240: "800 MiB", 3 << 30: "3 GiB"} {
		s := scaleOf(most)
		if got := strconv.FormatFloat(s.most/s.unit, 'g', 4, 64) + " " + s.name; got != want {
			t.Errorf("scaleOf(%d) ends at %s, want %s", most, got, want)
		}
	}
}

func TestNoSeriesAndTooManyAreRefused(t *testing.T) {
	for _, n := range []int{0, 5} {
		if err := Write(io.Discard, "", make([]Series, n)...); err == nil {
			t.Errorf("Write of %d series = no error, want one", n)
		}
	}
}

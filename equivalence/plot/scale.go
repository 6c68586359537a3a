package plot

import (
	"fmt"
	"strconv"
	"strings"
)

// A scale is the axis of bytes: from zero to a round number, in one unit.
type scale struct {
	most  float64 // bytes at the top
	every float64 // bytes between two lines
	unit  float64 // bytes
	name  string
}

// scaleOf returns the scale that holds a number of bytes, with lines at one, two
// or five of a unit times a power of ten.
func scaleOf(most int64) scale {
	s := scale{unit: 1, name: "B"}
	for _, larger := range []string{"KiB", "MiB", "GiB", "TiB"} {
		if float64(most) < 1024*s.unit {
			break
		}
		s.unit, s.name = 1024*s.unit, larger
	}
	const lines = 5
	s.every = s.unit
	if most > 0 {
		s.every = s.unit * rounder(float64(most)/s.unit/lines)
	}
	s.most = s.every
	for s.most < float64(most) {
		s.most += s.every
	}
	return s
}

// rounder is the least of 1, 2 and 5 times a power of ten that is not below n.
func rounder(n float64) float64 {
	power := 1.0
	for power*10 <= n {
		power *= 10
	}
	for power > n {
		power /= 10
	}
	for _, times := range []float64{1, 2, 5} {
		if times*power >= n {
			return times * power
		}
	}
	return 10 * power
}

// y is where a number of bytes is. The conversion keeps the drawing the same on
// every processor.
func (s scale) y(bytes int64) float64 {
	return height - bottom - float64(float64(bytes)/s.most*(height-top-bottom))
}

// grid draws the lines and what they stand for.
func (s scale) grid(b *strings.Builder) {
	for at := 0.0; at <= s.most*1.0001; at += s.every {
		y := s.y(int64(at))
		fmt.Fprintf(b, `<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="#d5dade"/>`, left, y, width-right, y)
		label := strconv.FormatFloat(at/s.unit, 'g', 4, 64) + " " + s.name
		fmt.Fprintf(b, `<text x="%d" y="%.1f" text-anchor="end">%s</text>`+"\n", left-8, y+4, label)
	}
}

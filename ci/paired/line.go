package paired

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// calibrate finds how many operations a slice has. Its runs are the warm-up as well.
func (v *alive) calibrate(slice time.Duration) error {
	const most = 1 << 30
	for v.times = 1; ; {
		took, err := v.quickest(slice)
		if err != nil {
			return err
		}
		v.slice = took
		if took >= slice*4/5 || v.times >= most {
			return nil
		}
		grow := 100.0
		if took > 0 {
			grow = min(grow, float64(slice)/float64(took))
		}
		v.times = min(most, max(v.times+1, int(float64(v.times)*grow)))
	}
}

// quickest is how long the operations of a slice take. The first time may be cold, or
// the machine elsewhere: what seems long enough is made twice more.
func (v *alive) quickest(slice time.Duration) (time.Duration, error) {
	least := time.Duration(math.MaxInt64)
	for range 3 {
		took, err := v.time(v.times)
		if err != nil {
			return 0, err
		}
		if least = min(least, took); least < slice*4/5 || took > long*slice {
			break
		}
	}
	return least, nil
}

// tellLine tells what the rounds since the last line came to.
func tellLine(variants []*alive, tell func(Line) error) error {
	var control *alive
	for _, v := range variants {
		if v.Control() {
			control = v
		}
	}
	var lines []Line
	for _, v := range variants {
		l := Line{Name: v.name, Times: v.times * len(v.perOp), PerOp: median(v.perOp), Counted: v.counted}
		if control != nil && v != control {
			ratios := make([]float64, len(v.perOp))
			for i := range ratios {
				ratios[i] = v.perOp[i] / control.perOp[i]
			}
			l.Ratio = median(ratios)
		}
		if v.body.Units != nil {
			units, err := v.body.Units()
			if err != nil {
				return fmt.Errorf("%s: %w", v.name, err)
			}
			l.Units = units
		}
		lines = append(lines, l)
	}
	for i, v := range variants {
		v.perOp = v.perOp[:0]
		if err := tell(lines[i]); err != nil {
			return err
		}
	}
	return nil
}

// median is the middle of values, of an even number the mean of the two.
func median(of []float64) float64 {
	of = slices.Sorted(slices.Values(of))
	n := len(of)
	return (of[(n-1)/2] + of[n/2]) / 2
}

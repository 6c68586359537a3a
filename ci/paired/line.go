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
		took, waited, err := v.quickest(slice)
		if err != nil {
			return err
		}
		v.slice = took
		if enough(took, slice) || waited > patience*slice || v.times >= most {
			return nil
		}
		grow := 100.0
		if took > 0 {
			grow = min(grow, float64(slice)/float64(took))
		}
		if waited > 0 {
			grow = min(grow, patience*float64(slice)/float64(waited))
		}
		v.times = min(most, max(v.times+1, int(float64(v.times)*grow)))
	}
}

// enough says whether operations that took so long make a slice.
func enough(took, slice time.Duration) bool { return took >= slice*4/5 }

// patience is how many slices' time operations may be waited for that say of
// themselves that they took less: of a loop of them what the loop takes is taken off,
// which may be all of it.
const patience = 8

// quickest is how long the operations of a slice take, and how long that was waited
// for. The first time may be cold, or the machine elsewhere: what seems long enough is
// made twice more.
func (v *alive) quickest(slice time.Duration) (took, waited time.Duration, err error) {
	took, waited = math.MaxInt64, math.MaxInt64
	for range 3 {
		start := time.Now()
		one, err := v.time(v.times)
		if err != nil {
			return 0, 0, err
		}
		took, waited = min(took, one), min(waited, time.Since(start))
		if !enough(took, slice) || took > long*slice {
			break
		}
	}
	return took, waited, nil
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

package paired

import (
	"fmt"

	"golang.org/x/perf/benchmath"
)

// A Noise is a benchmark of which this machine says too little.
type Noise struct {
	Name   string
	Lo, Hi float64 // 95 % interval of the median ratio
}

// Quiet is the widest interval of a ratio, to either side, that says something: a
// regression of 15 % has to be outside of it.
const Quiet = 0.075

func (n Noise) String() string {
	return fmt.Sprintf("%s: this machine is too noisy: its ratio to the control is %.3g to %.3g", n.Name, n.Lo, n.Hi)
}

// Interval is the median of values, and its 95 % interval, as benchstat has them.
func Interval(values []float64) (center, lo, hi float64) {
	s := benchmath.AssumeNothing.Summary(benchmath.NewSample(values, &benchmath.DefaultThresholds), 0.95)
	return s.Center, s.Lo, s.Hi
}

// Wide says whether an interval is too wide to say something.
func Wide(center, lo, hi float64) bool { return hi > center*(1+Quiet) || lo < center*(1-Quiet) }

// leastForInterval is the least number of values of which there is one.
const leastForInterval = 6

// TooNoisy are the benchmarks whose ratios lie too far apart for a change to be seen.
// Of fewer lines than an interval needs nothing is said.
func TooNoisy(lines []Line) (noisy []Noise) {
	ratios := map[string][]float64{}
	var names []string
	for _, l := range lines {
		if l.Ratio == 0 {
			continue
		}
		if ratios[l.Name] == nil {
			names = append(names, l.Name)
		}
		ratios[l.Name] = append(ratios[l.Name], l.Ratio)
	}
	for _, name := range names {
		if len(ratios[name]) < leastForInterval {
			continue
		}
		center, lo, hi := Interval(ratios[name])
		if Wide(center, lo, hi) {
			noisy = append(noisy, Noise{name, lo, hi})
		}
	}
	return noisy
}

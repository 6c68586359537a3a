package regress

import (
	"math"
	"slices"

	"golang.org/x/perf/benchmath"
)

// Confidence of every interval.
const Confidence = 0.95

// ShownAlpha is the level below which a change is shown, as benchstat shows it. A
// gate needs more: see DefaultAlpha.
const ShownAlpha = 0.05

// A Summary is the centre of some values and its interval: the median, of exact
// values their most frequent one.
type Summary struct {
	N      int      `json:"n"`
	Center Number   `json:"center"`
	Lo     Number   `json:"lo"` // null: too few values for an interval
	Hi     Number   `json:"hi"`
	Values []Number `json:"values"` // in ascending order
}

// A Change is how new differs from old.
type Change struct {
	Ratio Number `json:"ratio"` // of the centres, new to old; null: old is 0
	Lo    Number `json:"lo"`    // its interval; null: none
	Hi    Number `json:"hi"`
	P     Number `json:"p"` // Mann-Whitney, two-sided; 0 of exact values, which have none
}

// summary has an interval of its values' centre.
func summary(values []float64, exact bool) *Summary {
	if len(values) == 0 {
		return nil
	}
	s := assumption(exact).Summary(sample(values), Confidence)
	sum := &Summary{N: len(values), Center: Number(s.Center), Lo: Number(s.Lo), Hi: Number(s.Hi)}
	for _, v := range slices.Sorted(slices.Values(values)) {
		sum.Values = append(sum.Values, Number(v))
	}
	return sum
}

func assumption(exact bool) benchmath.Assumption {
	if exact {
		return benchmath.AssumeExact
	}
	return benchmath.AssumeNothing
}

// sample copies values, which benchmath sorts.
func sample(values []float64) *benchmath.Sample {
	return benchmath.NewSample(slices.Clone(values), &benchmath.Thresholds{CompareAlpha: ShownAlpha})
}

// change compares old with new.
func change(old, new *Summary, exact bool) *Change {
	if old == nil || new == nil {
		return nil
	}
	c := &Change{Ratio: new.Center / old.Center, P: 1}
	if old.Center == new.Center {
		c.Ratio = 1 // 0/0 too
	}
	c.Lo, c.Hi = interval(old, new)
	if old.constant() && new.constant() && old.Center == new.Center {
		c.Lo, c.Hi = 1, 1
		if exact {
			c.P = 0
		}
		return c // of values that are all equal benchmath has no p
	}
	c.P = Number(assumption(exact).Compare(sample(old.floats()), sample(new.floats())).P)
	return c
}

// interval is that of the ratio of two centres: MOVER (Donner and Zou) on the
// logarithms of the two intervals, which need be neither symmetric nor normal.
func interval(old, new *Summary) (lo, hi Number) {
	o, n := math.Log(float64(old.Center)), math.Log(float64(new.Center))
	down := math.Hypot(n-math.Log(float64(new.Lo)), math.Log(float64(old.Hi))-o)
	up := math.Hypot(math.Log(float64(new.Hi))-n, o-math.Log(float64(old.Lo)))
	return Number(math.Exp(n - o - down)), Number(math.Exp(n - o + up))
}

func (s *Summary) floats() []float64 {
	values := make([]float64, len(s.Values))
	for i, v := range s.Values {
		values[i] = float64(v)
	}
	return values
}

// constant says whether all values are the same.
func (s *Summary) constant() bool { return s.min() == s.max() }

func (s *Summary) min() Number { return s.Values[0] }
func (s *Summary) max() Number { return s.Values[len(s.Values)-1] }

// smallestP is the least p that so many values can give: all of one file below all
// of the other, one arrangement of all there are, on either side.
func smallestP(old, new int) float64 {
	a, _ := math.Lgamma(float64(old + 1))
	b, _ := math.Lgamma(float64(new + 1))
	all, _ := math.Lgamma(float64(old + new + 1))
	return 2 * math.Exp(a+b-all)
}

// enough is how many values each file needs for a p below alpha.
func enough(alpha float64) int {
	n := 1
	for n < 1000 && smallestP(n, n) >= alpha {
		n++
	}
	return n
}

// geomean is exp of the mean logarithm; NaN unless all are positive.
func geomean(values []Number) Number {
	if len(values) == 0 {
		return Number(math.NaN())
	}
	sum := 0.0
	for _, v := range values {
		if !(v > 0) {
			return Number(math.NaN())
		}
		sum += math.Log(float64(v))
	}
	return Number(math.Exp(sum / float64(len(values))))
}

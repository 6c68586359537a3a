package regress

import (
	"fmt"
	"math"
)

// A Word is what a comparison comes to.
type Word string

// The words.
const (
	Held       Word = "held"        // not worse than allowed, and seen well enough to say so
	Improved   Word = "better"      // better, by more than chance
	Worse      Word = "worse"       // worse than allowed, by more than chance
	CannotTell Word = "cannot tell" // too few runs or too much noise
	Vanished   Word = "vanished"    // in old alone
	Appeared   Word = "appeared"    // in new alone
	Reported   Word = "not gated"   // shown, without a verdict
)

// Words lists them, what a reader has to know first.
func Words() []Word {
	return []Word{Worse, CannotTell, Vanished, Appeared, Improved, Held, Reported}
}

// DefaultAlpha is the chance of the whole gate to call something worse or better
// that is not. The gated comparisons that are sampled, have the runs they need and are
// not one value throughout share it in equal parts.
const DefaultAlpha = 0.01

// judge finds the word of a comparison, and why. alpha is its part of the gate's.
func (c *Comparison) judge(alpha float64, elsewhere bool) (Word, string) {
	switch {
	case c.New == nil:
		return Vanished, ""
	case c.Old == nil:
		return Appeared, ""
	case !c.Terms.Gate:
		return Reported, ""
	case min(c.Old.N, c.New.N) < c.Terms.Samples:
		return CannotTell, fmt.Sprintf("%s, want %d and more", c.runs(), c.Terms.Samples)
	case c.Terms.Exact:
		return c.judgeExact()
	case c.Terms.Better == Unknown:
		return CannotTell, "nothing says whether lower or higher is better: the thresholds file can"
	case c.Terms.raw && elsewhere:
		return CannotTell, "nothing says that old and new were measured on one machine: their cpu lines differ, or are missing"
	case c.unmoved():
		return Held, ""
	case smallestP(c.Old.N, c.New.N) >= alpha:
		return CannotTell, fmt.Sprintf("%s can give no p below this comparison's part of alpha, %.2g: want %d of each", c.runs(), alpha, enough(alpha))
	}
	return c.judgeSampled(alpha)
}

// judgeExact compares what is counted: any difference is one, unless the counts of
// one file vary so that they overlap the other's.
func (c *Comparison) judgeExact() (Word, string) {
	if c.unmoved() {
		return Held, ""
	}
	from, to := c.Old, c.New
	lower, higher := to.max() < from.min(), to.min() > from.max()
	worse, better := higher, lower
	switch c.Terms.Better {
	case Higher:
		worse, better = lower, higher
	case Unknown:
		worse, better = lower || higher, false
	}
	switch {
	case better:
		return Improved, ""
	case worse && c.within(c.apart()):
		return Held, ""
	case worse:
		return Worse, c.says()
	}
	return CannotTell, fmt.Sprintf("an exact value should not vary: old %s, new %s", spread(from), spread(to))
}

// judgeSampled compares medians.
func (c *Comparison) judgeSampled(alpha float64) (Word, string) {
	change, p := c.worsening(c.Change.Ratio), float64(c.Change.P)
	worst := c.worsening(c.Change.Hi)
	if c.Terms.Better == Higher {
		worst = c.worsening(c.Change.Lo)
	}
	allowed := c.within(change)
	switch {
	case p < alpha && !allowed:
		return Worse, c.says()
	case p < alpha && change < 0:
		return Improved, ""
	case p < ShownAlpha && !allowed:
		return CannotTell, fmt.Sprintf("it looks worse, but p=%.3g is not below this comparison's part of alpha, %.2g: more runs", p, alpha)
	case c.widest() <= c.Terms.Least:
		return Held, ""
	case !(worst <= max(c.Terms.Noise, c.Terms.Worse)): // NaN and infinity too
		return CannotTell, fmt.Sprintf("the noise could hide a change for the worse of %s, want at most %s: more runs, or a quieter machine", atMost(worst), share(max(c.Terms.Noise, c.Terms.Worse)))
	}
	return Held, ""
}

// worsening is a ratio as a change for the worse, a part of old: 0.05 is 5 % slower.
func (c *Comparison) worsening(ratio Number) float64 {
	if c.Terms.Better == Higher {
		return 1 - float64(ratio)
	}
	return float64(ratio) - 1
}

// apart is the worsening of a change that is known to be one for the worse: where
// nothing says which way that is, any.
func (c *Comparison) apart() float64 {
	return math.Abs(c.worsening(c.Change.Ratio))
}

// unmoved says whether all values of both files are the same.
func (c *Comparison) unmoved() bool {
	return c.Old.constant() && c.New.constant() && c.Old.Center == c.New.Center
}

// within says whether a change of the centres is allowed.
func (c *Comparison) within(change float64) bool {
	const rounding = 1e-12 // 101/100-1 is a little more than 1 %
	apart := float64(c.New.Center - c.Old.Center)
	return change <= c.Terms.Worse+rounding || max(apart, -apart) <= c.Terms.Least
}

// widest is the difference for the worse that the two intervals leave possible.
func (c *Comparison) widest() float64 {
	if c.Terms.Better == Higher {
		return float64(c.Old.Hi - c.New.Lo)
	}
	return float64(c.New.Hi - c.Old.Lo)
}

// says is how much worse, and what would be allowed.
func (c *Comparison) says() string {
	if !c.Change.Ratio.finite() {
		return fmt.Sprintf("from 0 to %v", float64(c.New.Center))
	}
	allowed := "nothing"
	if c.Terms.Worse > 0 {
		allowed = share(c.Terms.Worse)
	}
	return fmt.Sprintf("%s, allowed is %s", percent(c.Change.Ratio), allowed)
}

func (c *Comparison) runs() string {
	if c.Old.N == c.New.N {
		return fmt.Sprintf("n=%d", c.Old.N)
	}
	return fmt.Sprintf("n=%d+%d", c.Old.N, c.New.N)
}

func spread(s *Summary) string {
	if s.constant() {
		return fmt.Sprint(float64(s.Center))
	}
	return fmt.Sprintf("%v to %v", float64(s.min()), float64(s.max()))
}

func atMost(change float64) string {
	if !Number(change).finite() {
		return "any size"
	}
	return share(change)
}

package paired

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A Benchmark is variants of one thing, one of them the control of all others.
type Benchmark struct {
	Name     string // without Benchmark: Hit
	Doc      string // what an operation is, and what the control's is
	Variants []Variant
	// Slice is how long a slice of each is, where [DefaultSlice] is too short: another
	// process takes some time to be awake.
	Slice time.Duration
}

// A Variant is one way to do the thing.
type Variant struct {
	// Name is what follows the benchmark's: impl=statespec/sessions=64. The control
	// has the part impl=control.
	Name string
	// Most is the target: what is aimed at, by unit, which is [Ratio] as a rule. It
	// holds for units as Go's tools read them: sec/op, not ns/op.
	Most map[string]float64
	// SetUp makes what is measured. It may answer [Unavailable].
	SetUp func(context.Context) (*Body, error)
}

// Control says whether the variant is what the others are divided by.
func (v Variant) Control() bool {
	for part := range strings.SplitSeq(v.Name, "/") {
		if part == "impl=control" {
			return true
		}
	}
	return false
}

// AtMost is a target for the ratio to the control.
func AtMost(ratio float64) map[string]float64 { return map[string]float64{Ratio: ratio} }

// A Body is a variant that was set up.
type Body struct {
	// Run makes n operations. It keeps nothing per call, so that n calls of one are
	// one call of n.
	Run func(n int) error
	// Timed makes n operations and says how long they took, instead of Run: for what
	// is done elsewhere.
	Timed func(n int) (time.Duration, error)
	// Uncounted bodies allocate a number of times that is not theirs to say: other
	// processes and goroutines.
	Uncounted bool
	// Units are values that are not timed, by unit, asked after the last round: bytes
	// that are held and the like.
	Units func() (map[string]float64, error)
	Close func() error
}

// Unavailable is why a variant cannot be measured here. The others are.
type Unavailable struct{ Why string }

func (u Unavailable) Error() string { return u.Why }

// full is a variant's name in Go's benchmark format, without Benchmark.
func (b Benchmark) full(v Variant) string { return b.Name + "/" + v.Name }

// Chosen are the benchmarks one of whose variants a name matches, other variants but the
// control left out.
func Chosen(all []Benchmark, only *regexp.Regexp) (some []Benchmark) {
	for _, b := range all {
		named := func(v Variant) bool { return !v.Control() && only.MatchString(b.full(v)) }
		if !slices.ContainsFunc(b.Variants, named) {
			continue
		}
		b.Variants = slices.DeleteFunc(slices.Clone(b.Variants), func(v Variant) bool { return !v.Control() && !named(v) })
		some = append(some, b)
	}
	return some
}

// Check says what is wrong with a list of benchmarks.
func Check(list []Benchmark) error {
	seen := map[string]bool{}
	for _, b := range list {
		if b.Doc == "" || len(b.Variants) == 0 {
			return fmt.Errorf("benchmark %s: want a Doc and at least one variant", b.Name)
		}
		controls := 0
		for _, v := range b.Variants {
			switch name := b.full(v); {
			case strings.ContainsAny(name, " \t\n") || seen[name]:
				return fmt.Errorf("benchmark %s: want one such name, without space", name)
			case v.Control():
				controls++
			}
			seen[b.full(v)] = true
			if v.Most[Ratio] > 0 && !slices.ContainsFunc(b.Variants, Variant.Control) {
				return fmt.Errorf("benchmark %s: a ratio is aimed at, and there is no control", b.full(v))
			}
		}
		if controls > 1 {
			return fmt.Errorf("benchmark %s: %d controls, want one", b.Name, controls)
		}
	}
	return nil
}

package regress

import (
	"regexp"
	"strings"

	"golang.org/x/perf/benchunit"
)

// Thresholds are what a thresholds file says.
type Thresholds struct {
	Name  string
	Alpha float64 // 0: DefaultAlpha
	Rules []Rule
}

// A Rule changes the terms of some comparisons. What is nil it leaves as it is.
type Rule struct {
	Line      int    // of the file; 0: from the command line
	Unit      string // a glob; empty: any. A unit may be written as it is measured: ns/op
	Benchmark string // a glob; empty: any
	Better    *Better
	Gate      *bool
	Exact     *bool
	Worse     *float64
	Noise     *float64
	Least     *float64 // in the rule's unit
	Samples   *int
}

// GateRule gates a unit, as a rule of a file would.
func GateRule(unit string) Rule {
	yes := true
	return Rule{Unit: unit, Gate: &yes}
}

// matches says whether a rule is about a benchmark in a tidy unit.
func (r Rule) matches(unit, name string) bool {
	_, tidy := benchunit.Tidy(1, r.Unit)
	benchmark := strings.TrimPrefix(r.Benchmark, "Benchmark")
	return glob(tidy, unit) && (glob(benchmark, name) || glob(benchmark, shortName(name)))
}

// change is some terms as the rule has them.
func (r Rule) change(t Terms) Terms {
	if r.Exact != nil && *r.Exact != t.Exact {
		if *r.Exact {
			t = t.counted()
		} else {
			t = t.sampled()
		}
	}
	set(&t.Better, r.Better)
	set(&t.Gate, r.Gate)
	set(&t.Worse, r.Worse)
	set(&t.Noise, r.Noise)
	set(&t.Samples, r.Samples)
	if r.Least != nil {
		t.Least, _ = benchunit.Tidy(*r.Least, r.Unit)
	}
	return t
}

func set[T any](field *T, value *T) {
	if value != nil {
		*field = *value
	}
}

// glob matches a whole text: * is any text, slashes too, and ? one character. An
// empty pattern matches everything.
func glob(pattern, text string) bool {
	if pattern == "" {
		return true
	}
	re := regexp.QuoteMeta(pattern)
	re = strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(re)
	matched, err := regexp.MatchString(`^(?s:`+re+`)$`, text)
	return err == nil && matched
}

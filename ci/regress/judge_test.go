package regress_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/statespec/statespec/ci/regress"
)

// each writes a result a value.
func each(name, unit string, values ...float64) string {
	var b strings.Builder
	for _, v := range values {
		fmt.Fprintf(&b, "Benchmark%s 1 %v %s\n", name, v, unit)
	}
	return b.String()
}

// around are so many values that differ by a thousandth of their centre.
func around(n int, centre float64) []float64 {
	var all []float64
	for i := range n {
		all = append(all, centre*(1+0.001*float64(i-n/2)))
	}
	return all
}

func TestAComparisonComesToItsWord(t *testing.T) {
	for _, row := range []struct {
		name     string
		unit     string
		old, new []float64
		th       string
		word     regress.Word
		says     string // in the reason
		verdict  regress.Verdict
	}{
		{"a ratio that is worse", "ratio", around(10, 1), around(10, 1.1), "", regress.Worse, "+10.00%, allowed is 5%", regress.Regression},
		{"of six runs", "ratio", around(6, 1), around(6, 1.1), "", regress.Worse, "", regress.Regression},
		{"of five", "ratio", around(5, 1), around(5, 2), "", regress.CannotTell, "n=5, want 6 and more", regress.NoVerdict},
		{"of ten and five", "ratio", around(10, 1), around(5, 2), "", regress.CannotTell, "n=10+5, want 6 and more", regress.NoVerdict},
		{"worse than before, as allowed", "ratio", around(10, 1), around(10, 1.04), "", regress.Held, "", regress.AsExpected},
		{"better", "x/control", around(10, 1), around(10, 0.9), "", regress.Improved, "", regress.AsExpected},
		{"the same", "x/control", around(10, 1), around(10, 1), "", regress.Held, "", regress.AsExpected},
		{"all values equal", "ratio", []float64{1, 1, 1, 1, 1, 1}, []float64{1, 1, 1, 1, 1, 1}, "", regress.Held, "", regress.AsExpected},
		{"noise", "ratio", []float64{1, 2, 3, 4, 5, 6, 7, 8}, []float64{1, 2, 3, 4, 5, 6, 7, 9}, "", regress.CannotTell, "noise could hide", regress.NoVerdict},
		{"perhaps worse", "ratio", []float64{1, 1.01, 1.02, 1.03, 1.04, 1.2}, []float64{1.005, 1.14, 1.15, 1.16, 1.17, 1.21}, "alpha: 0.001", regress.CannotTell, "n=6 can give no p below", regress.NoVerdict},
		{"perhaps worse, of more", "ratio", []float64{1, 1.01, 1.02, 1.03, 1.04, 1.05, 1.06, 1.3}, []float64{1.015, 1.11, 1.12, 1.13, 1.14, 1.15, 1.16, 1.17}, "alpha: 0.001", regress.CannotTell, "it looks worse, but p=", regress.NoVerdict},

		{"a raw time", "ns/op", around(10, 1), around(10, 2), "", regress.Reported, "", regress.NoVerdict},
		{"a raw time that is gated", "ns/op", around(10, 1), around(10, 2), "rules: [{unit: ns/op, gate: true}]", regress.Worse, "+100.00%", regress.Regression},
		{"a rate that is gated", "MB/s", around(10, 10), around(10, 9), "rules: [{unit: MB/s, gate: true}]", regress.Worse, "-10.00%", regress.Regression},
		{"a better rate", "MB/s", around(10, 10), around(10, 11), "rules: [{unit: B/s, gate: true}]", regress.Improved, "", regress.AsExpected},
		{"a unit that nobody knows", "hit-ratio", around(10, 1), around(10, 2), "", regress.Reported, "", regress.NoVerdict},
		{"and that is gated all the same", "hit-ratio", around(10, 1), around(10, 2), "rules: [{unit: hit-ratio, gate: true}]", regress.CannotTell, "nothing says whether", regress.NoVerdict},
		{"and of which more is better", "hit-ratio", around(10, 1), around(10, 0.5), "rules: [{unit: hit-ratio, gate: true, better: higher}]", regress.Worse, "-50.00%", regress.Regression},

		{"an allocation more", "allocs/op", []float64{2}, []float64{3}, "", regress.Worse, "+50.00%, allowed is nothing", regress.Regression},
		{"the first allocation", "allocs/op", []float64{0, 0}, []float64{1, 1}, "", regress.Worse, "from 0 to 1", regress.Regression},
		{"an allocation less", "allocs/op", []float64{2}, []float64{1}, "", regress.Improved, "", regress.AsExpected},
		{"as many", "allocs/op", []float64{2}, []float64{2}, "", regress.Held, "", regress.AsExpected},
		{"as many in most runs", "allocs/op", []float64{2, 2, 2}, []float64{2, 2, 3}, "", regress.CannotTell, "an exact value should not vary: old 2, new 2 to 3", regress.NoVerdict},
		{"more in every run", "allocs/op", []float64{2, 2, 2}, []float64{3, 3, 4}, "", regress.Worse, "", regress.Regression},
		{"bytes held", "bytes-held", []float64{100}, []float64{101}, "", regress.Worse, "+1.00%", regress.Regression},
		{"bytes held, as allowed", "bytes-held", []float64{100}, []float64{101}, "rules: [{unit: bytes-held, worse: 1%}]", regress.Held, "", regress.AsExpected},
		{"a byte an operation", "B/op", []float64{0, 0, 0, 0, 0, 0, 0, 0}, []float64{0, 1, 1, 1, 1, 1, 1, 1}, "", regress.Held, "", regress.AsExpected},
		{"a hundred", "B/op", []float64{0, 0, 0, 0, 0, 0, 0, 0}, []float64{100, 100, 100, 100, 100, 100, 100, 100}, "", regress.Worse, "from 0 to 100", regress.Regression},
		{"one run of bytes", "B/op", []float64{8}, []float64{8}, "", regress.CannotTell, "n=1, want 6 and more", regress.NoVerdict},

		{"counted, and nothing says which way is better", "widgets", []float64{10}, []float64{5}, "rules: [{unit: widgets, exact: true}]", regress.Worse, "-50.00%, allowed is nothing", regress.Regression},
		{"the other way", "widgets", []float64{5}, []float64{10}, "rules: [{unit: widgets, exact: true}]", regress.Worse, "+100.00%", regress.Regression},
		{"either way, as allowed", "widgets", []float64{10}, []float64{9}, "rules: [{unit: widgets, exact: true, worse: 10%}]", regress.Held, "", regress.AsExpected},
		{"counted by a rule, which gates", "frames-held", []float64{2}, []float64{3}, "rules: [{unit: '*-held', exact: true, better: lower}]", regress.Worse, "", regress.Regression},
		{"counted by a rule, which does not", "frames-held", []float64{2}, []float64{3}, "rules: [{unit: '*-held', exact: true, gate: false}]", regress.Reported, "", regress.NoVerdict},
		{"bytes that a rule counts", "B/op", []float64{100}, []float64{116}, "rules: [{unit: B/op, exact: true}]", regress.Worse, "+16.00%, allowed is nothing", regress.Regression},
		{"more runs are wanted of what is counted", "allocs/op", []float64{2}, []float64{2}, "rules: [{unit: allocs/op, samples: 10}]", regress.CannotTell, "n=1, want 10", regress.NoVerdict},

		{"less is allowed", "ratio", around(10, 1), around(10, 1.04), "rules: [{benchmark: X, worse: 1%}]", regress.Worse, "allowed is 1%", regress.Regression},
		{"the last rule counts", "ratio", around(10, 1), around(10, 1.04), "rules: [{benchmark: X, worse: 1%}, {unit: rat*, worse: 10%}]", regress.Held, "", regress.AsExpected},
		{"a rule about another", "ratio", around(10, 1), around(10, 1.1), "rules: [{benchmark: Y, worse: 50%}]", regress.Worse, "", regress.Regression},
		{"more runs are wanted", "ratio", around(10, 1), around(10, 1), "rules: [{unit: ratio, samples: 20}]", regress.CannotTell, "n=10, want 20", regress.NoVerdict},
		{"gated no more", "ratio", around(10, 1), around(10, 2), "rules: [{unit: ratio, gate: false}]", regress.Reported, "", regress.NoVerdict},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := compared(t, "cpu: a\n"+each("X", row.unit, row.old...), "cpu: a\n"+each("X", row.unit, row.new...), row.th, false)
			c := r.Tables[0].Rows[0]
			if c.Word != row.word || !strings.Contains(c.Reason, row.says) || r.Verdict != row.verdict {
				t.Errorf("%s (%s), %s; want %s (%s), %s\n%s", c.Word, c.Reason, r.Verdict, row.word, row.says, row.verdict, r.Line)
			}
		})
	}
}

func TestAFileSaysWhichWayOfAUnitIsBetter(t *testing.T) {
	const unit = "Unit frames-kept better=higher assume=exact\n"
	r := compared(t, unit+each("X", "frames-kept", 4), each("X", "frames-kept", 3), "", false)
	if c := r.Tables[0].Rows[0]; c.Word != regress.Worse {
		t.Errorf("three frames of four kept = %s, want worse", c.Word)
	}
}

func TestAControlIsNotGated(t *testing.T) {
	old, new := each("X/impl=control", "allocs/op", 1), each("X/impl=control", "allocs/op", 2)
	if c := compared(t, old, new, "", false).Tables[0].Rows[0]; c.Word != regress.Reported {
		t.Errorf("a control = %s, want not gated", c.Word)
	}
	if c := compared(t, old, new, "rules: [{benchmark: X/*, gate: true}]", false).Tables[0].Rows[0]; c.Word != regress.Worse {
		t.Errorf("a control that a rule gates = %s, want worse", c.Word)
	}
}

func TestRawTimesOfTwoMachinesCannotBeTold(t *testing.T) {
	for unit, want := range map[string]regress.Word{"ns/op": regress.CannotTell, "ratio": regress.Worse} {
		r := compared(t, "cpu: a\n"+each("X", unit, around(10, 1)...), "cpu: b\n"+each("X", unit, around(10, 2)...), "rules: [{unit: ns/op, gate: true}]", false)
		if c := r.Tables[0].Rows[0]; c.Word != want {
			t.Errorf("%s of two machines = %s (%s), want %s", unit, c.Word, c.Reason, want)
		}
		if notes := strings.Join(r.Notes, "\n"); !strings.Contains(notes, `the results vary in cpu: "a", "b"`) {
			t.Errorf("notes = %q, want both machines", notes)
		}
		r = compared(t, each("X", unit, around(10, 1)...), each("X", unit, around(10, 2)...), "rules: [{unit: ns/op, gate: true}]", false)
		if c := r.Tables[0].Rows[0]; c.Word != want {
			t.Errorf("%s of who knows which machines = %s (%s), want %s", unit, c.Word, c.Reason, want)
		}
	}
}

// Benchmarks of one name are told apart by their groups, where there are several.
func TestWhereThereAreSeveralGroupsEachIsNamed(t *testing.T) {
	one := each("X", "allocs/op", 1)
	two := func(a, b string) string { return "pkg: a\n" + a + "pkg: b\n" + b }
	more := each("X", "allocs/op", 2)
	for name, c := range map[string]struct {
		r    *regress.Report
		want []string
	}{
		"two packages": {compared(t, two(one, one), two(one, more), "", false), []string{"X allocs/op (pkg: b)", "pkg: b"}},
		"none and one": {compared(t, one+"pkg: a\n"+one, more+"pkg: a\n"+one, "", false), []string{"X allocs/op (no pkg)", "no pkg"}},
		"one":          {compared(t, one, more, "", false), []string{"X allocs/op +100.00%"}},
	} {
		t.Run(name, func(t *testing.T) {
			if !strings.Contains(c.r.Line, c.want[0]) {
				t.Errorf("%q, want %q in it", c.r.Line, c.want[0])
			}
			var text, md, page bytes.Buffer
			if err := errors.Join(regress.WriteText(&text, c.r, false), regress.WriteMarkdown(&md, c.r), regress.WriteHTML(&page, c.r)); err != nil {
				t.Fatal(err)
			}
			if name := strings.TrimSuffix(c.want[0], " +100.00%"); !strings.Contains(page.String(), "</span>: "+name+":") {
				t.Errorf("the page tells of no %q:\n%s", name, &page)
			}
			for _, want := range c.want[1:] {
				if !strings.Contains(text.String(), "\n"+want+"\n") || !strings.Contains(md.String(), "X ("+want+") |") {
					t.Errorf("want a heading %q, and X with it in a row:\n%s\n%s", want, &text, &md)
				}
			}
		})
	}
}

// That memory is as it was says nothing of time.
func TestAUnitOfWhichNothingCanBeToldIsNoPass(t *testing.T) {
	allocs := each("A", "allocs/op", 1)
	few, many := each("A", "ratio", 1, 1), each("B", "ratio", around(10, 1)...)
	for _, row := range []struct {
		name     string
		old, new string
		strict   bool
		want     regress.Verdict
	}{
		{"allocations alone", allocs, allocs, false, regress.AsExpected},
		{"no ratio can be told", allocs + few, allocs + few, false, regress.NoVerdict},
		{"one of two can", few + many, few + many, false, regress.AsExpected},
		{"one of two can, strictly", few + many, few + many, true, regress.NoVerdict},
		{"all ratios vanished", allocs + many, allocs, false, regress.NoVerdict},
		{"one of two vanished", many + few, many, false, regress.AsExpected},
		{"one of two vanished, strictly", many + few, many, true, regress.NoVerdict},
		{"one appeared, strictly", many, many + few, true, regress.AsExpected},
		{"nothing in common", many, allocs, false, regress.NoVerdict},
		{"what is worse stays worse", allocs + few, each("A", "allocs/op", 2) + few, false, regress.Regression},
	} {
		t.Run(row.name, func(t *testing.T) {
			if r := compared(t, row.old, row.new, "", row.strict); r.Verdict != row.want {
				t.Errorf("%s, want %s", r.Line, row.want)
			}
		})
	}
}

// More comparisons share one alpha: of six runs none of many can be told.
func TestGatedComparisonsShareAlpha(t *testing.T) {
	var old, new string
	for i := range 20 {
		old += each(fmt.Sprintf("X%d", i), "ratio", around(6, 1)...)
		new += each(fmt.Sprintf("X%d", i), "ratio", around(6, 1.5)...)
	}
	for _, unmoved := range []string{each("Y", "ratio", 1, 1, 1, 1, 1, 1), each("Z", "ratio", 1, 2)} { // these cannot come out worse
		old, new = old+unmoved, new+unmoved
	}
	r := compared(t, old, new, "", false)
	if c := r.Tables[0].Rows[20]; c.Word != regress.Held {
		t.Errorf("six runs of one value throughout = %s, want held", c.Word)
	}
	if c := r.Tables[0].Rows[0]; r.Shared != 20 || c.Word != regress.CannotTell || !strings.Contains(c.Reason, "want 8 of each") {
		t.Errorf("one of 20 comparisons of six runs = %s (%s), want cannot tell, and 8 runs", c.Word, c.Reason)
	}
}

func TestTheFlagGatesNoControl(t *testing.T) {
	old, new := "", ""
	for name, slower := range map[string]float64{"X/impl=control": 2, "X/impl=statespec": 2} {
		old, new = old+"cpu: a\n"+each(name, "ns/op", around(10, 1)...), new+"cpu: a\n"+each(name, "ns/op", around(10, slower)...)
	}
	f, err := read(old, new)
	if err != nil {
		t.Fatal(err)
	}
	r, err := regress.Make(f, regress.Options{Thresholds: regress.Thresholds{Rules: []regress.Rule{regress.GateRule("ns/op")}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range r.Tables {
		for _, c := range table.Rows {
			want := map[bool]regress.Word{true: regress.Reported, false: regress.Worse}[strings.Contains(c.Benchmark, "control")]
			if table.Unit == "sec/op" && c.Word != want {
				t.Errorf("--gate ns/op: %s = %s, want %s", c.Benchmark, c.Word, want)
			}
		}
	}
}

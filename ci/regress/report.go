package regress

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Verdict is what the whole comes to.
type Verdict string

// The verdicts.
const (
	AsExpected Verdict = "as expected"
	Regression Verdict = "regression"
	NoVerdict  Verdict = "no verdict"
)

// A Report is two recordings compared. Every output is made from it alone.
type Report struct {
	Schema  int          `json:"schema"`
	Verdict Verdict      `json:"verdict"`
	Line    string       `json:"line"` // the verdict as a sentence
	Old     Source       `json:"old"`
	New     Source       `json:"new"`
	Alpha   float64      `json:"alpha"`  // of the whole gate
	Shared  int          `json:"shared"` // by so many comparisons
	Words   map[Word]int `json:"words"`  // how many comparisons
	Tables  []Table      `json:"tables"`
	Notes   []string     `json:"notes"` // doubts about the data
}

// Schema is the version of the report's JSON.
const Schema = 1

// A Source is a recording as the report names it.
type Source struct {
	Name    string `json:"name"`
	Results int    `json:"results"`
}

// A Table is the benchmarks of a group in one unit.
type Table struct {
	Group   string       `json:"group"`
	Unit    string       `json:"unit"`
	Rows    []Comparison `json:"rows"`
	Geomean Geomean      `json:"geomean"` // of the rows that both files have
}

// A Geomean sums a table up. What has no geometric mean is null.
type Geomean struct {
	Old   Number `json:"old"`
	New   Number `json:"new"`
	Ratio Number `json:"ratio"`
}

// A Comparison is one benchmark in one unit, old and new.
type Comparison struct {
	Benchmark string   `json:"benchmark"`
	Terms     Terms    `json:"terms"`
	Old       *Summary `json:"old"` // null: not in old
	New       *Summary `json:"new"`
	Change    *Change  `json:"change"`
	Word      Word     `json:"word"`
	Reason    string   `json:"reason,omitempty"`
}

// Options are what a report depends on beside the files.
type Options struct {
	Thresholds Thresholds
	Strict     bool // whatever cannot be told leaves the whole without a verdict
}

// Make compares two recordings.
func Make(f Files, o Options) (*Report, error) {
	tables, notes, err := grouped(f)
	if err != nil {
		return nil, err
	}
	r := &Report{Schema: Schema, Words: map[Word]int{}, Tables: []Table{},
		Old:   Source{f.Old.Name, len(f.Old.Results)},
		New:   Source{f.New.Name, len(f.New.Results)},
		Alpha: DefaultAlpha,
		Notes: slices.Concat([]string{}, f.Old.Notes, f.New.Notes, notes),
	}
	if o.Thresholds.Alpha > 0 {
		r.Alpha = o.Thresholds.Alpha
	}
	used := make([]bool, len(o.Thresholds.Rules))
	for _, t := range tables {
		made := Table{Group: t.group, Unit: t.unit}
		for _, p := range t.piles {
			terms := o.Thresholds.terms(f, t.unit, p.name, used)
			c := Comparison{Benchmark: p.name, Terms: terms, Old: summary(p.old, terms.Exact), New: summary(p.new, terms.Exact)}
			c.Change = change(c.Old, c.New, terms.Exact)
			made.Rows = append(made.Rows, c)
		}
		made.sum()
		r.Tables = append(r.Tables, made)
	}
	r.judge(tables)
	r.Notes = append(r.Notes, o.Thresholds.unused(used)...)
	r.conclude(o.Strict)
	slices.SortStableFunc(r.Tables, func(a, b Table) int { return b.rank() - a.rank() })
	return r, nil
}

// terms are those of a benchmark in a unit: the built-in ones, changed by what the
// files say of the unit, changed by each rule that matches, the last one last. A
// control is measured to be compared with; only a rule of a file gates it.
func (th Thresholds) terms(f Files, unit, name string, used []bool) Terms {
	t := unitTerms(unit).declared(unit, f.Units)
	if control(name) {
		t.Gate = false
	}
	for i, rule := range th.Rules {
		if rule.matches(unit, name) {
			used[i] = true
			if rule.Line == 0 && control(name) {
				continue
			}
			t = rule.change(t)
		}
	}
	return t
}

// unused names the rules that are about nothing: mistyped, or of what is gone.
func (th Thresholds) unused(used []bool) []string {
	var notes []string
	for i, rule := range th.Rules {
		switch {
		case used[i]:
		case rule.Line == 0:
			notes = append(notes, fmt.Sprintf("--gate %s: no benchmark has such a unit", rule.Unit))
		default:
			notes = append(notes, fmt.Sprintf("%s:%d: this rule is about no benchmark here", th.Name, rule.Line))
		}
	}
	return notes
}

// judge gives every comparison its word. Only what can come out worse or better has
// a part of alpha.
func (r *Report) judge(tables []*table) {
	for _, t := range r.Tables {
		for _, c := range t.Rows {
			if c.Terms.Gate && !c.Terms.Exact && c.Change != nil && !c.unmoved() && min(c.Old.N, c.New.N) >= c.Terms.Samples {
				r.Shared++
			}
		}
	}
	alpha := r.Alpha / float64(max(1, r.Shared))
	for i, t := range r.Tables {
		for k := range t.Rows {
			c, machines := &t.Rows[k], tables[i].piles[k].machines
			elsewhere := machines[0][""] || !maps.Equal(machines[0], machines[1])
			c.Word, c.Reason = c.judge(alpha, elsewhere)
			r.Words[c.Word]++
		}
	}
}

// sum fills in the geometric means.
func (t *Table) sum() {
	var olds, news, ratios []Number
	for _, c := range t.Rows {
		if c.Change != nil {
			olds, news, ratios = append(olds, c.Old.Center), append(news, c.New.Center), append(ratios, c.Change.Ratio)
		}
	}
	t.Geomean = Geomean{geomean(olds), geomean(news), geomean(ratios)}
}

// rank puts gated tables of a report before the others.
func (t Table) rank() int {
	if slices.ContainsFunc(t.Rows, func(c Comparison) bool { return c.Terms.Gate }) {
		return 1
	}
	return 0
}

// conclude finds the verdict. A unit that is gated and of which nothing could be
// told leaves the whole without one: that memory is as it was says nothing of time.
func (r *Report) conclude(strict bool) {
	gated, open := 0, 0
	told := map[string]bool{} // by unit that is gated
	var worse, openNames []string
	for _, t := range r.Tables {
		for _, c := range t.Rows {
			if !c.Terms.Gate || c.Word == Appeared {
				continue
			}
			gated++
			switch c.Word {
			case Worse:
				worse = append(worse, fmt.Sprintf("%s %s", r.name(&t, &c), percent(c.Change.Ratio)))
			case CannotTell, Vanished:
				open++
				openNames = append(openNames, r.name(&t, &c))
			}
			told[t.Unit] = told[t.Unit] || c.Word != CannotTell && c.Word != Vanished
		}
	}
	var untold []string
	for unit, any := range told {
		if !any {
			untold = append(untold, unit)
		}
	}
	slices.Sort(untold)
	tail := ""
	if open > 0 {
		tail = fmt.Sprintf("; %d cannot be told (%s)", open, some(openNames))
	}
	switch {
	case len(worse) > 0:
		r.Verdict, r.Line = Regression, fmt.Sprintf("regression: %d of %d gated comparisons worse (%s)%s", len(worse), gated, some(worse), tail)
	case gated == 0:
		r.Verdict, r.Line = NoVerdict, "no verdict: nothing that both files may have is gated; raw times gate only by --gate sec/op or a thresholds file"
	case len(untold) > 0:
		r.Verdict, r.Line = NoVerdict, fmt.Sprintf("no verdict: of %s nothing can be told%s", strings.Join(untold, ", "), tail)
	case strict && open > 0:
		r.Verdict, r.Line = NoVerdict, fmt.Sprintf("no verdict, strictly: %d of %d gated comparisons cannot be told (%s)", open, gated, some(openNames))
	default:
		r.Verdict, r.Line = AsExpected, fmt.Sprintf("as expected: none of %d gated comparisons worse%s", gated, tail)
	}
}

// of is " (pkg: a)" where a benchmark's name in a table's unit is that of another
// group's too.
func (r *Report) of(t *Table, c *Comparison) string {
	for _, other := range r.Tables {
		if other.Unit == t.Unit && other.Group != t.Group && slices.ContainsFunc(other.Rows, func(o Comparison) bool { return o.Benchmark == c.Benchmark }) {
			return " (" + t.heading() + ")"
		}
	}
	return ""
}

// name is a benchmark in a unit.
func (r *Report) name(t *Table, c *Comparison) string {
	return c.Benchmark + " " + t.Unit + r.of(t, c)
}

// heading names a table's group.
func (t *Table) heading() string { return cmp.Or(t.Group, "no pkg") }

// some names a few of many.
func some(names []string) string {
	const few = 4
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
}

package verdict

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statespec/statespec/spec/catalogue"
)

// Expectations is what a subject is known to break: those entries of an
// expectation file whose conditions hold for this run.
type Expectations struct {
	Suite   string        // version that the file was written for; empty: there is no file
	Entries []Expectation //
	Idle    []Unused      // entries whose conditions do not hold
}

// An Expectation says that a guarantee, or some of its cases, is known to be
// broken.
type Expectation struct {
	ID      string   // of a guarantee
	Cases   []string // names after the dot; nil: the whole guarantee; empty: its own row alone
	Outcome Word     // Broken, Crashed or Hung; empty: Broken
	Reason  string
	Link    string
}

// Unused is an expectation that a run says nothing about.
type Unused struct {
	ID     string `json:"id"`
	Reason string `json:"reason"`
}

// whole says whether the expectation is of a guarantee with all its cases, of
// which at least one has to be broken.
func (e Expectation) whole() bool { return e.Cases == nil }

// label names the expectation in a sentence.
func (e Expectation) label() string {
	switch {
	case len(e.Cases) == 1:
		return e.ID + "." + e.Cases[0]
	case len(e.Cases) > 1:
		return fmt.Sprintf("%s.{%s}", e.ID, strings.Join(e.Cases, ","))
	}
	return e.ID
}

func (e Expectation) outcome() Word {
	if e.Outcome == "" {
		return Broken
	}
	return e.Outcome
}

// covers says whether the expectation is about a row.
func (e Expectation) covers(v *Verdict) bool {
	row := catalogue.Row{ID: v.ID}
	if row.Guarantee() != e.ID {
		return false
	}
	if !row.IsCase() {
		return len(e.Cases) == 0
	}
	return e.whole() || slices.Contains(e.Cases, strings.TrimPrefix(v.ID, e.ID+"."))
}

// expectations are Expectations at work. They look at the words that specs gave,
// so that the order of entries does not matter.
type expectations Expectations

// apply changes the own words of rows, and returns the entries that say nothing
// about this run.
func (x expectations) apply(verdicts []Verdict) []Unused {
	var rows []*Verdict
	for i := range verdicts {
		rows = append(rows, &verdicts[i])
		for j := range verdicts[i].Cases {
			rows = append(rows, &verdicts[i].Cases[j])
		}
	}
	unused := slices.Clone(x.Idle)
	stale := map[*Verdict]Expectation{}
	for _, e := range x.Entries {
		held, why := e.against(rows)
		for _, v := range held {
			stale[v] = e
		}
		if why != "" {
			unused = append(unused, Unused{e.label(), why})
		}
	}
	for _, v := range rows {
		if e, ok := stale[v]; ok {
			v.Own, v.Reason, v.Link = Stale, fmt.Sprintf("expected to be %s (%s), held", e.outcome(), e.Reason), e.Link
		} else if v.Own.Failed() {
			x.excuse(v)
		}
	}
	return unused
}

// against returns the rows that make the expectation stale, and why it says
// nothing about this run, if it does not.
func (e Expectation) against(rows []*Verdict) (stale []*Verdict, unused string) {
	var covered, held []*Verdict
	failed, open := false, (*Verdict)(nil)
	for _, v := range rows {
		if !e.covers(v) {
			continue
		}
		covered = append(covered, v)
		switch {
		case v.Own == Held:
			held = append(held, v)
		case v.Own.Failed():
			failed = true
		case v.Own != Unclaimed && (v.Own != Deselected || !v.Selected):
			open = v // it may be the one that is broken
		}
	}
	switch {
	case len(covered) == 0:
		return nil, "not in this suite"
	case !e.whole() && len(held) > 0:
		return held, ""
	case failed:
		return nil, ""
	case open != nil:
		return nil, fmt.Sprintf("%s is %s", open.ID, open.Own)
	case len(held) > 0:
		return held[:1], "" // one row stands for the guarantee
	}
	return nil, fmt.Sprintf("%s: %s", covered[0].Own, covered[0].Reason)
}

// excuse makes a row known-broken or new, or says why the expectation of it does
// not cover what happened.
func (x expectations) excuse(v *Verdict) {
	for _, e := range x.Entries {
		switch {
		case !e.covers(v):
		case e.outcome() == v.Own:
			v.Own, v.Reason, v.Link = KnownBroken, e.Reason, e.Link
			return
		default:
			v.Reason = fmt.Sprintf("expected to be %s, %s", e.outcome(), v.Own)
		}
	}
	if x.Suite != "" && v.Reason == "" && !v.Row().AskedIn(x.Suite) {
		v.Own, v.Reason = New, fmt.Sprintf("%s, and newer than the expectations, which are of suite %s", v.Own, x.Suite)
	}
}

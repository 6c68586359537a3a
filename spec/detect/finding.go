package detect

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/statespec/statespec/spec/catalogue"
	"github.com/statespec/statespec/spec/faulty"
	"github.com/statespec/statespec/spec/verdict"
)

// Schema is the version of detection.json.
const Schema = 1

// A Detection is what the suite found of some faults: the content of
// detection.json.
type Detection struct {
	Schema     int          `json:"schema"`
	Suite      string       `json:"suite"`
	Seed       uint64       `json:"seed"`
	Faults     []Finding    `json:"faults"`
	Unproven   []string     `json:"unproven"`        // rows that are asked and that no fault broke
	Brief      bool         `json:"brief,omitempty"` // rows of several callers were asked only of the faults that break one
	Incomplete bool         `json:"incomplete"`      // interrupted: some faults were not asked
	Digest     string       `json:"digest"`          // SHA-256 of which fault broke which row: equal for equal matrices
	Seconds    float64      `json:"seconds"`         // that the whole took
	Exit       verdict.Exit `json:"exit"`
}

// A Finding is what the suite found of one fault. Lists of rows are in the
// catalogue's order.
type Finding struct {
	Name    string   `json:"name"`
	Met     string   `json:"met,omitempty"` // where a real implementation had it
	Breaks  []string `json:"breaks"`        // rows that it is there to break
	Follows []string `json:"follows"`       // rows that cannot hold beside it
	Broken  []string `json:"broken"`        // rows that came out broken, crashed or hung
	OK      bool     `json:"ok"`            // exactly those that it breaks and that follow are broken, and all was judged

	Missed     []string `json:"missed"`     // should be broken, and is not
	Unexpected []string `json:"unexpected"` // broken, and should not be
	Unjudged   []string `json:"unjudged"`   // got no verdict: the harness or the driver failed, or nothing ran

	Crashed    []string          `json:"crashed"`     // of the broken
	Hung       []string          `json:"hung"`        // of the broken
	CannotTell []string          `json:"cannot_tell"` // asked, and the answer decided nothing
	Why        map[string]string `json:"why"`         // of each unexpected or unjudged row: what its spec said
	Failures   []string          `json:"failures"`    // of the harness or of the subject, that belong to no row
	Seconds    float64           `json:"seconds"`     // that its specs took
}

// Judge is what a run on a faulty subject comes to.
func Judge(f faulty.Fault, r verdict.Results) Finding {
	out := Finding{Name: f.Name, Met: f.Met, Breaks: inOrder(f.Breaks), Follows: inOrder(f.Follows), Why: map[string]string{},
		Failures: slices.Clone(r.Faults)}
	if r.SubjectError != "" {
		out.Failures = append(out.Failures, r.SubjectError)
	}
	for _, v := range r.Rows() {
		if v.Own == verdict.Deselected {
			continue
		}
		for _, o := range v.Specs {
			out.Seconds += o.Seconds
		}
		out.count(v, slices.Contains(f.Rows(), v.ID))
	}
	out.OK = len(out.Missed)+len(out.Unexpected)+len(out.Unjudged)+len(out.Failures) == 0
	for _, list := range []*[]string{&out.Broken, &out.Missed, &out.Unexpected, &out.Unjudged, &out.Crashed, &out.Hung, &out.CannotTell, &out.Failures} {
		*list = append([]string{}, *list...) // an empty list is no null
	}
	return out
}

// count puts one row where it belongs.
func (f *Finding) count(v verdict.Verdict, due bool) {
	add := func(list *[]string) { *list = append(*list, v.ID) }
	switch {
	case v.Own.Failed():
		add(&f.Broken)
		if !due {
			add(&f.Unexpected)
			f.Why[v.ID] = said(v)
		}
	case v.Own == verdict.HarnessError || v.Own == verdict.DriverError || v.Own == verdict.NotRun:
		add(&f.Unjudged)
		f.Why[v.ID] = said(v)
	case due:
		add(&f.Missed)
	}
	switch v.Own {
	case verdict.Crashed:
		add(&f.Crashed)
	case verdict.Hung:
		add(&f.Hung)
	case verdict.CannotTell:
		add(&f.CannotTell)
	}
}

// undecided says whether a row that should be broken cannot be told.
func (f Finding) undecided() bool {
	return slices.ContainsFunc(f.Missed, func(id string) bool { return slices.Contains(f.CannotTell, id) })
}

// said is what the first spec of a row that did not hold said.
func said(v verdict.Verdict) string {
	for _, o := range v.Specs {
		if o.Outcome != verdict.Held {
			return fmt.Sprintf("%s, %s (%s): %s", o.Outcome, o.Spec, o.Location, o.Message)
		}
	}
	return v.Reason
}

// inOrder sorts IDs as the catalogue has them.
func inOrder(ids []string) []string {
	out := []string{}
	for _, r := range catalogue.All() {
		if slices.Contains(ids, r.ID) {
			out = append(out, r.ID)
		}
	}
	return out
}

// Unproven lists those of some rows that are asked, and that no fault which is
// there to break them broke: nothing shows that their specs can fail.
func Unproven(rows []catalogue.Row, found []Finding) []string {
	unproven := []string{}
	for _, r := range rows {
		proof := func(f Finding) bool { return slices.Contains(f.Breaks, r.ID) && slices.Contains(f.Broken, r.ID) }
		if r.AskedIn(catalogue.Suite) && !slices.ContainsFunc(found, proof) {
			unproven = append(unproven, r.ID)
		}
	}
	return unproven
}

// digest tells two matrices apart.
func digest(found []Finding) string {
	h := sha256.New()
	for _, f := range found {
		fmt.Fprintf(h, "%s: %s\n", f.Name, strings.Join(f.Broken, " "))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Inexact lists the faults of which the suite found too much or too little.
func (d Detection) Inexact() []Finding {
	return slices.DeleteFunc(slices.Clone(d.Faults), func(f Finding) bool { return f.OK })
}

// exit is the code that the command ends with.
func (d Detection) exit() verdict.Exit {
	worst := verdict.AsExpected
	if len(d.Unproven) > 0 || len(d.Inexact()) > 0 {
		worst = verdict.Failure
	}
	for _, f := range d.Faults {
		if len(f.Unjudged)+len(f.Failures) > 0 {
			worst = verdict.OwnFault
		}
	}
	if d.Incomplete {
		worst = verdict.Interrupted
	}
	return worst
}

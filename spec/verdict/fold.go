package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/catalogue"
)

// Fold turns what a run knows into its results. It never fails: what does not
// fit together is a harness error in the results.
//
// A row's word is the worst of its specs'. A row that was selected and is asked
// by this suite, and of which a spec is missing, is never held: it is unclaimed
// where the subject does not claim it, else a driver error, not-run or a harness
// error, as the run ended.
func Fold(in Input) Results {
	if in.Selected == nil {
		in.Selected = func(catalogue.Row) bool { return true }
	}
	outcomes, faults := sortOutcomes(in)
	r := Results{
		Schema: Schema, Suite: in.SuiteVersion, Subject: subjectOf(in.Subject), SubjectError: in.NoSubject,
		Environment: in.Environment, Seed: in.Seed, Device: cmp.Or(in.Device, "cpu"), Selection: in.Selection, Shard: in.Shard, Incomplete: in.Interrupted,
		Verdicts: []Verdict{}, Unused: []Unused{}, Faults: append(slices.Clone(in.Faults), faults...),
	}
	if r.Faults == nil {
		r.Faults = []string{}
	}
	for _, row := range in.Rows {
		v := foldRow(in, row, outcomes[row.ID])
		if last := len(r.Verdicts) - 1; row.IsCase() && last >= 0 && r.Verdicts[last].ID == row.Guarantee() {
			r.Verdicts[last].Cases = append(r.Verdicts[last].Cases, v)
			continue
		}
		r.Verdicts = append(r.Verdicts, v)
	}
	r.Unused = append(r.Unused, expectations(in.Expectations).apply(r.Verdicts)...)
	for i := range r.Verdicts {
		foldGuarantee(&r.Verdicts[i])
	}
	r.Summary = r.Summarise(in.Policy)
	return r
}

// sortOutcomes groups outcomes by row. Those that belong to no row of this run
// are faults: an answer that nobody asked for is no verdict on anything.
func sortOutcomes(in Input) (byRow map[string][]Outcome, faults []string) {
	asked := map[string]bool{}
	for _, row := range in.Rows {
		asked[row.ID] = in.Selected(row) && row.AskedIn(in.SuiteVersion)
	}
	byRow = map[string][]Outcome{}
	for _, o := range in.Outcomes {
		ask, known := asked[o.Row]
		switch {
		case o.Outcome == Deselected: // a spec that was passed over answers nothing
		case !known:
			faults = append(faults, fmt.Sprintf("spec %q reported for row %q, want an ID of the catalogue", o.Spec, o.Row))
		case !ask:
			faults = append(faults, fmt.Sprintf("spec %q reported for row %s, which this run did not ask", o.Spec, o.Row))
		default:
			byRow[o.Row] = append(byRow[o.Row], legal(o))
		}
	}
	return byRow, faults
}

// legal makes a harness error of an outcome that no spec can have.
func legal(o Outcome) Outcome {
	if !slices.Contains(SpecWords(), o.Outcome) {
		o.Message = strings.TrimSuffix(fmt.Sprintf("outcome %q, want one of %v: %s", o.Outcome, SpecWords(), o.Message), ": ")
		o.Outcome = HarnessError
	}
	return o
}

func foldRow(in Input, row catalogue.Row, specs []Outcome) Verdict {
	v := Verdict{ID: row.ID, Level: row.Level, Statement: row.Statement, Why: row.Why, Source: row.Source,
		Layer: row.Layer, Needs: row.Needs, Since: row.Since, AskedFrom: row.Asked,
		Selected: in.Selected(row), Specs: append([]Outcome{}, specs...)}
	switch {
	case !v.Selected:
		v.Own, v.Reason = Deselected, "not selected"
		return v
	case !row.AskedIn(in.SuiteVersion):
		v.Own, v.Reason = Deselected, "asked from suite "+cmp.Or(row.Asked, row.Since)
		return v
	}
	var words []Word
	for _, o := range specs {
		words = append(words, o.Outcome)
		if o.Outcome == Held {
			v.Held++
		}
	}
	v.Of = max(len(specs), in.Specs[row.ID], 1)
	absent, reason := missing(in, row, len(specs), v.Of)
	if len(specs) < v.Of {
		words = append(words, absent)
	}
	v.Own = Worst(words...)
	v.Reason = ownReason(v, row, in.Subject)
	if v.Reason == "" && len(specs) < v.Of && v.Own == absent {
		v.Reason = reason
	}
	return v
}

// missing is what the specs of a row are that did not report, and why.
func missing(in Input, row catalogue.Row, reported, of int) (Word, string) {
	switch lacks := unclaimed(in.Subject, row); {
	case lacks != "":
		return Unclaimed, lacks
	case in.NoSubject != "":
		return DriverError, in.NoSubject
	case in.Interrupted:
		return NotRun, "the run was interrupted"
	case reported == 0:
		return HarnessError, "no spec reported"
	}
	return HarnessError, fmt.Sprintf("%d of %d specs reported", reported, of)
}

// ownReason is why a row is unclaimed, in part or whole, or cannot be told, in
// the words of its specs.
func ownReason(v Verdict, row catalogue.Row, subject *spec.Hello) string {
	word := v.Own
	if word == Held {
		word = Unclaimed
	}
	if word != Unclaimed && word != CannotTell {
		return ""
	}
	i := slices.IndexFunc(v.Specs, func(o Outcome) bool { return o.Outcome == word })
	if i < 0 {
		return ""
	}
	return cmp.Or(v.Specs[i].Message, unclaimed(subject, row))
}

// unclaimed is what a subject does not claim of what a row is asked of; empty
// when it claims all, or never said what it claims.
func unclaimed(subject *spec.Hello, row catalogue.Row) string {
	if subject == nil {
		return ""
	}
	return row.Unclaimed(*subject)
}

// foldGuarantee sets the guarantee's word, and counts its cases.
func foldGuarantee(v *Verdict) {
	words := []Word{v.Own}
	if len(v.Cases) > 0 {
		v.Held, v.Of = 0, len(v.Cases)
	}
	for i := range v.Cases {
		c := &v.Cases[i]
		c.Verdict = c.Own
		words = append(words, c.Own)
		if c.Own == Held {
			v.Held++
		}
	}
	v.Verdict = Worst(words...)
}

func subjectOf(h *spec.Hello) Subject {
	if h == nil {
		h = &spec.Hello{}
	}
	return Subject{Name: h.Name, Implementation: h.Implementation, Version: h.Version, Language: h.Language,
		Layers: append([]spec.Layer{}, h.Layers...), Devices: append([]string{}, h.Devices...),
		Can: append([]spec.Capability{}, h.Can...)}
}

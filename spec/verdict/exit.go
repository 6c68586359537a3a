package verdict

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statespec/statespec/spec/catalogue"
)

// Exit is a process's exit code.
type Exit int

// The exit codes.
const (
	AsExpected  Exit = 0
	Failure     Exit = 1   // a claimed MUST or OPT broken, crashed or hung; an expectation stale
	Unusable    Exit = 2   // usage, an unreadable input, nothing selected
	NoVerdict   Exit = 3   // the subject could not be run
	OwnFault    Exit = 4   // a fault of the harness
	Interrupted Exit = 130 // with what there is marked incomplete
)

// Exits lists the codes by precedence. Where several apply, the first says what
// the reader has to know before the others mean anything: an interrupted run is
// not all of it; a harness with a fault may be wrong about the rest; a broken
// promise was seen and stays broken, whatever else could not be asked; and
// nothing was selected only if nothing else happened.
func Exits() []Exit { return []Exit{Interrupted, OwnFault, Failure, NoVerdict, Unusable, AsExpected} }

// A Policy says what fails a run beyond broken promises.
type Policy struct {
	Strict  bool                       // a broken SHOULD fails too
	Require func(r catalogue.Row) bool // an unclaimed row that it matches fails; nil: none
}

// Exit is the exit code of a run under a policy.
func (r Results) Exit(p Policy) Exit {
	complaints := r.complaints(p)
	for _, e := range Exits() {
		if slices.ContainsFunc(complaints, func(c complaint) bool { return c.exit == e }) {
			return e
		}
	}
	return AsExpected
}

// Reasons says why Exit is not 0, a phrase each, in the order of Exits.
func (r Results) Reasons(p Policy) []string {
	reasons := []string{}
	for _, c := range r.complaints(p) {
		reasons = append(reasons, c.phrase)
	}
	return reasons
}

// A complaint is one reason for an exit code.
type complaint struct {
	exit   Exit
	phrase string
}

// complaints lists all of them, in the order of Exits.
func (r Results) complaints(p Policy) []complaint {
	var all []complaint
	add := func(exit Exit, phrases ...string) {
		for _, phrase := range phrases {
			all = append(all, complaint{exit, phrase})
		}
	}
	rows := r.Rows()
	if r.Incomplete {
		add(Interrupted, fmt.Sprintf("%d of %d selected rows not run", len(wordRows(rows, NotRun)), len(selectedRows(rows))))
	}
	add(OwnFault, count(wordRows(rows, HarnessError), "row failed in the harness", "rows failed in the harness")...)
	if n := len(r.Faults); n > 0 {
		add(OwnFault, fmt.Sprintf("%s of the harness: %s", plural(n, "fault"), firstLine(r.Faults[0])))
	}
	for _, level := range failing(p) {
		add(Failure, failures(rows, level)...)
	}
	add(Failure, count(wordRows(rows, Stale), "expectation stale", "expectations stale")...)
	add(Failure, count(requiredRows(rows, p), "required row unclaimed", "required rows unclaimed")...)
	if lost := wordRows(rows, DriverError); len(lost) > 0 && r.SubjectError != "" {
		add(NoVerdict, fmt.Sprintf("the subject could not be run: %s", firstLine(r.SubjectError)))
	}
	add(NoVerdict, count(wordRows(rows, DriverError), "row without a subject that answers", "rows without a subject that answers")...)
	if r.Shard.Whole() { // a shard may have nothing to ask: the whole may not
		all = append(all, emptiness(selectedRows(rows))...)
	}
	return all
}

// failing lists the levels of which a failed row fails the run.
func failing(p Policy) []catalogue.Level {
	if p.Strict {
		return []catalogue.Level{catalogue.Must, catalogue.Opt, catalogue.Should}
	}
	return []catalogue.Level{catalogue.Must, catalogue.Opt}
}

// failures phrases the failed rows of a level: "2 MUST broken (EVI-02, ACC-11)".
func failures(rows []Verdict, level catalogue.Level) []string {
	ofLevel := filter(rows, func(v Verdict) bool { return v.Level == level })
	var phrases []string
	for _, w := range []Word{Broken, Crashed, Hung} {
		phrase := fmt.Sprintf("%s %s", level, w)
		phrases = append(phrases, count(wordRows(ofLevel, w), phrase, phrase)...)
	}
	return phrases
}

// emptiness says that nothing was asked, or no MUST though some were selected,
// or that nothing asked came to a verdict.
func emptiness(selected []Verdict) []complaint {
	if len(selected) == 0 {
		return []complaint{{Unusable, "no row is in the selection"}}
	}
	binding, what := filter(selected, func(v Verdict) bool { return v.Level == catalogue.Must }), "MUST"
	if len(binding) == 0 {
		binding, what = selected, "row"
	}
	tried := filter(binding, func(v Verdict) bool { return v.Own != Unclaimed && v.Own != Deselected })
	switch {
	case len(tried) == 0:
		return []complaint{{Unusable, fmt.Sprintf("no %s was asked", what)}}
	case len(tried) == len(wordRows(tried, CannotTell)):
		return []complaint{{NoVerdict, fmt.Sprintf("no %s that was asked can be told", what)}}
	}
	return nil
}

func requiredRows(rows []Verdict, p Policy) []Verdict {
	return filter(rows, func(v Verdict) bool { return p.Require != nil && v.Own == Unclaimed && p.Require(v.Row()) })
}

func selectedRows(rows []Verdict) []Verdict {
	return filter(rows, func(v Verdict) bool { return v.Selected })
}

func wordRows(rows []Verdict, w Word) []Verdict {
	return filter(rows, func(v Verdict) bool { return v.Own == w })
}

func filter(rows []Verdict, keep func(Verdict) bool) []Verdict {
	var kept []Verdict
	for _, v := range rows {
		if keep(v) {
			kept = append(kept, v)
		}
	}
	return kept
}

// count phrases some rows with their IDs; no rows are no phrase.
func count(rows []Verdict, one, many string) []string {
	const named = 6
	if len(rows) == 0 {
		return nil
	}
	var ids []string
	for _, v := range rows[:min(len(rows), named)] {
		ids = append(ids, v.ID)
	}
	list, what := strings.Join(ids, ", "), many
	if len(rows) == 1 {
		what = one
	}
	if more := len(rows) - named; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return []string{fmt.Sprintf("%d %s (%s)", len(rows), what, list)}
}

func plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

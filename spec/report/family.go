package report

import (
	"slices"

	"github.com/statespec/statespec/spec/catalogue"
	"github.com/statespec/statespec/spec/verdict"
)

// A family is the rows of one family, in the order of the results.
type family struct {
	code  string // "ACC"
	title string // "byte accounting"; empty for a family of another suite
	rows  []verdict.Verdict
}

// familiesOf groups the rows of results.
func familiesOf(r verdict.Results) []family {
	var all []family
	for _, row := range r.Rows() {
		code := row.Row().Family()
		i := slices.IndexFunc(all, func(f family) bool { return f.code == code })
		if i < 0 {
			i = len(all)
			all = append(all, family{code: code, title: titleOf(code)})
		}
		all[i].rows = append(all[i].rows, row)
	}
	return all
}

func titleOf(code string) string {
	for _, f := range catalogue.Families() {
		if f.Code == code {
			return f.Title
		}
	}
	return ""
}

func (f family) count(w verdict.Word) int {
	n := 0
	for _, row := range f.rows {
		if row.Own == w {
			n++
		}
	}
	return n
}

// inOrder lists the words in the order in which a person wants to read of them:
// what the subject did wrong, what could not be found out, what is known.
func inOrder() []verdict.Word {
	return []verdict.Word{verdict.Broken, verdict.Crashed, verdict.Hung, verdict.Stale, verdict.HarnessError, verdict.DriverError,
		verdict.NotRun, verdict.CannotTell, verdict.New, verdict.KnownBroken, verdict.Unclaimed, verdict.Deselected}
}

// columns lists the words that a table of counts needs: held, then those that
// occur.
func columns(r verdict.Results) []verdict.Word {
	words := []verdict.Word{verdict.Held}
	for _, w := range inOrder() {
		if r.Summary.Words[w] > 0 {
			words = append(words, w)
		}
	}
	return words
}

// A group is rows with one word and one reason.
type group struct {
	reason string
	rows   []verdict.Verdict
}

// groupsOf groups the rows of a word by their reason, in the order of the
// results.
func groupsOf(r verdict.Results, w verdict.Word) []group {
	var all []group
	for _, row := range r.Rows() {
		if row.Own != w {
			continue
		}
		i := slices.IndexFunc(all, func(g group) bool { return g.reason == row.Reason })
		if i < 0 {
			i = len(all)
			all = append(all, group{reason: row.Reason})
		}
		all[i].rows = append(all[i].rows, row)
	}
	return all
}

func (g group) ids() []string {
	var ids []string
	for _, row := range g.rows {
		ids = append(ids, row.ID)
	}
	return ids
}

// told lists the rows that a person has to read one by one: by word, what binds
// before what should be. Unclaimed and deselected rows, and those not run, are
// told in groups, held ones by their number.
func told(r verdict.Results) []verdict.Verdict {
	var rows []verdict.Verdict
	for _, w := range inOrder() {
		if w == verdict.NotRun || w == verdict.Unclaimed || w == verdict.Deselected {
			continue
		}
		for _, level := range []catalogue.Level{catalogue.Must, catalogue.Opt, catalogue.Should} {
			for _, row := range r.Rows() {
				if row.Own == w && row.Level == level {
					rows = append(rows, row)
				}
			}
		}
	}
	return rows
}

// reasonOf is a row's reason, where its specs do not say the same.
func reasonOf(row verdict.Verdict) string {
	if slices.ContainsFunc(row.Telling(), func(o verdict.Outcome) bool { return o.Message == row.Reason }) {
		return ""
	}
	return Printable(row.Reason)
}

// tellingOf lists the specs that say why a row did not hold. Those of a stale row
// held: there is nothing to tell.
func tellingOf(row verdict.Verdict) []verdict.Outcome {
	if row.Own == verdict.Stale {
		return nil
	}
	return row.Telling()
}

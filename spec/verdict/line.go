package verdict

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/catalogue"
)

// Line is the verdict in one line:
//
//	conforms: manager, adapter; pipeline, config-loader not claimed
//	does not conform: 2 MUST broken (EVI-02, ACC-11); pipeline not claimed
//	nothing selected: no MUST was asked
//
// Only a run of the whole catalogue can say that a subject conforms. Part of it
// says so of what was asked.
func (r Results) Line(p Policy) string {
	exit, rows, layers := r.Exit(p), r.Rows(), r.layers()
	parts := r.Reasons(p)
	head := r.head(p, exit)
	if exit == AsExpected && len(layers.Reached) > 0 && !excused(rows) {
		parts = append(parts, layerList(layers.Reached))
	}
	parts = append(parts, failuresAs(rows, KnownBroken)...)
	parts = append(parts, failuresAs(rows, New)...)
	if !p.Strict {
		parts = append(parts, failures(rows, catalogue.Should)...)
	}
	parts = append(parts, count(evaded(rows, r.Subject.Layers), "MUST unclaimed", "MUST unclaimed")...)
	parts = append(parts, count(wordRows(rows, CannotTell), "row cannot be told", "rows cannot be told")...)
	if len(layers.NotClaimed) > 0 && len(r.Subject.Layers) > 0 {
		parts = append(parts, layerList(layers.NotClaimed)+" not claimed")
	}
	if len(layers.NotAsked) > 0 && r.Selection == "" && r.Shard.Whole() && !r.Incomplete {
		parts = append(parts, layerList(layers.NotAsked)+" claimed, not asked")
	}
	if len(parts) == 0 {
		parts = []string{"nothing to ask"} // of an empty shard
	}
	return head + ": " + strings.Join(parts, "; ")
}

// evaded lists the MUST rows of claimed layers that nothing was asked of: a
// subject that conforms in the rest has not shown these.
func evaded(rows []Verdict, claimed []spec.Layer) []Verdict {
	return filter(rows, func(v Verdict) bool {
		return v.Own == Unclaimed && v.Level == catalogue.Must && slices.Contains(claimed, v.Layer)
	})
}

// head is what comes before the colon.
func (r Results) head(p Policy, exit Exit) string {
	where := ""
	if r.Device != "cpu" && r.Device != "" {
		where = "on " + r.Device + " "
	}
	if !r.Shard.Whole() {
		where += fmt.Sprintf("shard %s ", r.Shard)
	}
	rows := r.Rows()
	broken := slices.ContainsFunc(rows, func(v Verdict) bool { return v.Own.Failed() && slices.Contains(failing(p), v.Level) })
	switch {
	case exit == Interrupted:
		return where + "interrupted"
	case exit == OwnFault || exit == NoVerdict:
		return where + "no verdict"
	case exit == Unusable:
		return where + "nothing selected"
	case exit == Failure && broken:
		return where + "does not conform"
	case exit == Failure:
		return where + "not as expected"
	case excused(rows):
		return where + "does not conform, as expected"
	case r.Selection != "" || !r.Shard.Whole():
		return where + "conforms in what was asked"
	}
	return where + "conforms"
}

// excused says whether a MUST or an OPT failed that the expectation file excuses:
// the run is as expected, and yet the subject does not conform.
func excused(rows []Verdict) bool {
	return slices.ContainsFunc(rows, func(v Verdict) bool {
		return (v.Own == KnownBroken || v.Own == New) && v.Level != catalogue.Should
	})
}

// failuresAs phrases the rows that failed and that an expectation file excuses,
// by level: "1 MUST known-broken (ACC-11)".
func failuresAs(rows []Verdict, w Word) []string {
	var phrases []string
	for _, level := range []catalogue.Level{catalogue.Must, catalogue.Opt, catalogue.Should} {
		phrase := fmt.Sprintf("%s %s", level, w)
		phrases = append(phrases, count(filter(wordRows(rows, w), func(v Verdict) bool { return v.Level == level }), phrase, phrase)...)
	}
	return phrases
}

func layerList(layers []spec.Layer) string {
	var names []string
	for _, l := range layers {
		names = append(names, string(l))
	}
	return strings.Join(names, ", ")
}

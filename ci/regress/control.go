package regress

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// ratioUnit is the unit of a benchmark's time divided by its control's.
const ratioUnit = "x/control"

// isControl is the part of a name that says that a benchmark is a control.
const isControl = "/impl=control"

// A side is a benchmark of one file, by its group and its name.
type side struct{ group, name string }

func sideOf(r *benchfmt.Result) side {
	var group []string
	for _, key := range strings.Split(groupBy, ",") {
		group = append(group, r.GetConfig(key))
	}
	return side{strings.Join(group, "\n"), string(r.Name)}
}

// addRatios gives each result that has a control its ratio to it, run by run in the
// order of the file: a machine that is slow for a while is slow for both.
func (rec *Recording) addRatios() {
	runs := map[side][]*benchfmt.Result{}
	var order, controls []side
	for _, r := range rec.Results {
		s := sideOf(r)
		if runs[s] == nil {
			order = append(order, s)
			if control(s.name) {
				controls = append(controls, s)
			}
		}
		runs[s] = append(runs[s], r)
	}
	for _, s := range order {
		of, ok := controlOf(s, controls)
		if !ok {
			continue
		}
		mine, control := runs[s], runs[of]
		if _, has := mine[0].Value(ratioUnit); has { // it measured the ratio itself
			continue
		}
		if len(mine) != len(control) {
			rec.Notes = append(rec.Notes, fmt.Sprintf("%s: %d runs of %s and %d of its control %s make no pairs: no ratio", rec.Name, len(mine), s.name, len(control), of.name))
			continue
		}
		for i, r := range mine {
			a, okA := r.Value("sec/op")
			b, okB := control[i].Value("sec/op")
			if okA && okB && a > 0 && b > 0 {
				r.Values = append(r.Values, benchfmt.Value{Value: a / b, Unit: ratioUnit})
			}
		}
	}
}

// controlOf is the control of a benchmark: one of the same group and base name
// all of whose other parts the benchmark has too. Of several it is the one that has
// most in common.
func controlOf(s side, controls []side) (side, bool) {
	base, parts := split(s.name)
	if slices.Contains(parts, isControl) {
		return side{}, false
	}
	best, most := side{}, -1
	for _, c := range controls {
		cBase, cParts := split(c.name)
		if c.group != s.group || cBase != base {
			continue
		}
		common, apart := 0, false
		for _, p := range cParts {
			switch {
			case p == isControl:
			case slices.Contains(parts, p):
				common++
			default:
				apart = true
			}
		}
		if !apart && common > most {
			best, most = c, common
		}
	}
	return best, most >= 0
}

// split takes a name apart: base, and parts with what separates them.
func split(name string) (base string, parts []string) {
	b, ps := benchfmt.Name(name).Parts()
	for _, p := range ps {
		parts = append(parts, string(p))
	}
	return string(b), parts
}

// control says whether a benchmark is one.
func control(name string) bool {
	_, parts := split(name)
	return slices.Contains(parts, isControl)
}

// shortName is a name without the number of processors at its end.
func shortName(name string) string {
	_, parts := split(name)
	if n := len(parts); n > 0 && strings.HasPrefix(parts[n-1], "-") {
		return strings.TrimSuffix(name, parts[n-1])
	}
	return name
}

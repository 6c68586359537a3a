package regress

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"
)

// groupBy are the keys of a file by which benchmarks are groups. Others, such as a
// version or a processor, may differ between old and new: they are noted.
const groupBy = "pkg,subject"

// A pile is the values of one benchmark in one unit.
type pile struct {
	name string
	old  []float64
	new  []float64
	// machines are those of each file: raw values of two machines are no pair, and of
	// what says no machine, "", nobody knows.
	machines [2]map[string]bool
}

// A table is the piles of a group in a unit.
type table struct {
	group string
	unit  string
	piles []*pile
}

// grouped puts the values of two recordings into tables, and says in what the
// results of one table vary. Tables and piles have the order in which they were
// first seen.
func grouped(f Files) (tables []*table, notes []string, err error) {
	all, err := benchproc.NewFilter("*")
	if err != nil {
		return nil, nil, err
	}
	var parser benchproc.ProjectionParser
	groups, unit, err := parser.ParseWithUnit(groupBy, all)
	if err != nil {
		return nil, nil, err
	}
	names, err := parser.Parse(".fullname", all)
	if err != nil {
		return nil, nil, err
	}
	rest := parser.Residue()
	residue := map[benchproc.Key]bool{}
	byKey := map[benchproc.Key]*table{}
	type cell struct{ table, name benchproc.Key }
	cells := map[cell]*pile{}
	for side, rec := range []Recording{f.Old, f.New} {
		for _, r := range rec.Results {
			residue[rest.Project(r)] = true
			name := names.Project(r)
			for i, key := range groups.ProjectValues(r) {
				t := byKey[key]
				if t == nil {
					t = &table{group: title(key, unit), unit: r.Values[i].Unit}
					byKey[key] = t
					tables = append(tables, t)
				}
				p := cells[cell{key, name}]
				if p == nil {
					p = &pile{name: string(r.Name), machines: [2]map[string]bool{{}, {}}}
					cells[cell{key, name}] = p
					t.piles = append(t.piles, p)
				}
				p.add(side, r, r.Values[i].Value)
			}
		}
	}
	return tables, variety(residue), nil
}

func (p *pile) add(side int, r *benchfmt.Result, value float64) {
	values := &p.old
	if side == 1 {
		values = &p.new
	}
	*values = append(*values, value)
	p.machines[side][machine(r)] = true
}

// machine is what a result says of where it was measured; "" when it does not name the
// processor.
func machine(r *benchfmt.Result) string {
	cpu := r.GetConfig("cpu")
	if cpu == "" {
		return ""
	}
	return strings.Join([]string{r.GetConfig("goos"), r.GetConfig("goarch"), cpu}, " ")
}

// title is a group's key for the reader: "pkg: example.org/x".
func title(key benchproc.Key, unit *benchproc.Field) string {
	var parts []string
	for _, f := range key.Projection().FlattenedFields() {
		if f != unit && key.Get(f) != "" {
			parts = append(parts, f.Name+": "+strings.TrimSpace(key.Get(f)))
		}
	}
	return strings.Join(parts, ", ")
}

// variety says in what results vary that are taken together.
func variety(residue map[benchproc.Key]bool) []string {
	var keys []benchproc.Key
	for k := range residue {
		keys = append(keys, k)
	}
	benchproc.SortKeys(keys)
	var notes []string
	for _, f := range benchproc.NonSingularFields(keys) {
		var values []string
		for _, k := range keys {
			v := fmt.Sprintf("%q", strings.TrimSpace(k.Get(f)))
			if !slices.Contains(values, v) {
				values = append(values, v)
			}
		}
		if most := 4; len(values) > most {
			values = append(values[:most], fmt.Sprintf("%d more", len(values)-most))
		}
		notes = append(notes, fmt.Sprintf("the results vary in %s: %s", f.Name, strings.Join(values, ", ")))
	}
	return notes
}

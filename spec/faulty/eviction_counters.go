package faulty

import (
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/subject"
)

// counters are faults of hits, misses and evictions.
func counters() []Fault {
	return []Fault{
		miscounting("counts no hits", func(st *manager.Stats) { st.Hits = 0 }),
		miscounting("counts no misses", func(st *manager.Stats) { st.Misses = 0 }),
		miscounting("counts no evictions", func(st *manager.Stats) { st.Evictions = 0 }),
		miscounting("counts a miss for a hit as well", func(st *manager.Stats) { st.Hits += st.Misses }),
		miscounting("counts hits for misses", func(st *manager.Stats) { st.Hits, st.Misses = st.Misses, st.Hits }),
		miscounting("counts no miss that evicts", func(st *manager.Stats) { st.Misses -= st.Evictions }),
		miscounting("counts no first eviction", func(st *manager.Stats) { st.Evictions = max(0, st.Evictions-1) }),
		miscounting("counts evictions twice", func(st *manager.Stats) { st.Evictions *= 2 }),
		miscounting("begins to count at one", func(st *manager.Stats) { st.Misses++ }),
		miscounting("counts hits in eight bits", func(st *manager.Stats) { st.Hits &= 0xff }),
		{
			Name: "membership test counts as a hit", Breaks: []string{"EVI-10"},
			Parts: tabled(func(o manager.Options) (subject.Table, error) {
				t, err := newTable(o, nil)
				return asked{t, true}, err
			}),
		}, {
			Name: "membership test counts as a miss", Breaks: []string{"EVI-10"},
			Parts: tabled(func(o manager.Options) (subject.Table, error) {
				t, err := newTable(o, nil)
				return asked{t, false}, err
			}),
		}, {
			Name: "drop of an absent id counts", Breaks: []string{"EVI-10"},
			Parts: tabled(func(o manager.Options) (subject.Table, error) {
				t, err := newTable(o, nil)
				return &droppedOnce{table: t}, err
			}),
		},
	}
}

// miscounting is a manager whose statistics show other counters than it has.
func miscounting(name string, change func(*manager.Stats)) Fault {
	return Fault{Name: name, Breaks: []string{"EVI-10"}, Parts: over(func(m *manager.Manager) subject.Table { return restated{m, change} })}
}

// restated is the reference's table with other statistics.
type restated struct {
	*manager.Manager
	change func(*manager.Stats)
}

func (r restated) Stats() manager.Stats {
	st := r.Manager.Stats()
	r.change(&st)
	return st
}

// asked counts membership tests: those that found something or those that did
// not.
type asked struct {
	*table
	found bool
}

func (a asked) Contains(id string) bool {
	is := a.table.Contains(id)
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case is && a.found:
		a.counts.Hits++
	case !is && !a.found:
		a.counts.Misses++
	}
	return is
}

// droppedOnce counts a drop that found nothing as an eviction.
type droppedOnce struct{ *table }

func (d *droppedOnce) Drop(id string) bool {
	is := d.table.Drop(id)
	if !is {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.counts.Evictions++
	}
	return is
}

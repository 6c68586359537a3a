package faulty

import (
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec"
)

// byteTotals holds faults of the total and of the figures per device.
func byteTotals() []Fault {
	return []Fault{
		{
			Name: "leaves the host out of the total", Breaks: []string{"ACC-01"},
			Parts: figuring(func(_ subject.Table, c map[string]int64) { c["total_nbytes"] -= c["nbytes:cpu"] }),
		}, {
			Name: "rounds the total to whole KiB", Breaks: []string{"ACC-01"},
			Parts: figuring(func(_ subject.Table, c map[string]int64) { c["total_nbytes"] -= c["total_nbytes"] % 1024 }),
		}, {
			Name: "has a total and no figure per device", Breaks: []string{"ACC-01"}, Follows: []string{"PRK-03"},
			Parts: figuring(func(_ subject.Table, c map[string]int64) { delete(c, "nbytes:cpu") }),
		}, {
			Name: "has no total while nothing is held", Breaks: []string{"ACC-01"},
			Parts: figuring(func(_ subject.Table, c map[string]int64) {
				if c["total_nbytes"] == 0 {
					delete(c, "total_nbytes")
				}
			}),
		}, {
			Name: "counts a page for itself while nothing is held", Breaks: []string{"ACC-01"},
			Parts: figuring(pageForNothing),
		},
	}
}

// figuring is a subject with other figures in its statistics.
func figuring(change func(of subject.Table, counts map[string]int64)) func() subject.Parts {
	return func() subject.Parts {
		return subject.Parts{Manager: func(_ *subject.Subject, m spec.Manager) spec.Manager { return figuringManager{m, change} }}
	}
}

type figuringManager struct {
	spec.Manager
	change func(of subject.Table, counts map[string]int64)
}

func (m figuringManager) Stats() (spec.Stats, error) {
	st, err := m.Manager.Stats()
	if err == nil {
		m.change(subject.TableOf(m.Manager), st.Counts)
	}
	return st, err
}

// pageForNothing is a page where no session has an object or an attribute.
func pageForNothing(of subject.Table, counts map[string]int64) {
	for _, id := range of.Retained() {
		if s, ok := of.Peek(id); ok && len(s.Names())+len(s.AttrNames()) > 0 {
			return
		}
	}
	counts["nbytes:cpu"], counts["total_nbytes"] = 4096, 4096
}

package faulty

import (
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/subject"
)

// budgets are faults of the byte budget, which is recorded and not enforced.
func budgets() []Fault {
	return []Fault{
		{
			Name: "evicts for its byte budget when a session comes", Breaks: []string{"EVI-09"},
			Parts: ruled(func(r *rules) {
				r.full = func(t *table) bool { return len(t.order) >= t.cap || len(t.order) > 1 && t.overBudget() }
			}),
		}, {
			Name: "evicts for its byte budget when it counts", Breaks: []string{"EVI-09"},
			Parts: tabled(func(o manager.Options) (subject.Table, error) {
				t, err := newTable(o, nil)
				return frugal{t}, err
			}),
		},

		budgeted("forgets its byte budget", func(int64, manager.Stats) (int64, bool) { return 0, false }),
		budgeted("keeps its byte budget in 32 bits", func(n int64, _ manager.Stats) (int64, bool) { return int64(int32(n)), true }),
		budgeted("keeps its byte budget in mebibytes", func(n int64, _ manager.Stats) (int64, bool) { return n >> 20 << 20, true }),
		budgeted("spends its byte budget on evictions", func(n int64, st manager.Stats) (int64, bool) { return n - st.Evictions, true }),
		{
			Name: "has the byte budget of the manager made last", Breaks: []string{"EVI-20"},
			Parts: func() subject.Parts {
				var last *int64
				return subject.Parts{Table: func(o manager.Options) (subject.Table, error) {
					if o.ByteBudget != nil {
						last = o.ByteBudget
					}
					m, err := manager.New(o)
					return recorded{m, func(n int64, _ manager.Stats) (int64, bool) { return *last, true }}, err
				}}
			},
		},
	}
}

func (t *table) overBudget() bool {
	return t.options.ByteBudget != nil && manager.BytesOf(t.order...).Total > *t.options.ByteBudget
}

type frugal struct{ *table }

func (f frugal) Stats() manager.Stats {
	f.mu.Lock()
	for len(f.order) > 1 && f.overBudget() {
		f.evict(0)
	}
	f.mu.Unlock()
	return f.table.Stats()
}

// budgeted is a manager that tells another byte budget than it was given.
func budgeted(name string, as func(n int64, st manager.Stats) (int64, bool)) Fault {
	return Fault{Name: name, Breaks: []string{"EVI-20"}, Parts: over(func(m *manager.Manager) subject.Table { return recorded{m, as} })}
}

type recorded struct {
	*manager.Manager
	as func(n int64, st manager.Stats) (int64, bool)
}

func (r recorded) ByteBudget() (int64, bool) {
	n, given := r.Manager.ByteBudget()
	if !given {
		return 0, false
	}
	return r.as(n, r.Manager.Stats())
}

package faulty

import (
	"log/slog"
	"sync/atomic"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/config"
	"github.com/statespec/statespec/reference/subject"
)

type store = dreamzero.Store

const (
	bespokePath = dreamzero.BespokePath
	managedPath = dreamzero.ManagedPath
)

// modelOver is what a model is made of: the manager it was given, and options.
type modelOver struct {
	manager dreamzero.Sessions
	options dreamzero.Options
}

func (m modelOver) choose(r config.Resolution) (store, error) {
	return dreamzero.Choose(r, m.manager, m.options)
}

// deciding is a subject that answers by the book, and whose models choose their
// path from more than the answer.
func deciding(choose func(*decision, modelOver) (store, error)) func() subject.Parts {
	return func() subject.Parts {
		var last atomic.Pointer[decision] // a model is chosen right after its config was resolved
		return subject.Parts{
			Resolve: func(c config.Config, get lookup, log *slog.Logger) config.Resolution {
				d := decided(c, get, log)
				last.Store(d)
				return d.Resolution
			},
			Choose: func(_ config.Resolution, m dreamzero.Sessions, o dreamzero.Options) (store, error) {
				return choose(new(*last.Load()), modelOver{m, o})
			},
		}
	}
}

// renamed is a store that says another path than it takes.
type renamed struct {
	store
	path string
}

func (r renamed) Path() string { return r.path }

// paths holds faults of the path that a model takes, where the switch itself is
// read well.
func paths() []Fault {
	return []Fault{
		{
			Name: "leaves a model bespoke though the variable enables", Breaks: []string{"ENV-14"},
			Parts: deciding(func(d *decision, m modelOver) (store, error) {
				d.Enabled = d.Enabled && d.said()
				return m.choose(d.Resolution)
			}),
		}, {
			// The manager fills although it is off.
			Name: "leaves a model managed though the variable disables", Breaks: []string{"ENV-14"}, Follows: []string{"OFF-02"},
			Parts: deciding(func(d *decision, m modelOver) (store, error) {
				d.Enabled = d.Enabled || d.said()
				return m.choose(d.Resolution)
			}),
		}, {
			Name: "says managed and works bespoke", Breaks: []string{"ENV-14"}, Follows: []string{"EQV-08"},
			Parts: deciding(func(d *decision, m modelOver) (store, error) {
				path := bespokePath
				if d.Enabled {
					path = managedPath
				}
				st, err := dreamzero.NewBespokeStore(m.options)
				return renamed{st, path}, err
			}),
		}, {
			Name: "says bespoke and works managed", Breaks: []string{"ENV-14", "OFF-02"}, Follows: []string{"EQV-08"},
			Parts: deciding(func(d *decision, m modelOver) (store, error) {
				if d.Enabled {
					return m.choose(d.Resolution)
				}
				st, err := dreamzero.NewManagedStore(m.manager, m.options)
				return renamed{st, bespokePath}, err
			}),
		}, {
			Name: "swaps an empty manager for a new one", Breaks: []string{"ENV-14"}, Follows: []string{"EQV-08"},
			Met: "callers of the real manager, to whose language an empty manager is false",
			Parts: deciding(func(d *decision, m modelOver) (store, error) {
				if m.manager != nil && len(m.manager.Retained()) == 0 {
					m.manager = nil
				}
				return m.choose(d.Resolution)
			}),
		},
	}
}

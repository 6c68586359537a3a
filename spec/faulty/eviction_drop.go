package faulty

import (
	"sync"

	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec"
)

// drops are faults of the end of a session that its client asked for. What a
// model's close hook does is not changed by most of them.
func drops() []Fault {
	kept := []string{"ATT-05"} // the attributes are not reclaimed
	return []Fault{
		dropping("says of every dropped session that it was not there", nil, func(d *dropper, id string) bool { d.table.Drop(id); return false }),
		dropping("says of every dropped session that it was there", nil, func(d *dropper, id string) bool { d.table.Drop(id); return true }),
		dropping("drop leaves the session in the table", nil, func(d *dropper, id string) bool {
			s, retained := d.table.Peek(id)
			if retained {
				s.Reset()
			}
			return retained
		}),
		dropping("drop drops the least recent session", nil, func(d *dropper, id string) bool {
			if d.table.Contains(id) {
				id = d.table.Retained()[0]
			}
			return d.table.Drop(id)
		}),
		dropping("attributes of a dropped session come back", kept, func(d *dropper, id string) bool { d.keep(id); return d.table.Drop(id) }),
		dropping("keeps what a dropped session held", kept, func(d *dropper, id string) bool {
			d.keep(id)
			d.kept, d.attrs = append(d.kept, d.attrs[id]), nil
			return d.table.Drop(id)
		}),
		dropping("counts the bytes of dropped sessions", nil, func(d *dropper, id string) bool {
			if s, retained := d.table.Peek(id); retained {
				d.bytes += s.Bytes().Total
			}
			return d.table.Drop(id)
		}),
		{
			Name: "a dropped session keeps its place", Breaks: []string{"EVI-16"},
			Parts: ruled(func(r *rules) {
				r.full = func(t *table) bool {
					return len(t.order) > 0 && !t.options.RefuseNew && len(t.order)+int(t.counts.Drops) >= t.cap
				}
			}),
		},

		{
			Name: "counts a drop as an eviction", Breaks: []string{"EVI-16.counter"}, Follows: []string{"EVI-10"},
			Parts: over(func(m *manager.Manager) subject.Table {
				return restated{m, func(st *manager.Stats) { st.Evictions += st.Drops }}
			}),
		},

		ending("drop leaves its holder all there was", func(*manager.Session) {}).following("EQV-14.close"),
		ending("drop leaves its holder the objects", clearAttrs).following("EQV-14.close"),
		ending("drop leaves its holder the attributes", func(s *manager.Session) { eachObject(s, func(o object.StateObject) { o.Reset() }) }).following("EQV-14.close"),
		ending("drop leaves its holder encode-once objects", func(s *manager.Session) {
			clearAttrs(s)
			eachObject(s, func(o object.StateObject) {
				if _, once := o.(*object.EncodeOnce); !once {
					o.Reset()
				}
			})
		}),
		{
			Name: "says that a drop leaves its holder the state", Breaks: []string{"EVI-16.holder"},
			Parts: func() subject.Parts { return subject.Parts{Hello: func(h *spec.Hello) { h.Drop = "its-state" }} },
		},

		{
			Name: "drop waits for a lock that it has", Breaks: []string{"EVI-16.holder"},
			Met:   "the real manager, whose lock is not re-entrant: an object whose reset asks for stats deadlocks a drop",
			Parts: lockedOut,
		},
	}
}

// dropping is a manager that drops in another way. The table knows nothing of
// it, and so neither does a model's close hook.
func dropping(name string, follows []string, drop func(d *dropper, id string) bool) Fault {
	return Fault{Name: name, Breaks: []string{"EVI-16"}, Follows: follows, Parts: func() subject.Parts {
		return subject.Parts{Manager: func(_ *subject.Subject, m spec.Manager) spec.Manager {
			return &dropper{Manager: m, table: subject.TableOf(m), drop: drop}
		}}
	}}
}

// A dropper stands in front of a manager and remembers what was dropped.
type dropper struct {
	spec.Manager
	table subject.Table
	drop  func(d *dropper, id string) bool

	mu    sync.Mutex
	attrs map[string]map[string]any // of sessions that were dropped, by id
	kept  []any
	bytes int64
}

func (d *dropper) Drop(id string) (bool, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.drop(d, id), nil
}

// keep remembers a session's attributes.
func (d *dropper) keep(id string) {
	s, retained := d.table.Peek(id)
	if !retained {
		return
	}
	attrs := map[string]any{}
	for _, name := range s.AttrNames() {
		attrs[name], _ = s.Attr(name)
	}
	d.attrs = map[string]map[string]any{id: attrs}
}

// Session gives a session the attributes that are remembered of its id.
func (d *dropper) Session(ids ...string) (spec.Session, error) {
	s, err := d.Manager.Session(ids...)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	of := subject.SessionOf(s)
	for name, v := range d.attrs[of.ID()] {
		of.SetAttr(name, v)
	}
	delete(d.attrs, of.ID())
	return s, nil
}

// Stats counts bytes of sessions that were dropped.
func (d *dropper) Stats() (spec.Stats, error) {
	st, err := d.Manager.Stats()
	d.mu.Lock()
	defer d.mu.Unlock()
	if err == nil && d.bytes > 0 {
		st.Counts["total_nbytes"] += d.bytes
		st.Counts["nbytes:cpu"] += d.bytes
	}
	return st, err
}

// ending is a table that does something else with a dropped session than to
// reset it.
func ending(name string, end func(*manager.Session)) Fault {
	return Fault{Name: name, Breaks: []string{"EVI-16.holder"}, Parts: ruled(func(r *rules) {
		r.dropped = func(_ *table, s *manager.Session) { end(s) }
	})}
}

// lockedOut is a subject whose encode-once objects look at the statistics of
// every table when they are reset, and whose tables drop under their lock.
func lockedOut() subject.Parts {
	return watched(func(ts *tables) subject.Parts {
		return subject.Parts{StateObject: func(_ spec.ObjectKind, made object.StateObject) object.StateObject {
			if o, once := made.(*object.EncodeOnce); once {
				return &inquiring{o, ts}
			}
			return made
		}}
	})()
}

type inquiring struct {
	*object.EncodeOnce
	tables *tables
}

func (i *inquiring) Kind() spec.ObjectKind { return spec.EncodeOnceKV }

func (i *inquiring) Reset() error {
	for _, t := range i.tables.list() {
		t.sessions()
	}
	return i.EncodeOnce.Reset()
}

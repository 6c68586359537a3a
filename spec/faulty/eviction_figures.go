package faulty

import (
	"strings"
	"sync"
	"sync/atomic"

	"github.com/statespec/statespec/reference/account"
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
	"github.com/statespec/statespec/spec"
)

// figures are faults of statistics that are asked for while sessions are
// written.
func figures() []Fault {
	const met = "the real manager, whose walk another thread can interrupt"
	cut := []string{"EVI-14.snapshot"} // no figure, no total
	fails := func(spec.Stats) (spec.Stats, error) {
		return spec.Stats{}, spec.Refuse(spec.Raised, "a map changed its size during iteration")
	}
	return []Fault{
		interrupted("stats fails when an attribute is written meanwhile", met, []string{"EVI-14"}, nil, setAttr, fails),
		interrupted("stats fails when an object is put meanwhile", met, []string{"EVI-14"}, nil, putObject, fails),
		interrupted("stats fails when a session is reset meanwhile", met, []string{"EVI-14"}, nil, resetSession, fails),
		interrupted("stats crashes when a session is reset meanwhile", "", []string{"EVI-14"}, nil, resetSession,
			func(spec.Stats) (spec.Stats, error) { panic("a map was iterated and written at once") }),
		interrupted("stats counts nothing when an attribute is written meanwhile",
			"the real manager, which against a writer answered 0 bytes now and then", []string{"EVI-14.figure"}, cut, setAttr,
			func(st spec.Stats) (spec.Stats, error) {
				for name := range st.Counts {
					if strings.Contains(name, "nbytes") {
						st.Counts[name] = 0
					}
				}
				return st, nil
			}),
		{
			Name: "stats reads a session's attributes one after the other", Breaks: []string{"EVI-14.figure"}, Follows: cut,
			Parts: onceAttributesWereRead,
		}, {
			Name: "stats counts a payload twice while it is committed", Breaks: []string{"EVI-14.figure"},
			Parts: twiceWhileCommitted,
		}, {
			Name: "stats answers what it did before while an attribute is written", Breaks: []string{"EVI-14.figure"}, Follows: cut,
			Parts: asBefore,
		}, {
			Name: "stats adds up sessions one after the other", Breaks: cut,
			Parts: oneAfterTheOther,
		},
	}
}

// interrupted is a subject whose statistics come out differently when somebody
// writes while they are counted.
func interrupted(name, met string, breaks, follows []string, by write, then func(spec.Stats) (spec.Stats, error)) Fault {
	return Fault{Name: name, Met: met, Breaks: breaks, Follows: follows, Parts: func() subject.Parts {
		m := &meeting{}
		parts := written(func(kind write, do func() error) error {
			if kind == by {
				return m.write(do)
			}
			return do()
		})
		parts.Manager = answering(func(of spec.Manager) (spec.Stats, error) {
			meanwhile := m.count()
			st, err := of.Stats()
			if err == nil && meanwhile() {
				return then(st)
			}
			return st, err
		})
		return parts
	}}
}

// onceAttributesWereRead counts attributes that were read at moments of their
// own.
func onceAttributesWereRead() subject.Parts {
	m := &meeting{}
	parts := written(func(_ write, do func() error) error { return m.write(do) })
	parts.Measure = func(sessions ...*manager.Session) account.Report {
		var held []any
		for _, s := range sessions {
			for _, name := range s.AttrNames() {
				if len(held) > 0 {
					m.count()()
				}
				v, _ := s.Attr(name)
				held = append(held, v)
			}
			eachObject(s, func(o object.StateObject) { held = append(held, o) })
		}
		return account.Measure(held...)
	}
	return parts
}

// twiceWhileCommitted counts what a commit brings before it is there, and a
// little longer.
func twiceWhileCommitted() subject.Parts {
	w := &window{}
	var coming atomic.Int64
	parts := subject.Parts{Object: func(_ *subject.Subject, o spec.Object) spec.Object { return committed{o, &coming, w} }}
	parts.Manager = answering(func(m spec.Manager) (spec.Stats, error) {
		defer w.pass()
		more := coming.Load()
		st, err := m.Stats()
		if more > 0 && coming.Load() > 0 {
			st.Counts["total_nbytes"] += more
			st.Counts["nbytes:cpu"] += more
		}
		return st, err
	})
	return parts
}

type committed struct {
	spec.Object
	coming *atomic.Int64
	window *window
}

func (c committed) Commit(vs ...spec.Value) error {
	before, _ := c.State()
	err := c.Object.Commit(vs...)
	after, _ := c.State()
	n := max(0, after.Total()-before.Total())
	c.coming.Add(n)
	c.window.open()
	c.coming.Add(-n)
	return err
}

// asBefore answers from memory while somebody writes.
func asBefore() subject.Parts {
	w := &window{}
	var writers atomic.Int64
	parts := written(func(kind write, do func() error) error {
		if kind != setAttr {
			return do()
		}
		writers.Add(1)
		defer writers.Add(-1)
		err := do()
		w.open()
		return err
	})
	parts.Manager = func(_ *subject.Subject, m spec.Manager) spec.Manager {
		var mu sync.Mutex
		var last *spec.Stats
		return &statistician{m, func(m spec.Manager) (spec.Stats, error) {
			defer w.pass()
			mu.Lock()
			defer mu.Unlock()
			if last != nil && writers.Load() > 0 {
				return *last, nil
			}
			st, err := m.Stats()
			last = &st
			return st, err
		}}
	}
	return parts
}

// oneAfterTheOther lets go of each session before it counts the next, also where
// totals are to be one cut.
func oneAfterTheOther() subject.Parts {
	m := &meeting{}
	parts := written(func(_ write, do func() error) error { return m.write(do) })
	parts.Table = func(o manager.Options) (subject.Table, error) {
		t, err := newTable(o, nil)
		if err != nil || !o.ConsistentStats {
			return t, err
		}
		return &straggler{t, m}, nil
	}
	return parts
}

type straggler struct {
	*table
	meeting *meeting
}

func (s *straggler) Stats() manager.Stats {
	st := s.table.Stats()
	st.TotalBytes, st.BytesByDevice = 0, map[tensor.Device]int64{}
	for _, one := range s.sessions() {
		for d, n := range one.Bytes().ByDevice {
			st.BytesByDevice[d] += n
			st.TotalBytes += n
		}
		s.meeting.count()()
	}
	return st
}

package eviction

import (
	"slices"

	"github.com/anishathalye/porcupine"
)

// table is the state of a manager as the models see it.
type table struct {
	entries []entry // the least recently used first
	seen    uint64  // bit i: instance i was returned at some time; a history has fewer than 64
}

// entry is a session that is retained.
type entry struct {
	id       string
	instance int
}

func (t table) find(id string) int {
	return slices.IndexFunc(t.entries, func(e entry) bool { return e.id == id })
}

func (t table) isNew(instance int) bool { return t.seen&(1<<instance) == 0 }

// with is the table after a session became the most recent.
func (t table) with(e entry) table {
	next := slices.DeleteFunc(slices.Clone(t.entries), func(o entry) bool { return o.id == e.id })
	return table{append(next, e), t.seen | 1<<e.instance}
}

func (t table) without(id string) table {
	return table{slices.DeleteFunc(slices.Clone(t.entries), func(e entry) bool { return e.id == id }), t.seen}
}

// A rule says whether a table can answer a call as it was answered, and what the
// table is then.
type rule func(t table, c call) (bool, table)

// strictly is the rule of an LRU cache of a cap: a hit is the session that is
// there, a miss is a new one, and the least recently used goes.
func strictly(n int) rule {
	return func(t table, c call) (bool, table) {
		at := t.find(c.id)
		switch {
		case c.method == "contains":
			return c.is == (at >= 0), t
		case at >= 0 && t.entries[at].instance != c.instance:
			return false, t
		case at < 0 && !t.isNew(c.instance):
			return false, t
		}
		next := t.with(entry{c.id, c.instance})
		next.entries = next.entries[max(0, len(next.entries)-n):]
		return true, next
	}
}

// loosely is the rule of a cache that may give up any session at any time, for
// managers that choose others than the least recently used, which is not what a
// history is asked for. What it leaves: an id has one session at a time, one
// that was given up never comes back, and one that is not there is not
// contained until it is asked for.
func loosely(t table, c call) (bool, table) {
	at := t.find(c.id)
	switch {
	case c.method == "contains" && c.is:
		return at >= 0, t
	case c.method == "contains":
		return true, t.without(c.id)
	case at >= 0 && t.entries[at].instance == c.instance:
		return true, t
	}
	return t.isNew(c.instance), t.with(entry{c.id, c.instance})
}

// model is a rule as the checker takes it.
func model(follow rule) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return table{} },
		Step: func(state, in, _ any) (bool, any) { return follow(state.(table), in.(call)) },
		Equal: func(a, b any) bool {
			t, u := a.(table), b.(table)
			return t.seen == u.seen && slices.Equal(t.entries, u.entries)
		},
	}
}

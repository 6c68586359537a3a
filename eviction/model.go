package eviction

import (
	"fmt"
	"slices"
	"strings"

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

// has says whether an instance is the one retained for an id.
func (t table) has(id string, instance int) bool {
	at := t.find(id)
	return at >= 0 && t.entries[at].instance == instance
}

// with is the table after a session became the most recent.
func (t table) with(e entry) table {
	next := slices.DeleteFunc(slices.Clone(t.entries), func(o entry) bool { return o.id == e.id })
	return table{append(next, e), t.seen | 1<<e.instance}
}

func (t table) without(id string) table {
	return table{slices.DeleteFunc(slices.Clone(t.entries), func(e entry) bool { return e.id == id }), t.seen}
}

func (t table) String() string {
	in := make([]string, len(t.entries))
	for i, e := range t.entries {
		in[i] = fmt.Sprintf("%s #%d", e.id, e.instance)
	}
	return "[" + strings.Join(in, ", ") + "]"
}

// A rule says whether a table can answer a call as it was answered, and what the
// table is then.
type rule func(t table, c call) (bool, table)

// strictly is the rule of an LRU cache of a cap: a hit is the session that is
// there, a miss is a new one, and the least recently used goes. A continuation
// is a hit or refused. A drop says whether there was something to drop, and what
// comes after it is a miss.
func strictly(n int) rule {
	return func(t table, c call) (bool, table) {
		retained, e := t.find(c.id) >= 0, entry{c.id, c.instance}
		switch {
		case c.method == "contains":
			return c.is == retained, t
		case c.method == "drop":
			return c.is == retained, t.without(c.id)
		case c.method == "continue" && c.instance == 0:
			return !retained, t
		case c.method == "continue" || retained:
			return t.has(c.id, c.instance), t.with(e)
		}
		next := t.with(e)
		next.entries = next.entries[max(0, len(next.entries)-n):]
		return t.isNew(c.instance), next
	}
}

// loosely is the rule of a cache that may give up any session at any time, for
// managers that choose others than the least recently used, which is not what a
// history is asked for. What it leaves: an id has one session at a time, one
// that was given up or dropped never comes back, and one that is not there is
// not contained, continued or dropped until it is asked for.
func loosely(t table, c call) (bool, table) {
	retained, e := t.find(c.id) >= 0, entry{c.id, c.instance}
	switch {
	case c.method == "contains" && c.is:
		return retained, t
	case c.method == "drop" && c.is:
		return retained, t.without(c.id)
	case c.method == "contains" || c.method == "drop" || c.instance == 0: // it is not there
		return true, t.without(c.id)
	case t.has(c.id, c.instance):
		return true, t
	case c.method == "continue":
		return false, t
	}
	return t.isNew(c.instance), t.with(e)
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
		DescribeOperation: func(in, _ any) string { return in.(call).said() },
		DescribeState:     func(state any) string { return state.(table).String() },
	}
}

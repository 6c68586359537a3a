package model

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/search/history"
)

func applyStats(w *World, o history.Operation, got Outcome) *Problem {
	m := w.managers[o.On]
	if got.Err != nil {
		return refused("ACC-01", got.Err)
	}
	var p *Problem
	for _, judge := range []func() *Problem{
		func() *Problem { return w.table(m, got.Stats) },
		func() *Problem { return w.counters(m, got.Stats.Counts) },
		func() *Problem { return w.budgeted(m, got.Stats) },
		func() *Problem { return w.devices(got.Stats) },
		func() *Problem { return w.weighs(m, bytesOf(got.Stats)) },
	} {
		if p = judge(); p != nil {
			break
		}
	}
	for i := range m.shadows {
		m.shadows[i].counted()
	}
	for _, s := range m.table {
		if p == nil && !w.Looking {
			w.note(s, "ACC-10", "ACC-10")
		}
	}
	return p
}

// table compares how many are retained, and their order where it is shown.
func (w *World) table(m *manager, st spec.Stats) *Problem {
	if n, has := st.Counts["sessions"]; has && int(n) != len(m.table)-over(m) {
		row := "EVI-08"
		switch c := st.Counts; {
		case m.turns.culprit(w.hello, "") != "":
			row = m.turns.culprit(w.hello, "")
		case int(n) > m.cap:
			row = "EVI-01"
		case c["misses"]-c["evictions"]-m.dropCount != n:
			row = "EVI-10"
		case m.budget != nil:
			row = "EVI-09"
		}
		return &Problem{Row: row, Aspect: Membership, Want: fmt.Sprintf("%d sessions", len(m.table)-over(m)), Got: fmt.Sprintf("%d", n)}
	}
	if len(st.Retained) == 0 || m.unsure || w.hello.Use != "lookup" || m.find(history.DefaultID) != nil || slices.Equal(st.Retained, m.retained()) {
		return nil
	}
	row := m.turns.culprit(w.hello, "EVI-02")
	for _, s := range m.shadows {
		if row == "EVI-02" && !s.wrong && slices.Equal(s.order, st.Retained) && asked(w.hello, s.row) {
			row = s.row
			break
		}
	}
	return &Problem{Row: row, Aspect: Membership, Want: fmt.Sprintf("retained, oldest first: %q", m.retained()), Got: fmt.Sprintf("%q", st.Retained)}
}

// over is how many more are in the table than there can be, until it is known who
// went.
func over(m *manager) int { return max(0, len(m.table)-m.cap) }

// counters compares what is counted of requests. A figure that is not given is
// not asked for.
func (w *World) counters(m *manager, counts map[string]int64) *Problem {
	for _, c := range []struct {
		name   string
		lo, hi int64
	}{
		{"evictions", m.evictions, m.evictions}, {"misses", m.misses, m.misses}, {"hits", m.hits, m.hits + m.extra},
	} {
		n, has := counts[c.name]
		if !has || c.lo <= n && n <= c.hi {
			continue
		}
		row := m.trail.culprit(w.hello, "EVI-10")
		if row == "EVI-16.counter" && c.name != "evictions" {
			row = "EVI-10"
		}
		if turn := m.turns.culprit(w.hello, ""); turn != "" && turn != "EVI-16" {
			row = turn
		}
		want := fmt.Sprintf("%d %s", c.lo, c.name)
		if c.hi > c.lo {
			want = fmt.Sprintf("%d to %d %s", c.lo, c.hi, c.name)
		}
		return &Problem{Row: row, Aspect: Counters, Want: want, Got: fmt.Sprint(n)}
	}
	if n, has := counts["hits"]; has {
		m.hits, m.extra = n, 0
	}
	m.trail, m.turns = nil, nil
	return nil
}

func (w *World) budgeted(m *manager, st spec.Stats) *Problem {
	if m.budget == nil || st.ByteBudget != nil && *st.ByteBudget == *m.budget {
		return nil
	}
	got := "none"
	if st.ByteBudget != nil {
		got = fmt.Sprint(*st.ByteBudget)
	}
	return &Problem{Row: "EVI-20", Aspect: Answer, Want: fmt.Sprintf("a byte budget of %d", *m.budget), Got: got}
}

// devices compares the total with those of the devices.
func (w *World) devices(st spec.Stats) *Problem {
	on := byDevice(st)
	sum := int64(0)
	for n := range maps.Values(on) {
		sum += n
	}
	if total, has := st.Counts["total_nbytes"]; has && total != sum {
		return &Problem{Row: "ACC-01", Aspect: Bytes, Want: fmt.Sprintf("total_nbytes = %d, the sum over the devices", sum), Got: fmt.Sprint(total)}
	}
	return nil
}

func byDevice(st spec.Stats) map[string]int64 {
	on := map[string]int64{}
	for name, n := range st.Counts {
		if device, is := strings.CutPrefix(name, "nbytes:"); is {
			on[device] = n
		}
	}
	return on
}

// bytesOf is how many bytes statistics report: the sum over the devices, or the
// total where they name none.
func bytesOf(st spec.Stats) (n int64) {
	on := byDevice(st)
	if len(on) == 0 {
		return st.Total()
	}
	for b := range maps.Values(on) {
		n += b
	}
	return n
}

// applyCollect finds out which storages of a caller's live that nothing should
// keep alive: not a handle, not a session that is retained or held, not an object
// that is.
func applyCollect(w *World, o history.Operation, got Outcome) *Problem {
	if got.Err != nil {
		return refused("EVI-15", got.Err)
	}
	kept := w.reachable()
	for _, st := range w.tensors {
		if kept[st] || st.lost == "" || !slices.Contains(got.Memory.Alive, st.tag) || !asked(w.hello, st.lost) {
			continue
		}
		return &Problem{Row: st.lost, Aspect: Alive, Want: "the storage of " + st.tag + " gone: nobody holds it", Got: "it lives"}
	}
	return nil
}

// reachable are the storages that something may keep alive.
func (w *World) reachable() map[token]bool {
	kept := map[token]bool{}
	keep := func(c *cell) {
		if c != nil {
			maps.Copy(kept, c.shares)
		}
	}
	object := func(x *object) {
		for _, st := range x.given {
			kept[st] = true
		}
	}
	for _, c := range w.values {
		keep(c)
		if c.borrowed != nil {
			object(c.borrowed)
		}
	}
	for _, s := range w.everySession {
		if !s.retained && s.holders == 0 {
			continue
		}
		for _, c := range s.perhaps {
			keep(c)
		}
		for _, c := range s.attrs {
			keep(c)
		}
		for _, x := range s.objects {
			object(x)
		}
	}
	for _, x := range w.objects {
		object(x)
	}
	return kept
}

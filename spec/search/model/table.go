package model

import (
	"fmt"
	"maps"
	"slices"
)

// A session is one session, retained or held or both.
type session struct {
	id      string
	of      *manager
	attrs   map[string]*cell // those that were set; a nil cell was cleared
	objects map[string]*object
	perhaps []*cell           // what it may hold beside: it was written after a drop
	put     map[string]string // by name: the row by which an object that was put is found
	maybe   map[string]bool   // names of objects that may be gone: the session was reset

	retained bool
	dropped  bool // and so what becomes of later writes is not promised
	lost     bool // nothing is known of it any more
	holders  int
	origin   string // the row that says it starts empty; "" for an id that is new

	certain, possible int // when it was used, and when it may have been
}

// A manager is the table of retained sessions: least recently used first.
type manager struct {
	cap    int
	refuse bool
	budget *int64

	table []*session
	ids   []string        // asked for so far, in the order of their first request
	gone  map[string]bool // by id: evicted (true) or dropped (false)

	hits, extra                  int64 // extra: continuations, which may count as hits
	misses, evictions, dropCount int64

	unsure  bool     // who was evicted: it has to be asked
	shadows []shadow // of how a faulty table would go on
	bytes   baseline
	trail   trail // of the counters
	turns   trail // of who is retained: what came between requests for sessions
}

func (m *manager) find(id string) *session {
	i := slices.IndexFunc(m.table, func(s *session) bool { return s.id == id })
	if i < 0 {
		return nil
	}
	return m.table[i]
}

func (m *manager) retained() []string {
	ids := []string{}
	for _, s := range m.table {
		ids = append(ids, s.id)
	}
	return ids
}

// asks notes that an id was asked for.
func (m *manager) asks(id string) {
	if !slices.Contains(m.ids, id) {
		m.ids = append(m.ids, id)
	}
}

// use makes a session the most recent.
func (w *World) use(s *session) {
	w.clock++
	s.certain, s.possible = w.clock, w.clock
	m := s.of
	m.table = append(slices.DeleteFunc(m.table, func(x *session) bool { return x == s }), s)
}

// work is an operation on a held session. Where that may count as use, the order
// is not known any more.
func (w *World) work(s *session) {
	if s.retained && w.hello.Use != "lookup" {
		w.clock++
		s.possible = w.clock
	}
}

// victims are those of whom any may be the least recent.
func (m *manager) victims() (vs []*session) {
	for _, v := range m.table {
		if !slices.ContainsFunc(m.table, func(x *session) bool { return x != v && x.possible < v.certain }) {
			vs = append(vs, v)
		}
	}
	return vs
}

// leave takes a session out of the table.
func (m *manager) leave(s *session, evicted bool) {
	m.table = slices.DeleteFunc(m.table, func(x *session) bool { return x == s })
	m.gone[s.id] = evicted
	s.retained = false
}

// A shadow is a table with one fault. Where the real one goes the same way, the
// shadow's row is the one that is broken.
type shadow struct {
	row   string
	cap   int
	order []string
	rule  rule
	wrong bool // it has gone another way than the subject
}

// A rule says what a faulty table does differently.
type rule struct {
	hit, look, resume bool // a hit, a membership test, a continuation makes a session the most recent
	count             bool // stats uses every session in turn, the newest first
	newest            bool // the most recent goes, not the least
	more              int  // places beyond the cap
	deaf              bool // to a raised cap
	lowers            bool // its cap when asked to raise it to less
}

var lru = rule{hit: true, resume: true}

func shadowsOf(places int) []shadow {
	with := func(row string, change func(*rule)) shadow {
		r := lru
		change(&r)
		return shadow{row: row, cap: places + r.more, rule: r}
	}
	return []shadow{
		with("EVI-03", func(r *rule) { r.hit = false }),
		with("EVI-04", func(r *rule) { r.look = true }),
		with("EVI-04", func(r *rule) { r.count = true }),
		with("EVI-04", func(r *rule) { r.look, r.count = true, true }),
		with("EVI-19.use", func(r *rule) { r.resume = false }),
		with("EVI-02", func(r *rule) { r.newest = true }),
		with("EVI-01", func(r *rule) { r.more = 1 }),
		with("EVI-08", func(r *rule) { r.more = -1 }),
		with("EVI-17", func(r *rule) { r.deaf = true }),
		with("EVI-17.lower", func(r *rule) { r.lowers = true }),
	}
}

// asked follows a request for an id that was granted.
func (s *shadow) asked(id string, resumed bool) {
	if i := slices.Index(s.order, id); i >= 0 {
		if resumed && s.rule.resume || !resumed && s.rule.hit {
			s.order = append(slices.Delete(s.order, i, i+1), id)
		}
		return
	}
	if resumed {
		return
	}
	for len(s.order) >= max(1, s.cap) && len(s.order) > 0 {
		if s.rule.newest {
			s.order = s.order[:len(s.order)-1]
		} else {
			s.order = s.order[1:]
		}
	}
	s.order = append(s.order, id)
}

func (s *shadow) looked(id string) {
	if i := slices.Index(s.order, id); i >= 0 && s.rule.look {
		s.order = append(slices.Delete(s.order, i, i+1), id)
	}
}

// counted follows stats.
func (s *shadow) counted() {
	if s.rule.count {
		slices.Reverse(s.order)
	}
}

func (s *shadow) dropped(id string) {
	s.order = slices.DeleteFunc(s.order, func(x string) bool { return x == id })
}

func (s *shadow) raised(n int) {
	if n > s.cap-s.rule.more && !s.rule.deaf {
		s.cap = n + s.rule.more
	}
	if n > 0 && n < s.cap && s.rule.lowers {
		s.cap = n
		s.order = s.order[max(0, len(s.order)-n):]
	}
}

// members compares who is retained. Got is which of the ids that were asked for
// are; only one of them when a single one was looked at.
func (w *World) members(m *manager, got map[string]bool, call string) *Problem {
	want := map[string]bool{}
	for id := range got {
		want[id] = m.find(id) != nil
	}
	if m.unsure && len(got) >= len(m.ids) {
		if p := w.settle(m, got, call); p != nil {
			return p
		}
		return nil
	}
	if m.unsure {
		return nil
	}
	for i := range m.shadows {
		s := &m.shadows[i]
		for id, is := range got {
			s.wrong = s.wrong || slices.Contains(s.order, id) != is
		}
	}
	if maps.Equal(got, want) {
		if len(got) >= len(m.ids) {
			m.turns = nil
		}
		return nil
	}
	return &Problem{w.blame(m, got), Membership, call, told(want), told(got)}
}

// blame is the row that is broken where others are retained than should be.
func (w *World) blame(m *manager, got map[string]bool) string {
	if turn := m.turns.culprit(w.hello, ""); turn != "" {
		return turn
	}
	for _, s := range m.shadows {
		if !s.wrong && asked(w.hello, s.row) {
			return s.row
		}
	}
	n := len(in(got))
	switch {
	case n > m.cap:
		return "EVI-01"
	case m.budget != nil && len(got) >= len(m.ids) && n < len(m.table):
		return "EVI-09"
	case len(got) >= len(m.ids) && n < len(m.table):
		return "EVI-08"
	}
	return "EVI-02"
}

// settle learns who was evicted where several might have been.
func (w *World) settle(m *manager, got map[string]bool, call string) *Problem {
	m.unsure = false
	over, candidates := len(m.table)-m.cap, m.victims()
	var left []*session
	for _, s := range m.table {
		if !got[s.id] {
			left = append(left, s)
		}
	}
	now := in(got)
	switch {
	case len(now) > m.cap:
		return &Problem{"EVI-01", Membership, call, fmt.Sprintf("at most %d retained", m.cap), told(got)}
	case len(left) != over:
		return &Problem{"EVI-08", Membership, call, fmt.Sprintf("%d retained", m.cap), told(got)}
	}
	for _, s := range left {
		if over == 1 && !slices.Contains(candidates, s) {
			return &Problem{"EVI-02", Membership, call, "the least recently used one gone", told(got)}
		}
		w.evicted(s)
	}
	return nil
}

func in(got map[string]bool) []string {
	ids := []string{}
	for _, id := range slices.Sorted(maps.Keys(got)) {
		if got[id] {
			ids = append(ids, id)
		}
	}
	return ids
}

func told(got map[string]bool) string {
	if len(got) == 1 {
		for id, is := range got {
			return fmt.Sprintf("%q retained: %t", id, is)
		}
	}
	return fmt.Sprintf("retained of %q: %q", slices.Sorted(maps.Keys(got)), in(got))
}

package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/search/history"
)

func applyManager(w *World, o history.Operation, got Outcome) *Problem {
	n := o.Ints[0]
	switch {
	case n <= 0 && got.Err == nil:
		return granted("EVI-11", "a cap that is not positive")
	case n <= 0:
		return nil
	case got.Err != nil:
		return refused("EVI-08", got.Err)
	}
	w.managers[o.Make] = &manager{cap: n, refuse: o.Refuse, budget: o.Budget, gone: map[string]bool{}, shadows: shadowsOf(n)}
	return nil
}

func idOf(o history.Operation) string {
	if o.ID == nil || *o.ID == "" {
		return history.DefaultID
	}
	return *o.ID
}

func applySession(w *World, o history.Operation, got Outcome) *Problem {
	m, id := w.managers[o.On], idOf(o)
	s := m.find(id)
	full := s == nil && len(m.table) >= m.cap
	switch {
	case full && m.refuse:
		if got.Err == nil {
			return granted("EVI-18", fmt.Sprintf("a new session at the cap of %d", m.cap))
		}
		m.trail.add("EVI-18")
		m.turns.add("EVI-18")
		w.noteAll(m, "EVI-18")
		if kind := spec.KindOf(got.Err); kind != spec.AdmissionRefused && asked(w.hello, "EVI-18.kind") {
			return &Problem{Row: "EVI-18.kind", Aspect: Refusal, Want: "refused as admission_refused", Got: fmt.Sprintf("refused as %s", kind)}
		}
		return nil
	case got.Err != nil && (o.ID == nil || *o.ID == ""):
		return refused("EVI-12", got.Err)
	case got.Err != nil && s == nil && strings.TrimSpace(id) != id:
		return nil // an id that a subject will not have is not taken for another
	case got.Err != nil && s != nil:
		return refused(pick(m.refuse, "EVI-18", "OBJ-18"), got.Err)
	case got.Err != nil && m.refuse:
		return refused("EVI-18.freed", got.Err)
	case got.Err != nil:
		return refused("EVI-08", got.Err)
	}
	m.asks(id)
	for i := range m.shadows {
		m.shadows[i].asked(id, false)
	}
	m.trail.add("EVI-10")
	if o.ID == nil || *o.ID == "" {
		m.turns.add("EVI-12")
	}
	if s == nil && w.origin(m, id) == "EVI-12.bytes" {
		m.turns.add("EVI-12.bytes")
	}
	if s != nil {
		m.hits++
		w.use(s)
		w.found(s, o)
		return nil
	}
	m.misses++
	w.makeSession(m, id, o)
	return nil
}

func pick(is bool, one, other string) string {
	if is {
		return one
	}
	return other
}

// found gives a session one more holder, if the operation has a slot for it.
func (w *World) found(s *session, o history.Operation) {
	if o.Make != "" {
		s.holders++
		w.sessions[o.Make] = s
	}
	if s.id == history.DefaultID {
		w.note(s, "EVI-12", "EVI-12")
	}
}

// note adds an event to the trails of all that a session holds.
func (w *World) note(s *session, attrs, objects string) {
	for _, c := range s.attrs {
		c.trail.add(attrs)
	}
	for _, o := range s.objects {
		o.trail.add(objects)
	}
}

// noteAll adds an event to the trails of all that a manager retains.
func (w *World) noteAll(m *manager, row string) {
	for _, s := range m.table {
		w.note(s, row, row)
	}
}

// makeSession makes a new session, which may end another.
func (w *World) makeSession(m *manager, id string, o history.Operation) {
	s := &session{id: id, of: m, attrs: map[string]*cell{}, objects: map[string]*object{}, maybe: map[string]bool{}, put: map[string]string{}, retained: true, origin: w.origin(m, id)}
	m.bytes.events.add("EVI-07")
	// The newcomer is the most recent, and never the one that goes.
	for len(m.table) >= m.cap {
		vs := m.victims()
		if len(vs) != 1 {
			m.unsure = true
			m.evictions++
			break
		}
		m.evictions++
		w.evicted(vs[0])
	}
	m.table = append(m.table, s)
	w.use(s)
	w.everySession = append(w.everySession, s)
	if o.Make != "" {
		s.holders++
		w.sessions[o.Make] = s
	}
}

// origin is the row that says that a new session of an id starts empty.
func (w *World) origin(m *manager, id string) string {
	if evicted, was := m.gone[id]; was {
		return pick(evicted, "EVI-07", "EVI-16")
	}
	fold := func(id string) string { return strings.ToLower(strings.TrimSpace(id)) }
	for _, s := range w.everySession {
		switch {
		case s.of != m && s.id == id:
			return "EVI-21"
		case s.of == m && fold(s.id) == fold(id):
			return "EVI-12.bytes"
		}
	}
	return ""
}

// evicted takes a session out of the table and leaves it to its holders.
func (w *World) evicted(s *session) {
	s.of.leave(s, true)
	row := pick(s.holders > 0, "EVI-05", "EVI-06")
	w.note(s, "EVI-05", row)
	s.of.bytes.events.add("ACC-08")
	w.abandon(s, "EVI-15")
}

// abandon notes why the storages of a session that nobody holds are to go.
func (w *World) abandon(s *session, row string) {
	for _, c := range s.attrs {
		c.lose(row)
	}
	for _, o := range s.objects {
		o.lose(row)
	}
}

func (c *cell) lose(row string) {
	c.tree.leaves(func(v *value) { v.st.lost = row })
}

func (o *object) lose(row string) {
	for _, st := range o.given {
		st.lost = row
	}
}

func applyContinue(w *World, o history.Operation, got Outcome) *Problem {
	m, id := w.managers[o.On], *o.ID
	s := m.find(id)
	if s == nil {
		if got.Err == nil {
			return granted("EVI-19", fmt.Sprintf("session %q is not retained", id))
		}
		m.asks(id)
		m.trail.add("EVI-10")
		m.turns.add("EVI-19")
		if kind := spec.KindOf(got.Err); kind != spec.SessionLost && asked(w.hello, "EVI-19.kind") {
			return &Problem{Row: "EVI-19.kind", Aspect: Refusal, Want: "refused as session_lost", Got: fmt.Sprintf("refused as %s", kind)}
		}
		return nil
	}
	if got.Err != nil {
		return refused("EVI-19", got.Err)
	}
	for i := range m.shadows {
		m.shadows[i].asked(id, true)
	}
	m.extra++
	w.use(s)
	w.found(s, o)
	return nil
}

func applyContains(w *World, o history.Operation, got Outcome) *Problem {
	m := w.managers[o.On]
	if got.Err != nil {
		return refused("EVI-08", got.Err)
	}
	p := w.members(m, map[string]bool{*o.ID: got.Is}, o.String())
	for i := range m.shadows {
		m.shadows[i].looked(*o.ID)
	}
	return p
}

// Members compares all who are retained at once: what a look at the table saw.
func (w *World) Members(slot string, got map[string]bool) *Problem {
	return w.members(w.managers[slot], got, "members "+slot)
}

func applyDrop(w *World, o history.Operation, got Outcome) *Problem {
	m, s := w.managers[o.On], w.managers[o.On].find(*o.ID)
	if got.Err != nil {
		return refused("EVI-16", got.Err)
	}
	for i := range m.shadows {
		m.shadows[i].dropped(*o.ID)
	}
	m.trail.add("EVI-16.counter")
	m.turns.add("EVI-16")
	if got.Is != (s != nil) {
		return &Problem{Row: "EVI-16", Aspect: Answer, Want: fmt.Sprintf("it was retained: %t", s != nil), Got: fmt.Sprintf("it was retained: %t", got.Is)}
	}
	if s == nil {
		return nil
	}
	m.dropCount++
	m.leave(s, false)
	s.dropped = true
	m.bytes.events.add("EVI-16")
	w.abandon(s, "EVI-16")
	w.afterDrop(s)
	return nil
}

// afterDrop leaves a holder what is declared.
func (w *World) afterDrop(s *session) {
	for _, o := range s.objects {
		o.own += 2 // the drop may evict and reset it
		o.wrote("EVI-16.holder")
	}
	switch w.hello.Drop {
	case "its-state":
		w.note(s, "EVI-16.holder", "EVI-16.holder")
	case "nothing":
		for name := range s.attrs {
			gone := newCell(nil)
			gone.unsettled = unset(name) != nil // its default, or nothing
			gone.trail.add("EVI-16.holder")
			s.attrs[name] = gone
		}
		for _, o := range s.objects {
			if len(w.within(o)) > 1 {
				o.forget() // others have it too, and may go on with it
				continue
			}
			o.end("EVI-16.holder")
		}
	default:
		s.lost = true
		for _, o := range s.objects {
			o.forget()
		}
	}
}

// within are the sessions that hold an object.
func (w *World) within(o *object) (in []*session) {
	for _, s := range w.everySession {
		for _, x := range s.objects {
			if x == o && !slices.Contains(in, s) {
				in = append(in, s)
			}
		}
	}
	return in
}

func applyRaise(w *World, o history.Operation, got Outcome) *Problem {
	m, n := w.managers[o.On], o.Ints[0]
	switch {
	case n <= 0 && got.Err == nil:
		return granted("EVI-17.non-positive", "a cap that is not positive")
	case n <= 0:
		m.turns.add("EVI-17.non-positive")
		return nil
	case got.Err != nil && n <= m.cap:
		return nil // a refusal says no less clearly that nothing changed
	case got.Err != nil:
		return refused("EVI-17", got.Err)
	}
	for i := range m.shadows {
		m.shadows[i].raised(n)
	}
	if got.Is != (n > m.cap) {
		return &Problem{Row: pick(n > m.cap, "EVI-17", "EVI-17.lower"), Aspect: Answer,
			Want: fmt.Sprintf("changed: %t", n > m.cap), Got: fmt.Sprintf("changed: %t", got.Is)}
	}
	m.turns.add(pick(n > m.cap, "EVI-17", "EVI-17.lower"))
	w.noteAll(m, pick(n > m.cap, "EVI-17", "EVI-17.lower"))
	m.cap = max(m.cap, n)
	return nil
}

func applyRelease(w *World, o history.Operation, got Outcome) *Problem {
	switch history.SortOf(o.On) {
	case history.Manager:
		delete(w.managers, o.On)
	case history.Session:
		w.sessions[o.On].holders--
		delete(w.sessions, o.On)
	case history.Object:
		delete(w.objects, o.On)
		delete(w.via, o.On)
	case history.Value:
		w.letGo(w.values[o.On])
		delete(w.values, o.On)
	}
	if got.Err != nil {
		return &Problem{Aspect: Refusal, Want: "done", Got: fmt.Sprintf("refused (%v)", got.Err)}
	}
	return nil
}

func (w *World) letGo(c *cell) {
	if c.borrowed != nil {
		c.borrowed.readers--
	}
}

// unset is what an attribute reads as that is not set.
func unset(name string) *value {
	for _, d := range history.Attributes() {
		if d.Name != name {
			continue
		}
		switch d.Default.Step {
		case "int":
			return &value{kind: spec.KindInt, num: d.Default.Int}
		case "list":
			return &value{kind: spec.KindList}
		}
	}
	return nil
}

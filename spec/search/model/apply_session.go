package model

import (
	"fmt"
	"maps"
	"slices"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/search/history"
)

func applyAttr(w *World, o history.Operation, got Outcome) *Problem {
	s := w.sessions[o.On]
	w.work(s)
	c := s.attrs[o.Name]
	if got.Err != nil {
		if s.dropped || s.lost {
			return nil
		}
		return refused(attrRow(c), got.Err)
	}
	p := w.reads(s, c, o.Name, got.Reading)
	if p == nil && !got.None {
		w.holds(o, s, got.Reading)
	}
	return p
}

// reads compares what an attribute reads as.
func (w *World) reads(s *session, c *cell, name string, r spec.Reading) *Problem {
	line := lineOf(r)
	switch {
	case s.lost:
		return nil
	case c == nil && s.dropped:
		return nil // its default, or nothing
	case c == nil:
		want := unset(name).line()
		if line == want {
			return nil
		}
		if unset(name) != nil && (line == "none" || !asked(w.hello, "ATT-02")) {
			return &Problem{Row: "ATT-02", Aspect: Attribute, Want: want, Got: line}
		}
		row := pick(s.origin != "", s.origin, "ATT-02")
		if unset(name) != nil {
			row = "ATT-02.shared"
			if lineOf(r) == zero(unset(name)).line() {
				row = "ATT-02"
			}
		}
		return &Problem{Row: row, Aspect: Attribute, Want: want + ", as it was never written in this session", Got: line}
	case !c.predictable(w.hello):
		c.adopt(r)
		c.borrowed = nil
		c.trail = nil
		return nil
	case line != c.known:
		return &Problem{Row: c.trail.culprit(w.hello, attrRow(c)), Aspect: Attribute, Want: c.known, Got: line}
	}
	c.trail = nil
	return nil
}

// zero is what a default of some kind reads as that was forgotten.
func zero(v *value) *value { return &value{kind: v.kind} }

// attrRow is the row that says that an attribute reads as what was assigned.
func attrRow(c *cell) string {
	if c == nil || c.tree == nil {
		return "OBJ-19"
	}
	switch c.tree.kind {
	case spec.KindTensor:
		return "ATT-01"
	case spec.KindInt, spec.KindBool, spec.KindText, spec.KindFloat, spec.KindNone:
		return "ATT-01.scalar"
	case spec.KindArray:
		return "ATT-01"
	}
	return "ATT-01.container"
}

// holds keeps what an attribute was read as. It may be the very thing that the
// session has, or a copy.
func (w *World) holds(o history.Operation, s *session, r spec.Reading) {
	if o.Make == "" {
		return
	}
	c := s.attrs[o.Name]
	if c == nil || s.lost {
		kept := newCell(valueOf(r))
		kept.wild = s.lost || s.dropped
		w.values[o.Make] = kept
		if !s.lost && kept.tree.kind == spec.KindList {
			kept.source = &place{s, o.Name} // a default: what is done to it may stay with this session
		}
		return
	}
	kept := c.assigned()
	kept.known = lineOf(r)
	w.values[o.Make] = kept
	if kept.borrowed != nil {
		kept.borrowed.readers++
	}
}

func applySet(w *World, o history.Operation, got Outcome) *Problem {
	s := w.sessions[o.On]
	w.work(s)
	var c *cell
	if len(o.From) > 0 {
		c = w.values[o.From[0]].assigned()
	}
	if got.Err != nil {
		if s.dropped || s.lost {
			s.lost = s.dropped
			return nil
		}
		return refused(w.writes(s, attrRow(c)), got.Err)
	}
	if s.dropped {
		s.lost = true // nobody says what becomes of it
		s.perhaps = append(s.perhaps, c, s.attrs[o.Name])
		return nil
	}
	if old := s.attrs[o.Name]; old != nil {
		old.lose("")
		s.of.bytes.events.add("ACC-09")
	}
	if c == nil {
		delete(s.attrs, o.Name)
		if unset(o.Name) == nil {
			c = newCell(nil) // cleared: it reads as nothing, whose row is not a fresh session's
			c.trail.add("ATT-02.clear")
			s.attrs[o.Name] = c
		}
		return nil
	}
	if c.tree != nil && c.tree.kind == spec.KindNone && unset(o.Name) != nil {
		c.unsettled = true // it is cleared, or holds a none
	}
	c.trail.add(w.writes(s, attrRow(c)))
	s.attrs[o.Name] = c
	s.of.bytes.events.add("ACC-06")
	return nil
}

// writes is the row of a write to a session that was evicted, else the given one.
func (w *World) writes(s *session, row string) string {
	if !s.retained && !s.dropped {
		return "EVI-05.writable"
	}
	return row
}

func applyContents(w *World, o history.Operation, got Outcome) *Problem {
	s := w.sessions[o.On]
	w.work(s)
	if s.lost || s.dropped {
		return nil
	}
	if got.Err != nil {
		return refused("OBJ-18", got.Err)
	}
	if p := w.names(s, "OBJ-18", slices.Sorted(maps.Keys(s.objects)), s.maybe, got.Contents.Objects, "objects"); p != nil {
		return p
	}
	var set []string
	open := map[string]bool{}
	for _, d := range history.Attributes() {
		c := s.attrs[d.Name]
		switch {
		case unset(d.Name) != nil, c != nil && !c.predictable(w.hello), c != nil && c.known == "none" && c.tree != nil:
			open[d.Name] = true
		case c != nil && c.known != "none":
			set = append(set, d.Name)
		}
	}
	if p := w.names(s, "ATT-01", set, open, got.Contents.Attrs, "attributes"); p != nil {
		return p
	}
	return w.ownBytes(s, got.Contents)
}

// names compares the names in a bucket. Those of open may be there or not.
func (w *World) names(s *session, row string, want []string, open map[string]bool, got []string, what string) *Problem {
	missing := slices.DeleteFunc(slices.Clone(want), func(n string) bool { return open[n] || slices.Contains(got, n) })
	extra := slices.DeleteFunc(slices.Clone(got), func(n string) bool { return open[n] || slices.Contains(want, n) })
	if len(missing)+len(extra) == 0 {
		return nil
	}
	if len(extra) > 0 {
		row = pick(s.origin != "", s.origin, row)
		if c := s.attrs[extra[0]]; c != nil {
			row = c.trail.culprit(w.hello, row)
		}
	}
	if len(missing) > 0 && s.attrs[missing[0]] != nil {
		row = s.attrs[missing[0]].trail.culprit(w.hello, attrRow(s.attrs[missing[0]]))
	}
	if len(missing) > 0 && !s.retained {
		row = "EVI-05"
	}
	return &Problem{Row: row, Aspect: Names, Want: fmt.Sprintf("%s %q", what, want), Got: fmt.Sprintf("%q", got)}
}

func applyObject(w *World, o history.Operation, got Outcome) *Problem {
	s := w.sessions[o.On]
	w.work(s)
	x, there := s.objects[o.Name]
	switch {
	case s.lost || s.dropped:
		w.unknownObject(s, o, got)
		return nil
	case !there && got.Err == nil:
		return granted(pick(s.origin != "", s.origin, "OBJ-18"), fmt.Sprintf("there is no object %q in this session", o.Name))
	case !there:
		return nil
	case got.Err != nil && s.maybe[o.Name]:
		delete(s.objects, o.Name)
		delete(s.maybe, o.Name)
		return nil
	case got.Err != nil:
		return refused(x.trail.culprit(w.hello, "OBJ-18"), got.Err)
	}
	delete(s.maybe, o.Name)
	if o.Make != "" {
		w.objects[o.Make] = x
		w.via[o.Make] = pick(s.put[o.Name] != "", s.put[o.Name], "OBJ-18")
	}
	return nil
}

// unknownObject finds an object in a session of which nothing is known: one that
// it had, or another. Nothing is asked of it, nor of the one that it had.
func (w *World) unknownObject(s *session, o history.Operation, got Outcome) {
	x := s.objects[o.Name]
	if x == nil {
		x = newObject(spec.KindInfo{Kind: spec.LatentBuffer, Appends: true, Bounds: []spec.BoundUnit{spec.Unbounded, spec.Payloads, spec.Frames}})
		s.objects[o.Name] = x
	}
	x.forget()
	if got.Err == nil && o.Make != "" {
		w.objects[o.Make] = x
	}
}

func applyEnsure(w *World, o history.Operation, got Outcome) *Problem {
	s := w.sessions[o.On]
	w.work(s)
	if s.lost || s.dropped {
		s.lost = true
		w.unknownObject(s, o, got)
		return nil
	}
	if got.Err != nil {
		return refused(w.writes(s, "OBJ-18.ensure"), got.Err)
	}
	old, there := s.objects[o.Name]
	if there && old.kind.Kind == o.Kind {
		resident, known := old.resident()
		if known && resident {
			if o.Make != "" {
				w.objects[o.Make] = old
				w.via[o.Make] = "OBJ-18.ensure"
			}
			return nil
		}
		if !known { // it was returned, or another was built
			old.forget()
			if o.Make != "" {
				w.objects[o.Make] = old
			}
			return nil
		}
	}
	if there && old.kind.Kind != o.Kind && (old.kind.Kind == spec.Spy || o.Kind == spec.Spy) {
		old.forget() // to some a spy is the kind that it spies on
		if o.Make != "" {
			w.objects[o.Make] = old
		}
		return nil
	}
	x := newObject(*w.kind(o.Kind))
	x.allocated, x.bound = true, o.Bound
	x.trail.add(pick(there, "OBJ-18.ensure", pick(s.origin != "", s.origin, "OBJ-01")))
	w.place(s, o.Name, x)
	if o.Make != "" {
		w.objects[o.Make] = x
	}
	return nil
}

// place puts an object under a name. What is there is another's from then on, or
// the same in another guise, or was released: nothing is asked of it any more.
func (w *World) place(s *session, name string, x *object) {
	if old := s.objects[name]; old != nil && old != x {
		old.forget()
	}
	s.objects[name] = x
	delete(s.maybe, name)
	if !slices.Contains(w.everyObject, x) {
		w.everyObject = append(w.everyObject, x)
	}
	s.of.bytes.events.add("ACC-06.object")
}

func applyPut(w *World, o history.Operation, got Outcome) *Problem {
	s, x := w.sessions[o.On], w.objects[o.From[0]]
	w.work(s)
	if s.lost || s.dropped {
		s.lost = true
		if old := s.objects[o.Name]; old != nil {
			old.forget()
		}
		x.forget()
		s.objects[o.Name] = x
		return nil
	}
	if got.Err != nil {
		if x.ghost {
			return nil
		}
		return refused(w.writes(s, pick(s.objects[o.Name] != nil, "OBJ-18.replace", "OBJ-18")), got.Err)
	}
	s.put[o.Name] = pick(s.objects[o.Name] != nil, "OBJ-18.replace", "OBJ-18")
	w.place(s, o.Name, x)
	return nil
}

func (w *World) resetSession(s *session, got Outcome) *Problem {
	w.work(s)
	if s.lost || s.dropped {
		s.lost = true
		for _, x := range s.objects {
			x.forget()
		}
		return nil
	}
	if got.Err != nil {
		return refused("OBJ-19", got.Err)
	}
	for name, c := range s.attrs {
		c.lose("ATT-05")
		if unset(name) != nil {
			delete(s.attrs, name)
			continue
		}
		gone := newCell(nil)
		gone.trail.add("OBJ-19")
		s.attrs[name] = gone
	}
	for name, x := range s.objects {
		s.maybe[name] = true
		x.own += 2
		x.lose("OBJ-19")
		x.end("OBJ-19")
	}
	s.of.bytes.events.add("OBJ-19")
	return nil
}

func applyReset(w *World, o history.Operation, got Outcome) *Problem {
	if history.SortOf(o.On) == history.Session {
		return w.resetSession(w.sessions[o.On], got)
	}
	x := w.objects[o.On]
	w.workOn(x)
	if x.ghost {
		return nil
	}
	if got.Err != nil {
		return refused(pick(x.allocated, "OBJ-05", "OBJ-08"), got.Err)
	}
	x.own++
	x.lose("OBJ-05")
	x.end("OBJ-05")
	w.counted(x, "OBJ-05")
	return nil
}

// workOn is work on an object of whichever sessions hold it.
func (w *World) workOn(x *object) {
	for _, s := range w.within(x) {
		w.work(s)
	}
}

// counted notes an event for the bytes of every manager that counts an object.
func (w *World) counted(x *object, row string) {
	for _, s := range w.within(x) {
		s.of.bytes.events.add(row)
	}
}

// end makes an object as it was before it was allocated, with nothing staged.
func (x *object) end(row string) {
	if len(x.staged) > 0 || x.adrift {
		x.unstage = row
	}
	x.sticky = ""
	x.allocated, x.bound, x.staged, x.adrift, x.given = false, spec.Bound{}, nil, false, nil
	x.empty()
	x.wrote(row)
}

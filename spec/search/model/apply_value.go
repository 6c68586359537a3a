package model

import (
	"fmt"
	"slices"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/search/history"
)

func applyMake(w *World, o history.Operation, got Outcome) *Problem {
	v := w.made(o)
	if got.Err != nil || v == nil {
		if got.Err == nil { // a view that cannot be: it was made all the same
			v = &value{kind: spec.KindOpaque, other: "unknown"}
			c := newCell(v)
			c.unsettled = true
			w.values[o.Make] = c
			return nil
		}
		return nil // a recipe that the subject does not take: nothing is promised of it
	}
	c := newCell(v)
	c.own = true
	for _, slot := range o.Slots() {
		from := w.values[slot]
		c.wild = c.wild || from.wild
		for t := range from.shares {
			c.shares[t] = true
		}
		if !from.own || from.unsettled {
			c.own, c.unsettled = false, c.unsettled || !from.predictable(w.hello)
		}
		if from.borrowed != nil {
			c.borrowed, c.version = from.borrowed, from.version
		}
	}
	if c.borrowed != nil {
		c.borrowed.readers++
	}
	w.values[o.Make] = c
	return nil
}

// made is the value that a recipe makes; nil for a view that cannot be.
func (w *World) made(o history.Operation) *value {
	var on *value
	if o.On != "" {
		on = w.values[o.On].tree
	}
	switch o.Verb {
	case "tensor":
		v := tensorOf(o, w.Tag+o.Make)
		w.tensors = append(w.tensors, v.st)
		return v
	case "narrow":
		return on.narrow(o.Ints[0], o.Ints[1], o.Ints[2])
	case "transpose":
		return on.transpose(o.Ints[0], o.Ints[1])
	case "alias":
		return on.alias()
	case "expand":
		return on.expand(o.Shape)
	case "reshape":
		return on.reshape(o.Shape)
	case "retype":
		return on.retype(o.DType)
	case "int", "bool":
		return &value{kind: spec.ValueKind(o.Verb), num: int64(o.Ints[0])}
	case "text", "float":
		return &value{kind: spec.ValueKind(o.Verb), text: o.Text}
	case "nothing":
		return &value{kind: spec.KindNone}
	}
	v := &value{kind: kindOf(o.Verb), keys: slices.Clone(o.Keys)}
	if v.kind == spec.KindRecord || v.kind == spec.KindInstance {
		v.keys = history.Fields(len(o.From))
	}
	for _, slot := range o.From {
		v.items = append(v.items, w.values[slot].tree)
	}
	return v
}

// kindOf is the kind of value that a verb makes.
func kindOf(verb string) spec.ValueKind {
	if verb == "set-of" {
		return spec.KindSet
	}
	return spec.ValueKind(verb)
}

// applyItem takes an element out of a container: itself, not a copy.
func applyItem(w *World, o history.Operation, got Outcome) *Problem {
	from := w.values[o.On]
	if got.Err != nil {
		return nil
	}
	c := newCell(from.tree.items[o.Ints[0]])
	c.own = from.own && !from.unsettled
	c.unsettled, c.wild = from.unsettled, from.wild
	for t := range from.shares {
		c.shares[t] = true
	}
	if from.borrowed != nil {
		c.borrowed, c.version = from.borrowed, from.version
		c.borrowed.readers++
	}
	w.values[o.Make] = c
	return nil
}

func applyRead(w *World, o history.Operation, got Outcome) *Problem {
	c := w.values[o.On]
	if got.Err != nil {
		return &Problem{Aspect: Held, Want: "a reading", Got: fmt.Sprintf("refused (%v)", got.Err)}
	}
	line := lineOf(got.Reading)
	if !c.predictable(w.hello) {
		own := c.own
		c.adopt(got.Reading)
		c.own = own && c.own
		return nil
	}
	if line == c.known {
		c.trail = nil
		return nil
	}
	row := ""
	if c.borrowed != nil {
		row = "OBJ-22"
	}
	return &Problem{Row: c.trail.culprit(w.hello, row), Aspect: Held, Want: c.known, Got: line}
}

// applyRefill writes into a tensor, as its caller can. What shares the storage
// may follow: views that the caller made have to, a session or a container may
// have made copies.
func applyRefill(w *World, o history.Operation, got Outcome) *Problem {
	c := w.values[o.On]
	if got.Err != nil {
		return nil // the language has no way to
	}
	if c.borrowed != nil {
		w.wroteThrough(c)
	}
	if !c.own || c.unsettled {
		w.wroteUnknown(c)
		return nil
	}
	st := c.tree.st
	all := c.tree.refill(o.Seed) && c.tree.whole()
	w.others(c, func(x *cell) {
		if x.own && x.tree.isTensor() && !x.unsettled {
			x.known = x.tree.line()
			return
		}
		x.touch(st, all)
	})
	c.known = c.tree.line()
	for _, x := range w.everyObject {
		if !slices.Contains(x.given, st) {
			continue
		}
		if x.kind.Keeps == "copy" {
			x.trail.add("OBJ-20")
		} else {
			x.unknown = x.unknown || len(x.content) > 0
			x.adrift = x.adrift || len(x.staged) > 0
		}
	}
	return nil
}

// wroteThrough notes a write through what an object showed, which may be the
// object's own.
func (w *World) wroteThrough(c *cell) {
	c.borrowed.unknown = true
	c.borrowed.version++
}

// wroteUnknown notes a write through a handle of which it is not known what it
// shares with others.
func (w *World) wroteUnknown(c *cell) {
	c.unsettled = true
	w.others(c, func(x *cell) {
		for t := range c.shares {
			if x.shares[t] {
				x.unsettled, x.own = true, false
			}
		}
	})
	for _, x := range w.everyObject {
		if slices.ContainsFunc(x.given, func(st *storage) bool { return c.shares[st] }) {
			x.unknown = x.unknown || x.kind.Keeps != "copy" && len(x.content) > 0
			x.adrift = x.adrift || x.kind.Keeps != "copy" && len(x.staged) > 0
		}
	}
}

// others visits every cell but one.
func (w *World) others(but *cell, visit func(*cell)) {
	for _, s := range w.everySession {
		for _, c := range s.attrs {
			if c != nil && c != but {
				visit(c)
			}
		}
	}
	for _, c := range w.values {
		if c != but {
			visit(c)
		}
	}
}

// applyEdit changes a list in place.
func applyEdit(w *World, o history.Operation, got Outcome) *Problem {
	c := w.values[o.On]
	if got.Err != nil {
		return nil // the language has no way to, or there is no such item
	}
	old := c.tree
	edited := old
	if !c.own { // the thing itself, or a copy: from here on a value of its own
		edited = &value{kind: old.kind, items: slices.Clone(old.items)}
	}
	if !edit(edited, o, w) {
		return nil
	}
	for _, slot := range o.From {
		c.wild = c.wild || w.values[slot].wild
	}
	w.others(c, func(x *cell) {
		if !x.mayBe(c, old) {
			return
		}
		x.unsettled, x.grown = true, true
		x.wild = x.wild || c.wild
		for _, slot := range o.From {
			x.share(w.values[slot].tree)
		}
		if !c.own {
			x.own, x.instead = false, edited
		}
	})
	c.tree = edited
	c.share(edited)
	c.known = edited.line()
	c.grown = true
	for _, slot := range o.From {
		c.unsettled = c.unsettled || !w.values[slot].predictable(w.hello)
	}
	if c.borrowed != nil {
		c.borrowed.trail.add("OBJ-13")
		w.others(c, func(x *cell) { // other views of it may be the same list
			x.unsettled = x.unsettled || x.borrowed == c.borrowed
		})
	}
	if c.source != nil {
		w.keptDefault(c)
	}
	return nil
}

// keptDefault notes that a default was changed that a session gave: it may be
// the session's from then on, and must not be another's.
func (w *World) keptDefault(c *cell) {
	p := c.source
	if p.of.attrs[p.name] == nil {
		own := newCell(&value{kind: spec.KindList})
		p.of.attrs[p.name] = own
	}
	own := p.of.attrs[p.name]
	own.unsettled, own.instead, own.grown = true, c.tree, true
	own.share(c.tree)
}

// edit changes a list, and says whether it can.
func edit(l *value, o history.Operation, w *World) bool {
	switch o.Verb {
	case "clear":
		l.items = nil
	case "append":
		l.items = append(l.items, w.values[o.From[0]].tree)
	case "replace":
		if o.Ints[0] < 0 || o.Ints[0] >= len(l.items) {
			return false
		}
		l.items[o.Ints[0]] = w.values[o.From[0]].tree
	}
	return true
}

package search

import (
	"context"
	"slices"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/search/history"
)

// Attempts is how many histories are tried to make one shorter.
const Attempts = 1500

// A shrinker makes a history that fails as short as it can. What is kept is how
// it fails: in the same way of a subject that dies, else in the same [model.Aspect]
// of an answer. The row is read off what is left at the end, where less has
// happened that could have broken it.
type shrinker struct {
	ctx   context.Context
	stage *stage
	left  int // attempts

	best history.Operations
	how  *Mismatch
}

// fails tries a history, and takes it for the best one if it fails alike.
func (s *shrinker) fails(h history.Operations) bool {
	if s.left <= 0 || s.ctx.Err() != nil {
		return false
	}
	s.left--
	got, err := s.stage.play(s.ctx, h, nil)
	if err != nil || !s.how.alike(got.Mismatch) {
		return false
	}
	s.how = got.Mismatch
	s.best = slices.Clone(h[:got.Mismatch.At+1])
	return true
}

// shrink makes the best history shorter until nothing more can go.
func (s *shrinker) shrink() {
	s.best = slices.Clone(s.best[:s.how.At+1])
	for {
		before := len(s.best)
		s.reduce()
		s.merge()
		simpler := s.simplify()
		if len(s.best) == before && !simpler || s.left <= 0 {
			break
		}
	}
	s.left = max(s.left, 2) // for the names, whatever it took
	s.fails(renamed(s.best))
	s.fails(reidentified(s.best))
}

// merge gives an object at once the bound that it is allocated with later.
func (s *shrinker) merge() {
	for at := 1; at < len(s.best); at++ {
		if s.best[at].Verb != "allocate" {
			continue
		}
		for i := range at {
			if v := s.best[i].Verb; v != "allocate" && v != "ensure" {
				continue
			}
			h := slices.Delete(slices.Clone(s.best), at, at+1)
			h[i].Bound = s.best[at].Bound
			if s.fails(h) {
				at--
				break
			}
		}
	}
}

// reduce takes out stretches of operations, long ones first: delta debugging over
// the list, whose last step takes out single operations until none can go.
func (s *shrinker) reduce() {
	for size := max(1, len(s.best)/2); ; {
		shorter := false
		for at := 0; at < len(s.best); {
			end := min(at+size, len(s.best))
			if s.fails(slices.Concat(s.best[:at], s.best[end:])) {
				shorter = true
				continue
			}
			at += size
		}
		switch {
		case s.left <= 0, size == 1 && !shorter:
			return
		case size > 1:
			size = max(1, size/2)
		}
	}
}

// simplify makes operands simpler, one at a time, and says whether any could be.
func (s *shrinker) simplify() (any bool) {
	for at := 0; at < len(s.best); at++ {
		for _, o := range s.simpler(at) {
			h := slices.Clone(s.best)
			h[at] = o
			if s.fails(h) {
				any = true
				at = min(at, len(s.best)-1)
			}
		}
	}
	return any
}

// simpler are simpler operations than one of the best history, the simplest first.
func (s *shrinker) simpler(at int) (os []history.Operation) {
	o := s.best[at]
	with := func(change func(*history.Operation)) {
		c := o
		c.From, c.Keys, c.Shape, c.Ints = slices.Clone(o.From), slices.Clone(o.Keys), slices.Clone(o.Shape), slices.Clone(o.Ints)
		if change(&c); c.String() != o.String() {
			os = append(os, c)
		}
	}
	if f, _ := history.FormOf(o.Verb); o.Make != "" && !f.Must && !s.used(o.Make) {
		with(func(c *history.Operation) { c.Make = "" })
	}
	for _, earlier := range s.best[:at] {
		if earlier.Make == o.On {
			break
		}
		if earlier.Make != "" && history.SortOf(earlier.Make) == history.SortOf(o.On) {
			with(func(c *history.Operation) { c.On = earlier.Make })
		}
	}
	switch o.Verb {
	case "observe", "look":
		return append(os, s.narrower(at)...)
	case "manager":
		with(func(c *history.Operation) { c.Refuse = false })
		with(func(c *history.Operation) { c.Budget = nil })
		with(func(c *history.Operation) { c.Ints[0] = min(c.Ints[0], 1) })
		with(func(c *history.Operation) { c.Ints[0] = min(c.Ints[0], 2) })
	case "session", "continue", "contains", "drop":
		if o.ID != nil && (*o.ID == "" || *o.ID == history.DefaultID) {
			with(func(c *history.Operation) { c.ID = new("a") })
		}
	case "tensor":
		with(func(c *history.Operation) { c.DType, c.Shape, c.Odd = "uint8", []int{1, 512}, false })
		with(func(c *history.Operation) { c.Odd = false })
		with(func(c *history.Operation) { c.Seed = 1 })
	case "refill":
		with(func(c *history.Operation) { c.Seed = 2 })
	case "ensure", "allocate", "new":
		with(func(c *history.Operation) { c.Bound = spec.Bound{} })
		with(func(c *history.Operation) { c.Bound.Axis = 0 })
		with(func(c *history.Operation) { c.Bound.N = min(c.Bound.N, 1) })
	case "commit", "list", "tuple", "map":
		for i := range o.From {
			if len(o.From) > 1 {
				with(func(c *history.Operation) {
					c.From = slices.Delete(c.From, i, i+1)
					if len(c.Keys) > i {
						c.Keys = slices.Delete(c.Keys, i, i+1)
					}
				})
			}
		}
	}
	return os
}

// used says whether any operation needs a slot.
func (s *shrinker) used(slot string) bool {
	return slices.ContainsFunc(s.best, func(o history.Operation) bool { return slices.Contains(o.Slots(), slot) })
}

// narrower are looks at one thing in the stead of a look at many.
func (s *shrinker) narrower(at int) (os []history.Operation) {
	o := s.best[at]
	if o.Verb == "look" {
		if history.SortOf(o.On) == history.Object {
			return []history.Operation{{Verb: "state", On: o.On}, {Verb: "view", On: o.On}}
		}
		os = append(os, history.Operation{Verb: "contents", On: o.On})
		for _, d := range history.Attributes() {
			os = append(os, history.Operation{Verb: "attr", On: o.On, Name: d.Name})
		}
		return os
	}
	for _, made := range s.best[:at] {
		switch history.SortOf(made.Make) {
		case history.Manager:
			os = append(os, history.Operation{Verb: "stats", On: made.Make}, history.Operation{Verb: "members", On: made.Make})
		case history.Session, history.Object:
			os = append(os, history.Operation{Verb: "look", On: made.Make})
		case history.Value:
			os = append(os, history.Operation{Verb: "read", On: made.Make})
		}
	}
	return os
}

// renamed is a history whose slots are numbered from one on.
func renamed(h history.Operations) history.Operations {
	names, next := map[string]string{}, map[history.Sort]int{}
	name := func(slot string) string {
		if slot == "" {
			return ""
		}
		if names[slot] == "" {
			sort := history.SortOf(slot)
			next[sort]++
			names[slot] = history.Slot(sort, next[sort])
		}
		return names[slot]
	}
	out := slices.Clone(h)
	for i, o := range out {
		o.Make, o.On = name(o.Make), name(o.On)
		o.From = slices.Clone(o.From)
		for j := range o.From {
			o.From[j] = name(o.From[j])
		}
		out[i] = o
	}
	return out
}

// reidentified is a history whose sessions are called a, b, c in the order of
// their first request; those that mean the default are left as they are.
func reidentified(h history.Operations) history.Operations {
	ids := map[string]string{}
	out := slices.Clone(h)
	for i, o := range out {
		if o.ID == nil || *o.ID == "" || *o.ID == history.DefaultID {
			continue
		}
		if ids[*o.ID] == "" {
			ids[*o.ID] = string(rune('a' + len(ids)%26))
		}
		out[i].ID = new(ids[*o.ID])
	}
	return out
}

package model

import (
	"fmt"
	"slices"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/search/history"
)

func applyNew(w *World, o history.Operation, got Outcome) *Problem {
	if got.Err != nil {
		return refused("OBJ-21", got.Err)
	}
	x := newObject(*w.kind(o.Kind))
	x.trail.add("OBJ-01")
	if len(o.From) > 0 {
		x.source = w.objects[o.From[0]]
	}
	w.objects[o.Make] = x
	w.everyObject = append(w.everyObject, x)
	return nil
}

func applyAllocate(w *World, o history.Operation, got Outcome) *Problem {
	x := w.objects[o.On]
	w.workOn(x)
	b := o.Bound
	row := pick(x.allocated || x.committed, "OBJ-09", "OBJ-01")
	switch {
	case x.ghost:
		return nil
	case b.N < 0 && got.Err == nil:
		return granted("OBJ-10", "a negative bound")
	case b.N < 0:
		x.trail.add("OBJ-10")
		x.sticky = "OBJ-10"
		if kind := spec.KindOf(got.Err); kind != spec.InvalidArgument {
			return &Problem{Row: "OBJ-10.kind", Aspect: Refusal, Want: "refused as invalid_argument", Got: fmt.Sprintf("refused as %s", kind)}
		}
		return nil
	case got.Err != nil && (x.allocated || x.committed || b.N == 0 && b.Unit != spec.Unbounded):
		x.trail.add(row)
		x.sticky = pick(row == "OBJ-09", row, x.sticky)
		return nil // it may be refused, and then changes nothing
	case got.Err != nil:
		return refused(row, got.Err)
	}
	x.sticky = pick(row == "OBJ-09", row, "")
	x.adrift = x.adrift || len(x.staged) > 0 // whether it stays is not promised
	x.allocated, x.bound = true, b
	x.given = nil
	x.empty()
	if b.N == 0 && b.Unit != spec.Unbounded {
		row = "OBJ-11.zero"
	}
	if x.unstage == "" || row != "OBJ-01" {
		x.wrote(row)
	} else {
		x.wrote(pick(len(x.trail) > 0 && x.trail[len(x.trail)-1] == "OBJ-05", "OBJ-05", row))
	}
	w.counted(x, row)
	return nil
}

func applyCommit(w *World, o history.Operation, got Outcome) *Problem {
	x := w.objects[o.On]
	w.workOn(x)
	vs, clear := w.payloads(o.From)
	if len(vs) == 1 && vs[0].kind == spec.KindSource {
		return w.commitSource(x, w.values[o.From[0]], got)
	}
	switch {
	case x.ghost, x.unknown:
		for _, v := range vs {
			x.given = append(x.given, v.st)
		}
		x.version++
		return nil
	case !x.allocated && x.kind.Appends:
		return w.commitUnallocated(x, got)
	case got.Err != nil:
		return w.commitRefused(x, vs, clear, got)
	}
	if len(vs) == 1 && x.misfit(vs[0]) {
		return granted("RNG-10", fmt.Sprintf("a frame of shape %v in a ring of frames of %v", vs[0].shape, x.content[0].shape))
	}
	w.keep(x, vs, clear)
	return nil
}

// payloads are the values of slots, and whether it is known what each reads as.
func (w *World) payloads(slots []string) (vs []*value, clear bool) {
	clear = true
	for _, slot := range slots {
		c := w.values[slot]
		vs = append(vs, c.tree)
		clear = clear && c.predictable(w.hello)
	}
	return vs, clear
}

func (w *World) commitUnallocated(x *object, got Outcome) *Problem {
	if got.Err == nil {
		return granted("OBJ-07.write", "it is not allocated")
	}
	if spec.KindOf(got.Err) != spec.NotAllocated && asked(w.hello, "OBJ-07.kind") {
		return &Problem{Row: "OBJ-07.kind", Aspect: Refusal, Want: "refused as not_allocated", Got: fmt.Sprintf("refused as %s", spec.KindOf(got.Err))}
	}
	return nil
}

// commitSource follows an extend from a source that fails midway.
func (w *World) commitSource(x *object, c *cell, got Outcome) *Problem {
	vs := c.tree.items
	for _, v := range vs {
		x.given = append(x.given, v.st)
	}
	plain := c.predictable(w.hello) && x.allocated && !x.ghost && !x.unknown
	for _, v := range vs {
		ok, _ := x.takes(v)
		plain = plain && ok && vs[0].dtype == v.dtype && slices.Equal(vs[0].shape, v.shape)
	}
	if got.Err == nil && !x.ghost && x.allocated {
		return granted("OBJ-12.iterable", "its source failed")
	}
	row := pick(x.overflows(len(vs)), x.row(len(vs)), "OBJ-12.iterable")
	leaves, declared := map[string]bool{"none": false, "prefix": true, "all": true}[w.hello.Extend]
	switch {
	case x.ghost || !x.allocated && x.kind.Appends:
		x.version++
	case !plain || !declared || !x.kind.Appends:
		x.version++
		x.committed, x.unknown = true, true
	case leaves:
		x.add(vs...)
		fallthrough
	default:
		x.wrote(row)
		w.counted(x, row)
	}
	return nil
}

// commitRefused judges a refusal of a commit to an object that is allocated.
func (w *World) commitRefused(x *object, vs []*value, clear bool, got Outcome) *Problem {
	if len(vs) == 1 && x.misfit(vs[0]) {
		x.trail.add("RNG-10")
		if spec.KindOf(got.Err) != spec.ShapeMismatch {
			return &Problem{Row: "RNG-10.kind", Aspect: Refusal, Want: "refused as shape_mismatch", Got: fmt.Sprintf("refused as %s", spec.KindOf(got.Err))}
		}
		return nil
	}
	must := clear && x.bound.N > 0 || x.bound.Unit == spec.Unbounded && clear
	for _, v := range vs {
		plain, _ := x.takes(v)
		must = must && plain && vs[0].dtype == v.dtype && slices.Equal(vs[0].shape, v.shape)
	}
	switch {
	case must && (x.kind.Appends || x.allocated && len(vs) == 1):
		row := x.row(len(vs))
		if len(x.content) == 0 {
			row = x.blame(w.hello, row)
		}
		for _, s := range w.within(x) {
			row = w.writes(s, row)
		}
		return refused(row, got.Err)
	case len(vs) == 1 && elements(vs[0].shape) == 0, x.bound.N == 0 && x.bound.Unit != spec.Unbounded:
		return nil // nothing to take, or nowhere to put it
	}
	x.unknown = true
	x.version++
	return nil
}

// keep follows a commit that was granted.
func (w *World) keep(x *object, vs []*value, clear bool) {
	x.allocated = true
	fits := clear && (x.kind.Appends || len(vs) == 1)
	for _, v := range vs {
		_, ok := x.takes(v)
		fits = fits && ok && vs[0].dtype == v.dtype && len(vs[0].shape) == len(v.shape)
		x.given = append(x.given, v.st)
	}
	for _, v := range vs[1:] { // of a ring, all but the time axis
		for i := range v.shape {
			fits = fits && (v.shape[i] == vs[0].shape[i] || !x.ring() || i == x.bound.Axis)
		}
	}
	row := x.row(len(vs))
	if len(vs) == 1 && elements(vs[0].shape) == 0 {
		row = "RNG-01.empty"
	}
	x.wrote(row)
	w.elsewhere(x, "OBJ-18")
	for _, s := range w.within(x) {
		if !s.retained {
			x.trail.add("EVI-05.writable")
		}
	}
	w.counted(x, "ACC-06.object")
	if !fits {
		x.committed, x.unknown = true, true
		return
	}
	x.add(vs...)
	if x.kind.Keeps == "reference" {
		for _, v := range vs {
			if !v.whole() {
				x.unknown = true
			}
		}
	}
}

// elsewhere notes a write for every other object, which it must not reach.
func (w *World) elsewhere(x *object, row string) {
	for _, o := range w.everyObject {
		if o != x {
			o.trail.add(row)
		}
	}
}

func applyPromote(w *World, o history.Operation, got Outcome) *Problem {
	x := w.objects[o.On]
	w.workOn(x)
	switch {
	case x.ghost:
		return nil
	case !x.kind.Staging, len(x.staged) == 0 && !x.adrift:
		if got.Err == nil { // with nothing to promote it may be refused, or do nothing
			x.wrote(pick(x.unstage != "", x.unstage, "OBJ-16"))
		}
		return nil
	case x.adrift, x.unknown, len(x.staged) > 1, !x.allocated && x.kind.Appends:
		if got.Err != nil && !x.allocated {
			return nil // it needs to be allocated first
		}
		x.unknown, x.adrift, x.staged = true, false, nil
		x.committed = true
		x.version++
		return nil
	}
	staged := x.staged[0].from
	_, fits := x.takes(staged)
	if got.Err != nil {
		if plain, _ := x.takes(staged); plain && x.allocated && (x.bound.Unit == spec.Unbounded || x.bound.N > 0) {
			return refused("OBJ-16", got.Err)
		}
		x.adrift = true
		return nil
	}
	entry := x.staged[0]
	x.staged, x.unstage, x.allocated = nil, "OBJ-16", true
	x.wrote(pick(x.trail.last() == "OBJ-15", "OBJ-15", pick(x.overflows(1), x.row(1), "OBJ-16")))
	w.counted(x, "ACC-16")
	if !fits {
		x.unknown, x.committed = true, true
		return nil
	}
	x.add(&value{kind: spec.KindTensor, st: &storage{raw: entry.raw}, dtype: entry.dtype, shape: entry.shape, strides: contiguous(entry.shape)})
	return nil
}

func applyStage(w *World, o history.Operation, got Outcome) *Problem {
	x := w.objects[o.On]
	w.workOn(x)
	vs, clear := w.payloads(o.From)
	switch {
	case x.ghost:
		x.given = append(x.given, vs[0].st)
		return nil
	case got.Err != nil:
		plain, _ := x.takes(vs[0])
		if x.allocated && !x.unknown && x.kind.Staging && plain && clear && len(x.staged) == 0 {
			return refused("OBJ-14", got.Err)
		}
		return nil
	}
	x.given = append(x.given, vs[0].st)
	x.wrote("OBJ-14")
	w.counted(x, "ACC-16")
	if !x.kind.Staging {
		return nil
	}
	if !clear || x.kind.Keeps == "reference" && !vs[0].whole() {
		x.adrift = true
	}
	if len(x.staged) > 0 { // beside the first, or in its stead
		x.adrift = true
	}
	x.staged = []entry{entryOf(vs[0])}
	return nil
}

func applyDiscard(w *World, o history.Operation, got Outcome) *Problem {
	x := w.objects[o.On]
	w.workOn(x)
	if x.ghost {
		return nil
	}
	if got.Err != nil {
		if len(x.staged) == 0 && !x.adrift || !x.kind.Staging {
			return nil
		}
		return refused("OBJ-14.discard", got.Err)
	}
	if len(x.staged) > 0 || x.adrift {
		x.unstage = "OBJ-14.discard"
	}
	for _, e := range x.staged {
		e.from.st.lost = "OBJ-14.discard"
		if !slices.ContainsFunc(x.content, func(c entry) bool { return c.from.st == e.from.st }) {
			x.given = slices.DeleteFunc(x.given, func(st *storage) bool { return st == e.from.st })
		}
	}
	x.staged, x.adrift = nil, false
	x.wrote("OBJ-14.discard")
	w.counted(x, "ACC-16")
	return nil
}

func applyEvict(w *World, o history.Operation, got Outcome) *Problem {
	x := w.objects[o.On]
	w.workOn(x)
	if got.Err != nil {
		if x.ghost {
			return nil
		}
		return refused(pick(x.allocated, "OBJ-06", "OBJ-08"), got.Err)
	}
	if x.ghost {
		return nil
	}
	p := w.freed(x, got.Int)
	x.own++
	x.lose("OBJ-06")
	idle := !x.allocated && !x.committed
	x.allocated, x.bound = false, spec.Bound{}
	x.given = x.given[:0:0]
	for _, e := range x.staged {
		x.given = append(x.given, e.from.st)
	}
	x.empty()
	x.wrote(pick(idle, "OBJ-08", "OBJ-06"))
	if len(x.staged) > 0 {
		x.trail.add("OBJ-15")
	}
	w.counted(x, "OBJ-06")
	for _, s := range w.within(x) {
		for _, c := range s.attrs {
			c.trail.add("ATT-04")
		}
	}
	return p
}

// freed judges what evict says that it freed.
func (w *World) freed(x *object, n int64) *Problem {
	switch {
	case x.ghost, len(x.staged) > 0, x.adrift, x.readers > 0, x.kind.Keeps != "copy", x.fresh != x.version:
		return nil
	case !x.allocated && !x.committed && !x.unknown && n != 0:
		return &Problem{Row: "OBJ-08", Aspect: Answer, Want: "0 bytes freed of an object that is not allocated", Got: fmt.Sprintf("%d bytes", n)}
	case n != x.figure:
		return &Problem{Row: "OBJ-06.bytes", Aspect: Answer, Want: fmt.Sprintf("%d bytes freed, as it reported before", x.figure), Got: fmt.Sprintf("%d bytes", n)}
	}
	return nil
}

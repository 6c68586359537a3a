package model

import (
	"fmt"
	"slices"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/search/history"
)

func applyView(w *World, o history.Operation, got Outcome) *Problem {
	x := w.objects[o.On]
	w.workOn(x)
	if x.ghost || x.unknown {
		w.shows(o, x, got)
		return nil
	}
	absent := !x.allocated && !x.committed
	switch {
	case absent && o.Staged && (len(x.staged) > 0 || x.adrift):
		return nil // there is something to show, and nothing to show it beside
	case absent && got.Err == nil:
		row := "OBJ-07"
		if len(x.shown(got.Reading, x.bound.Axis)) > 0 { // what should have been given up
			row = x.blame(w.hello, row)
		}
		return granted(row, "it is not allocated")
	case absent:
		if spec.KindOf(got.Err) != spec.NotAllocated {
			return &Problem{Row: "OBJ-07.kind", Aspect: Refusal, Want: "refused as not_allocated", Got: fmt.Sprintf("refused as %s", spec.KindOf(got.Err))}
		}
		return nil
	case got.Err != nil:
		if len(x.content) == 0 && !x.kind.Appends || o.Staged && !x.kind.Staging || x.bound.N == 0 && x.bound.Unit != spec.Unbounded {
			return nil // there is nothing to show
		}
		return refused(x.blame(w.hello, "OBJ-02"), got.Err)
	}
	want, known := x.due(o.Staged)
	shown := x.shown(got.Reading, x.bound.Axis)
	if known && !same(want, shown, o.Staged) {
		row := x.blame(w.hello, x.row(1))
		switch {
		case o.Staged:
			row = "OBJ-16.view"
		case row == "OBJ-03" && same(want, shown, true):
			row = "OBJ-02" // order is for that row to ask
		}
		return &Problem{Row: row, Aspect: Content, Want: list(want), Got: list(shown)}
	}
	if known && !o.Staged {
		x.trail = nil
	}
	w.shows(o, x, got)
	return nil
}

// due is what a view shows, and whether that is known.
func (x *object) due(staged bool) (lines []string, known bool) {
	lines = linesOf(x.content)
	if !staged || !x.kind.Staging {
		return lines, true
	}
	if x.adrift {
		return nil, false
	}
	if len(x.staged) == 0 {
		return lines, true
	}
	if !x.kind.Appends {
		return linesOf(x.staged), true
	}
	add := x.staged
	if x.ring() {
		add = x.staged[0].frames(x.bound.Axis)
	}
	if x.bound.Unit != spec.Unbounded && len(x.content)+len(add) > x.bound.N {
		return nil, false // whether room is made for it is left free
	}
	if _, fits := x.takes(x.staged[0].from); !fits {
		return nil, false
	}
	return append(lines, linesOf(add)...), true
}

// same compares lines, in any order where what is staged may stand anywhere.
func same(want, got []string, anyOrder bool) bool {
	if anyOrder {
		want, got = slices.Sorted(slices.Values(want)), slices.Sorted(slices.Values(got))
	}
	return slices.Equal(want, got)
}

// shows keeps what a view showed, for a reader.
func (w *World) shows(o history.Operation, x *object, got Outcome) {
	if o.Make == "" || got.Err != nil || got.None {
		return
	}
	c := newCell(valueOf(got.Reading))
	c.borrowed, c.version = x, x.version
	x.readers++
	c.trail.add("OBJ-22")
	w.values[o.Make] = c
}

func applyLast(w *World, o history.Operation, got Outcome) *Problem {
	x, n := w.objects[o.On], o.Ints[0]
	w.workOn(x)
	if x.ghost || x.unknown || !x.ring() || n <= 0 || !x.kind.Appends {
		w.shows(o, x, got)
		return nil
	}
	switch {
	case n > x.bound.N:
		if got.Err == nil {
			return granted("RNG-02.view", fmt.Sprintf("it retains %d frames", x.bound.N))
		}
		return nil
	case n > len(x.content):
		w.shows(o, x, got) // fewer have come: refused, or padded as the reader likes
		return nil
	case got.Err != nil:
		return refused(x.blame(w.hello, "RNG-03"), got.Err)
	}
	want := linesOf(x.content[len(x.content)-n:])
	shown := shownItem(got.Reading, x.bound.Axis, true)
	if !slices.Equal(want, shown) {
		return &Problem{Row: "RNG-03", Aspect: Content, Want: list(want), Got: list(shown)}
	}
	w.shows(o, x, got)
	return nil
}

func applyState(w *World, o history.Operation, got Outcome) *Problem {
	x := w.objects[o.On]
	w.workOn(x)
	if got.Err != nil {
		if x.ghost || w.wiped(x) {
			return nil
		}
		return refused(pick(x.allocated, "OBJ-21", "OBJ-08"), got.Err)
	}
	total := got.State.Total()
	x.figure, x.fresh = total, x.version
	if p := w.spied(x, got.State.Calls); p != nil {
		return p
	}
	if p := w.recomputes(x, got.State.Recomputable); p != nil {
		return p
	}
	resident, known := x.resident()
	if known && got.State.Resident != resident {
		return &Problem{Row: x.blame(w.hello, pick(resident, "OBJ-01", "OBJ-08")), Aspect: Residency,
			Want: fmt.Sprintf("resident: %t", resident), Got: fmt.Sprintf("resident: %t", got.State.Resident)}
	}
	if known && !resident && !x.allocated && len(x.staged) == 0 && !x.adrift && total != 0 {
		row := x.blame(w.hello, "OBJ-08")
		if x.unstage != "" && slices.Contains(x.trail, x.unstage) { // what is left may be what was staged
			row = x.unstage
		}
		return &Problem{Row: row, Aspect: Residency, Want: "0 bytes of an object that is not allocated", Got: fmt.Sprintf("%d bytes", total)}
	}
	if known && x.bound.Unit != spec.Unbounded && x.bound.N == 0 && len(x.staged) == 0 && !x.adrift && total != 0 {
		return &Problem{Row: x.blame(w.hello, "OBJ-11.zero"), Aspect: Residency, Want: "0 bytes at a bound of zero", Got: fmt.Sprintf("%d bytes", total)}
	}
	if known && resident == got.State.Resident && len(x.content) == 0 && len(x.trail) > 0 && !resident {
		x.trail = x.trail[:0]
	}
	return nil
}

// recomputes judges whether an object says that it can be made again: exactly
// while it names a source and that is resident.
func (w *World) recomputes(x *object, is bool) *Problem {
	want, known := false, !x.ghost
	if x.source != nil {
		want, known = x.source.resident()
		known = known && !x.ghost
	}
	if !known || is == want {
		return nil
	}
	return &Problem{Row: "OBJ-17", Aspect: Answer, Want: fmt.Sprintf("recomputable: %t", want), Got: fmt.Sprintf("recomputable: %t", is)}
}

// wiped says whether an object is in a session that was dropped.
func (w *World) wiped(x *object) bool {
	return slices.ContainsFunc(w.within(x), func(s *session) bool { return s.dropped || s.lost })
}

// spied judges what a spy recorded: no evict or reset that nobody asked for.
func (w *World) spied(x *object, calls []string) *Problem {
	if x.kind.Kind != spec.Spy || x.ghost {
		return nil
	}
	n := 0
	for _, c := range calls {
		if c == "evict" || c == "reset" {
			n++
		}
	}
	more := n - x.calls
	allowed := x.own
	x.calls, x.own = n, 0
	if more > allowed {
		return &Problem{Row: "EVI-06", Aspect: Residency, Want: fmt.Sprintf("%d calls of evict or reset, as many as were asked for", allowed), Got: fmt.Sprintf("%d in %q", more, calls)}
	}
	return nil
}

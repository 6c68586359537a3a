package model

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/search/history"
)

// Outcome is what came of an operation: the part of it that the operation has.
type Outcome struct {
	Err      error
	None     bool // it made nothing, and Reading is of nothing
	Is       bool
	Int      int64
	Reading  spec.Reading
	State    spec.ObjectState
	Stats    spec.Stats
	Contents spec.Contents
	Memory   spec.Memory
}

// World is all that a history has made, as it has to be.
type World struct {
	// Tag begins the name of every storage that is tracked: storages of an
	// earlier history may live on in the subject.
	Tag string

	// Looking is set while more is looked at because something is wrong: what is
	// asked then is not what broke it.
	Looking bool

	hello spec.Hello
	clock int

	managers map[string]*manager
	sessions map[string]*session
	objects  map[string]*object
	values   map[string]*cell
	via      map[string]string // by the slot of an object that was found, not made: the row by which it is that one

	everySession []*session // that is retained or held
	everyObject  []*object
	tensors      []*storage // that are tracked
}

// New is the world of a subject before anything has been asked of it.
func New(h spec.Hello) *World {
	return &World{hello: h, managers: map[string]*manager{}, sessions: map[string]*session{},
		objects: map[string]*object{}, values: map[string]*cell{}, via: map[string]string{}}
}

// has says whether a slot is there.
func (w *World) has(slot string) bool {
	switch history.SortOf(slot) {
	case history.Manager:
		return w.managers[slot] != nil
	case history.Session:
		return w.sessions[slot] != nil
	case history.Object:
		return w.objects[slot] != nil
	case history.Value:
		return w.values[slot] != nil
	}
	return false
}

// Can says whether an operation can be asked: its slots are there, and the
// subject claims what it needs. One that cannot is to be passed over.
func (w *World) Can(o history.Operation) bool {
	for _, slot := range o.Slots() {
		if !w.has(slot) {
			return false
		}
	}
	if o.Make != "" && w.has(o.Make) {
		return false
	}
	needs, gated := capabilities[o.Verb]
	if gated && !w.claims(needs...) {
		return false
	}
	return w.sensible(o)
}

// capabilities are what verbs need beyond the floor.
var capabilities = map[string][]spec.Capability{
	"continue": {spec.CanContinue}, "drop": {spec.CanDrop}, "raise-cap": {spec.CanRaiseCap},
	"stage": {spec.CanStage}, "discard": {spec.CanStage}, "promote": {spec.CanStage, spec.CanPromote},
	"collect": {spec.CanCollect}, "source": {spec.CanFail},
}

func (w *World) claims(cs ...spec.Capability) bool {
	for _, c := range cs {
		if !slices.Contains(w.hello.Can, c) {
			return false
		}
	}
	return true
}

// sensible says whether an operation asks something that is promised at all.
func (w *World) sensible(o history.Operation) bool {
	switch o.Verb {
	case "manager":
		return !o.Refuse || w.claims(spec.CanRefuse)
	case "new":
		return w.kind(o.Kind) != nil && (len(o.From) == 0 || w.claims(spec.CanRecompute))
	case "ensure":
		return w.kind(o.Kind) != nil && bounded(*w.kind(o.Kind), o.Bound) && (o.Bound.Unit == spec.Unbounded || o.Bound.N > 0)
	case "allocate":
		return bounded(w.objects[o.On].kind, o.Bound)
	case "view":
		return !o.Staged || w.claims(spec.CanStage, spec.CanPromote)
	case "commit", "stage", "source":
		fails := func(v string) bool { return w.values[v].tree != nil && w.values[v].tree.kind == spec.KindSource }
		if o.Verb == "commit" && len(o.From) == 1 && fails(o.From[0]) {
			return true
		}
		return !slices.ContainsFunc(o.From, func(v string) bool { return !w.values[v].tree.isPayload() })
	case "narrow", "transpose", "alias", "expand", "reshape", "retype":
		return w.values[o.On].tree.isTensor()
	case "refill":
		return w.values[o.On].tree.isTensor() && !w.values[o.On].wild && !w.values[o.On].tree.spread()
	case "append", "replace", "clear":
		return w.values[o.On].tree.isList() && !w.values[o.On].wild && !slices.ContainsFunc(o.From, func(v string) bool { return w.contains(v, o.On) })
	case "item":
		t := w.values[o.On].tree
		return (t.isList() || t != nil && t.kind == spec.KindTuple) && o.Ints[0] >= 0 && o.Ints[0] < len(t.items)
	case "set":
		return slices.ContainsFunc(history.Attributes(), func(d spec.AttrDecl) bool { return d.Name == o.Name }) && w.settable(o)
	case "attr":
		return slices.ContainsFunc(history.Attributes(), func(d spec.AttrDecl) bool { return d.Name == o.Name })
	case "set-of":
		return slices.Contains(w.hello.Holds, spec.KindSet) && w.distinct(o.From)
	case "list", "tuple", "map", "record", "instance", "bool", "float", "nothing":
		return slices.Contains(w.hello.Holds, kindOf(o.Verb))
	case "tensor":
		return !o.Array || slices.Contains(w.hello.Holds, spec.KindArray)
	}
	return true
}

// settable leaves out values of kinds that an attribute cannot hold.
func (w *World) settable(o history.Operation) bool {
	if len(o.From) == 0 {
		return true
	}
	fine := true
	w.values[o.From[0]].tree.walk(0, func(v *value) { fine = fine && slices.Contains(w.hello.Holds, v.kind) })
	return fine
}

// distinct says whether values are different ones in every language: some take 1,
// 1.0 and true for the same.
func (w *World) distinct(slots []string) bool {
	seen, numbers := map[string]bool{}, 0
	for _, slot := range slots {
		v := w.values[slot].tree
		line := v.line()
		if seen[line] {
			return false
		}
		seen[line] = true
		if v != nil && (v.kind == spec.KindInt || v.kind == spec.KindBool || v.kind == spec.KindFloat) {
			numbers++
		}
	}
	return numbers < 2
}

// contains says whether a container would come to contain itself.
func (w *World) contains(in, container string) bool {
	found := false
	w.values[in].tree.walk(0, func(v *value) { found = found || v == w.values[container].tree })
	return found
}

func (w *World) kind(k spec.ObjectKind) *spec.KindInfo {
	i := slices.IndexFunc(w.hello.Kinds, func(i spec.KindInfo) bool { return i.Kind == k })
	if i < 0 || k == spec.Spy && !w.claims(spec.CanSpy) {
		return nil
	}
	return &w.hello.Kinds[i]
}

// bounded says whether a kind takes a bound.
func bounded(k spec.KindInfo, b spec.Bound) bool {
	return slices.Contains(k.Bounds, b.Unit) || len(k.Bounds) == 0 && b.Unit == spec.Unbounded
}

// Unsure is a manager of which it has to be asked who is retained, before
// anything else is: what counts as use does not tell.
func (w *World) Unsure() (slot string) {
	for _, slot := range slices.Sorted(maps.Keys(w.managers)) {
		if w.managers[slot].unsure {
			return slot
		}
	}
	return ""
}

// Expand is what an operation comes to: itself, or several that look at many
// things.
func (w *World) Expand(o history.Operation) (os []history.Operation) {
	switch o.Verb {
	case "members":
		for _, id := range w.managers[o.On].ids {
			os = append(os, history.Operation{Verb: "contains", On: o.On, ID: &id})
		}
	case "look":
		if history.SortOf(o.On) == history.Object {
			return []history.Operation{{Verb: "state", On: o.On}, {Verb: "view", On: o.On}}
		}
		return w.lookAt(o.On)
	case "evict":
		look := history.Operation{Verb: "state", On: o.On}
		return []history.Operation{look, o, look}
	case "observe":
		return w.everything()
	default:
		return []history.Operation{o}
	}
	return os
}

// passing is a slot that no history can name.
const passing = "o0"

func (w *World) lookAt(slot string) (os []history.Operation) {
	os = append(os, history.Operation{Verb: "contents", On: slot})
	for _, d := range history.Attributes() {
		os = append(os, history.Operation{Verb: "attr", On: slot, Name: d.Name})
	}
	for _, name := range slices.Sorted(maps.Keys(w.sessions[slot].objects)) {
		os = append(os, history.Operation{Make: passing, Verb: "object", On: slot, Name: name}, history.Operation{Verb: "state", On: passing},
			history.Operation{Verb: "view", On: passing}, history.Operation{Verb: "release", On: passing})
	}
	return os
}

func (w *World) everything() (os []history.Operation) {
	for _, slot := range sorted(w.values) {
		os = append(os, history.Operation{Verb: "read", On: slot})
	}
	for _, slot := range sorted(w.sessions) {
		os = append(os, w.lookAt(slot)...)
	}
	for _, slot := range sorted(w.objects) {
		os = append(os, w.Expand(history.Operation{Verb: "look", On: slot})...)
	}
	for _, slot := range sorted(w.managers) {
		os = append(os, history.Operation{Verb: "stats", On: slot})
		os = append(os, w.Expand(history.Operation{Verb: "members", On: slot})...)
	}
	return os
}

// sorted are slots by their numbers.
func sorted[T any](slots map[string]T) []string {
	return slices.SortedFunc(maps.Keys(slots), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
}

// Apply takes what came of an operation that [World.Can] be asked and that is
// one of its own [World.Expand]. Unsupported is no answer to judge: nothing was
// made or done.
func (w *World) Apply(o history.Operation, got Outcome) *Problem {
	if spec.KindOf(got.Err) == spec.Unsupported {
		return w.lacks(o, got)
	}
	apply, ok := applies[o.Verb]
	if !ok {
		return nil
	}
	p := apply(w, o, got)
	if p != nil && p.Call == "" {
		p.Call = o.String()
	}
	if p != nil && !asked(w.hello, p.Row) {
		return nil
	}
	return p
}

// lacks judges an operation that the subject does not have: every kind of object
// has those of the lifecycle.
func (w *World) lacks(o history.Operation, got Outcome) *Problem {
	if x := w.objects[o.On]; x == nil || x.ghost || o.Staged || len(o.From) > 0 && w.values[o.From[0]].tree.kind == spec.KindSource {
		return nil
	}
	switch o.Verb {
	case "allocate", "commit", "view", "evict", "reset", "state":
		return &Problem{Row: "OBJ-21", Aspect: Refusal, Call: o.String(), Want: "done, or refused by the implementation", Got: got.Err.Error()}
	}
	return nil
}

// Look is what else to look at where an operation came to something wrong, the
// nearest first: where more is wrong, that says better what is broken.
func (w *World) Look(o history.Operation, p *Problem) (os []history.Operation) {
	same := func(slot string) []history.Operation {
		return []history.Operation{{Verb: "state", On: slot}, {Verb: "view", On: slot}}
	}
	if x := w.objects[o.On]; x != nil && p.Aspect != Content && p.Aspect != Residency && o.Verb != "view" {
		os = append(os, same(o.On)...)
	}
	if o.Staged || o.Verb == "last" {
		os = append(os, same(o.On)...)
	}
	if p.Aspect != Bytes && p.Aspect != Names {
		return os
	}
	for _, slot := range sorted(w.objects) {
		os = append(os, same(slot)...)
	}
	for _, slot := range sorted(w.sessions) {
		for _, look := range w.lookAt(slot) {
			if look.Verb != "contents" {
				os = append(os, look)
			}
		}
	}
	return os
}

// Beside are the slots of the same object or session as an operation was asked
// of, and Found is the row by which they are the same; empty where nothing says
// so.
func (w *World) Beside(o history.Operation) (slots []string, found string) {
	if s := w.sessions[o.On]; s != nil {
		for _, slot := range sorted(w.sessions) {
			if w.sessions[slot] == s && slot != o.On {
				slots = append(slots, slot)
			}
		}
		return slots, pick(o.Verb == "attr", "ATT-03", "OBJ-18")
	}
	for _, slot := range sorted(w.objects) {
		if w.objects[slot] == w.objects[o.On] && w.objects[o.On] != nil && slot != o.On && w.via[slot] == "" {
			slots = append(slots, slot)
		}
	}
	return slots, w.via[o.On]
}

type applied func(w *World, o history.Operation, got Outcome) *Problem

var applies = map[string]applied{
	"manager": applyManager, "session": applySession, "continue": applyContinue, "contains": applyContains,
	"stats": applyStats, "drop": applyDrop, "raise-cap": applyRaise,

	"ensure": applyEnsure, "object": applyObject, "put": applyPut, "attr": applyAttr, "set": applySet,
	"contents": applyContents,

	"new": applyNew, "allocate": applyAllocate, "commit": applyCommit, "promote": applyPromote, "stage": applyStage,
	"discard": applyDiscard, "view": applyView, "last": applyLast, "evict": applyEvict, "state": applyState,

	"reset": applyReset, "release": applyRelease,

	"tensor": applyMake, "narrow": applyMake, "transpose": applyMake, "alias": applyMake, "item": applyItem,
	"expand": applyMake, "reshape": applyMake, "retype": applyMake,
	"list": applyMake, "tuple": applyMake, "map": applyMake, "set-of": applyMake, "record": applyMake, "instance": applyMake,
	"int": applyMake, "text": applyMake, "bool": applyMake, "float": applyMake, "nothing": applyMake, "source": applyMake,
	"refill": applyRefill, "append": applyEdit, "replace": applyEdit, "clear": applyEdit, "read": applyRead,
	"collect": applyCollect,
}

// refused is a problem where a call was refused that had to be granted.
func refused(row string, err error) *Problem {
	return &Problem{Row: row, Aspect: Refusal, Want: "done", Got: fmt.Sprintf("refused (%v)", err)}
}

// granted is a problem where a call was granted that had to be refused.
func granted(row, why string) *Problem {
	return &Problem{Row: row, Aspect: Refusal, Want: "refused, " + why, Got: "done"}
}

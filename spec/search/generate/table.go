package generate

import (
	"slices"

	"github.com/statespec/statespec/spec/search/history"
)

func (g *generator) tableStep() {
	g.choose([]choice{
		{34, g.addSession},
		{6, func() { g.asked("continue") }},
		{8, func() { g.asked("contains") }},
		{7, func() { g.on(history.Manager, "members") }},
		{6, func() { g.on(history.Manager, "stats") }},
		{5, func() { g.asked("drop") }},
		{3, g.raise},
		{5, g.releaseSome},
		{2, g.otherManager},
		{2, func() { g.on(history.Session, "reset") }},
	})
}

func (g *generator) manager() string {
	m, _ := g.any(g.slots[history.Manager])
	return m
}

// id is one of the history's ids.
func (g *generator) id() string { return g.ids[g.r.IntN(len(g.ids))] }

// addSession asks for a session. Most are held; some requests name none.
func (g *generator) addSession() {
	o := history.Operation{Verb: "session", On: g.manager(), ID: new(g.id())}
	if *o.ID == "" && g.chance(2) {
		o.ID = nil
	}
	if g.r.IntN(3) > 0 || len(g.slots[history.Session]) == 0 {
		o.Make = g.slot(history.Session)
	}
	g.add(o)
}

// asked adds a verb that names an id. An empty one is asked of sessions alone.
func (g *generator) asked(verb string) {
	id := g.id()
	if id == "" {
		id = "default"
	}
	o := history.Operation{Verb: verb, On: g.manager(), ID: &id}
	if verb == "continue" && g.chance(2) {
		o.Make = g.slot(history.Session)
	}
	g.add(o)
}

func (g *generator) raise() {
	g.add(history.Operation{Verb: "raise-cap", On: g.manager(), Ints: []int{g.r.IntN(6) - 1}})
}

func (g *generator) otherManager() {
	if len(g.slots[history.Manager]) > 1 {
		g.addSession()
		return
	}
	if g.chance(4) {
		g.add(history.Operation{Make: g.slot(history.Manager), Verb: "manager", Ints: []int{-g.r.IntN(2)}})
		slots := g.slots[history.Manager]
		g.slots[history.Manager] = slots[:len(slots)-1] // it is to be refused
		return
	}
	g.add(history.Operation{Make: g.slot(history.Manager), Verb: "manager", Ints: []int{1 + g.r.IntN(2)}})
}

func (g *generator) releaseSome() {
	s := []history.Sort{history.Session, history.Object, history.Value}[g.r.IntN(3)]
	if slot, ok := g.any(g.slots[s]); ok {
		g.release(slot)
	}
}

func (g *generator) release(slot string) {
	without := func(of []string) []string {
		return slices.DeleteFunc(slices.Clone(of), func(x string) bool { return x == slot })
	}
	g.slots[history.SortOf(slot)] = without(g.slots[history.SortOf(slot)])
	g.tensors, g.lists, g.views = without(g.tensors), without(g.lists), without(g.views)
	g.add(history.Operation{Verb: "release", On: slot})
}

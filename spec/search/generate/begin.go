package generate

import (
	"github.com/statespec/statespec/spec/search/history"
)

// ids are what histories call sessions. The first three are one session.
var ids = []string{"", "default", "a", "b", "c", "d", "A", "a "}

// payloads are what most of a history's payloads look like. Their storages are
// multiples of 512 bytes, which the usual allocators give as they are asked for:
// then bytes are predicted exactly.
var payloads = []recipe{
	{"float32", []int{1, 128}}, {"float32", []int{2, 1, 64}}, {"uint8", []int{1, 512}}, {"bfloat16", []int{1, 4, 64}},
}

// begin makes a manager, as many ids as make it interesting, and the payload.
func (g *generator) begin() {
	g.mode = mode(g.r.IntN(int(modes)))
	o := history.Operation{Make: g.slot(history.Manager), Verb: "manager", Ints: []int{1 + g.r.IntN(3)}}
	if g.chance(8) {
		o.Refuse = true
	} else if g.chance(6) {
		o.Budget = new(int64(1 + g.r.IntN(1024)))
	}
	g.add(o)
	n := 3 + g.r.IntN(4)
	for _, i := range g.r.Perm(len(ids))[:n] {
		g.ids = append(g.ids, ids[i])
	}
	g.payload = payloads[g.r.IntN(len(payloads))]
	g.shapes = map[string][]int{}
	g.addSession()
}

// step adds an operation, or a few that belong together.
func (g *generator) step() {
	weights := map[mode][4]int{tables: {70, 10, 12, 8}, objects: {12, 62, 12, 14}, carried: {15, 8, 65, 12}, mixed: {30, 30, 28, 12}}[g.mode]
	pick := g.r.IntN(weights[0] + weights[1] + weights[2] + weights[3])
	for i, do := range []func(){g.tableStep, g.objectStep, g.valueStep, g.lookStep} {
		if pick -= weights[i]; pick < 0 {
			do()
			return
		}
	}
}

// A choice is one thing that may come next, and how often it does.
type choice struct {
	weight int
	do     func()
}

func (g *generator) choose(cs []choice) {
	sum := 0
	for _, c := range cs {
		sum += c.weight
	}
	pick := g.r.IntN(sum)
	for _, c := range cs {
		if pick -= c.weight; pick < 0 {
			c.do()
			return
		}
	}
}

func (g *generator) lookStep() {
	g.choose([]choice{
		{5, func() { g.add(history.Operation{Verb: "observe"}) }},
		{4, func() { g.on(history.Manager, "stats") }},
		{3, func() { g.on(history.Manager, "members") }},
		{4, func() { g.on(history.Session, "look") }},
		{4, func() { g.on(history.Object, "look") }},
		{3, func() { g.on(history.Value, "read") }},
		{1, func() { g.on(history.Session, "contents") }},
		{1, g.collect},
		{1, g.leak},
	})
}

// leak gives a tensor away, ends what has it, lets go of it and collects: nothing
// is to be left of it.
func (g *generator) leak() {
	h := g.slot(history.Session)
	id := g.id()
	g.add(history.Operation{Make: h, Verb: "session", On: g.manager(), ID: &id})
	v := g.tensor(g.payload)
	if g.chance(2) {
		held := v
		if g.chance(2) {
			held = g.slot(history.Value)
			g.add(history.Operation{Make: held, Verb: "list", From: []string{v}})
		}
		g.add(history.Operation{Verb: "set", On: h, Name: attributes[g.r.IntN(3)], From: []string{held}})
		if held != v {
			g.release(held)
		}
		g.release(v)
		g.endSession(h, id)
	} else {
		o := g.slot(history.Object)
		k := g.kind()
		g.add(history.Operation{Make: o, Verb: "ensure", On: h, Name: g.objectName(), Kind: k, Bound: g.bound(k, 1)})
		g.add(history.Operation{Verb: []string{"commit", "stage"}[g.r.IntN(2)], On: o, From: []string{v}})
		g.release(v)
		switch g.r.IntN(4) {
		case 0:
			g.add(history.Operation{Verb: "evict", On: o})
		case 1:
			g.add(history.Operation{Verb: "reset", On: o})
		case 2:
			g.add(history.Operation{Verb: "discard", On: o})
		default:
			g.release(o)
			g.endSession(h, id)
		}
	}
	g.add(history.Operation{Verb: "collect"})
}

// endSession ends a session in one of three ways.
func (g *generator) endSession(h, id string) {
	if id == "" {
		id = history.DefaultID
	}
	switch g.r.IntN(3) {
	case 0:
		g.add(history.Operation{Verb: "reset", On: h})
	case 1:
		g.release(h)
		g.add(history.Operation{Verb: "drop", On: g.manager(), ID: &id})
	default:
		g.release(h)
		for range 3 {
			g.add(history.Operation{Verb: "session", On: g.manager(), ID: new(g.id())})
		}
	}
}

// collect lets go of everything but managers first, now and then: then much has
// to go.
func (g *generator) collect() {
	if g.chance(2) {
		for _, s := range []history.Sort{history.Value, history.Object} {
			for len(g.slots[s]) > 0 {
				g.release(g.slots[s][0])
			}
		}
	}
	if slot, ok := g.any(g.slots[history.Session]); ok && g.chance(2) {
		g.release(slot)
	}
	g.add(history.Operation{Verb: "collect"})
}

// on adds a verb without operands, of some slot of a sort.
func (g *generator) on(s history.Sort, verb string) {
	if slot, ok := g.any(g.slots[s]); ok {
		g.add(history.Operation{Verb: verb, On: slot})
	}
}

package generate

import (
	"slices"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/search/history"
)

var objectNames = []string{"latents", "ring"}

func (g *generator) objectStep() {
	if len(g.slots[history.Object]) == 0 {
		g.ensure()
		return
	}
	g.choose([]choice{
		{10, g.ensure},
		{4, g.object},
		{4, g.put},
		{3, g.newObject},
		{5, g.allocate},
		{22, g.commit},
		{6, g.extend},
		{6, g.stage},
		{5, func() { g.on(history.Object, "promote") }},
		{2, g.discard},
		{3, g.edges},
		{3, g.twoViews},
		{9, g.view},
		{6, g.last},
		{4, func() { g.on(history.Object, "evict") }},
		{3, func() { g.on(history.Object, "reset") }},
		{5, func() { g.on(history.Object, "state") }},
		{4, g.overwrite},
		{3, g.editView},
		{1, func() { g.on(history.Session, "reset") }},
		{2, g.releaseSome},
	})
}

func (g *generator) kind() spec.ObjectKind {
	switch n := g.r.IntN(10); {
	case n < 7:
		return spec.LatentBuffer
	case n < 9:
		return spec.EncodeOnceKV
	}
	return spec.Spy
}

// bound is a small bound of a kind: faults are at the edges. An object that is
// made by a session has at least one place.
func (g *generator) bound(k spec.ObjectKind, least int) (b spec.Bound) {
	if k == spec.EncodeOnceKV {
		return b
	}
	switch g.r.IntN(3) {
	case 0:
		b.Unit = spec.Payloads
	case 1:
		b.Unit, b.Axis = spec.Frames, g.axis()
	default:
		return b
	}
	b.N = least + g.r.IntN(4-least)
	if least == 0 && g.chance(8) {
		b.N = -1
	}
	return b
}

// axis is the time axis of the history's payloads: the first, or now and then
// the second.
func (g *generator) axis() int {
	if len(g.payload.shape) > 2 {
		return 1
	}
	return 0
}

func (g *generator) ensure() {
	h, ok := g.any(g.slots[history.Session])
	if !ok {
		g.addSession()
		return
	}
	k := g.kind()
	g.add(history.Operation{Make: g.slot(history.Object), Verb: "ensure", On: h, Name: g.objectName(), Kind: k, Bound: g.bound(k, 1)})
}

func (g *generator) objectName() string { return objectNames[g.r.IntN(len(objectNames))] }

func (g *generator) object() {
	if h, ok := g.any(g.slots[history.Session]); ok {
		g.add(history.Operation{Make: g.slot(history.Object), Verb: "object", On: h, Name: g.objectName()})
	}
}

func (g *generator) put() {
	h, ok := g.any(g.slots[history.Session])
	o, has := g.any(g.slots[history.Object])
	if ok && has {
		g.add(history.Operation{Verb: "put", On: h, Name: g.objectName(), From: []string{o}})
	}
}

func (g *generator) newObject() {
	k, slot := g.kind(), g.slot(history.Object)
	o := history.Operation{Make: slot, Verb: "new", Kind: k}
	if source, ok := g.any(g.slots[history.Object]); ok && g.chance(3) {
		o.From = []string{source}
	}
	g.add(o)
	if g.r.IntN(3) > 0 {
		g.add(history.Operation{Verb: "allocate", On: slot, Bound: g.bound(k, 1)})
	}
}

func (g *generator) allocate() {
	if o, ok := g.any(g.slots[history.Object]); ok {
		g.add(history.Operation{Verb: "allocate", On: o, Bound: g.bound(spec.LatentBuffer, 0)})
	}
}

// commit commits a new payload: mostly of the history's shape, with one or more
// frames; now and then a view, or one of another shape.
func (g *generator) commit() {
	o, ok := g.any(g.slots[history.Object])
	if !ok {
		return
	}
	g.add(history.Operation{Verb: "commit", On: o, From: []string{g.payloadFor()}})
}

func (g *generator) extend() {
	o, ok := g.any(g.slots[history.Object])
	if !ok {
		return
	}
	var vs []string
	for range 2 + g.r.IntN(3) {
		if g.r.IntN(3) > 0 {
			vs = append(vs, g.tensor(g.payload))
		} else {
			vs = append(vs, g.payloadFor())
		}
	}
	if g.chance(5) {
		slot := g.slot(history.Value)
		g.add(history.Operation{Make: slot, Verb: "source", From: vs})
		vs = []string{slot}
	}
	g.add(history.Operation{Verb: "commit", On: o, From: vs})
	if g.chance(3) {
		g.seed++
		g.add(history.Operation{Verb: "refill", On: vs[len(vs)-1], Seed: g.seed})
		g.add(history.Operation{Verb: "look", On: o})
	}
}

func (g *generator) payloadFor() string {
	switch g.r.IntN(10) {
	case 0:
		if v, ok := g.any(g.tensors); ok {
			return v
		}
	case 1:
		shape := slices.Clone(g.payload.shape)
		shape[g.axis()] = g.r.IntN(6)
		return g.tensor(recipe{g.payload.dtype, shape})
	case 2:
		return g.narrowOf(g.tensor(g.many(3)))
	case 3:
		shape := slices.Clone(g.payload.shape)
		shape[len(shape)-1] *= 2
		return g.tensor(recipe{g.payload.dtype, shape})
	}
	v := g.tensor(g.payload)
	g.ops[len(g.ops)-1].Odd = g.chance(4)
	return v
}

// many is the history's payload with n frames.
func (g *generator) many(n int) recipe {
	shape := slices.Clone(g.payload.shape)
	shape[g.axis()] = n
	return recipe{g.payload.dtype, shape}
}

func (g *generator) stage() {
	o, ok := g.any(g.slots[history.Object])
	if !ok {
		return
	}
	g.add(history.Operation{Verb: "stage", On: o, From: []string{g.tensor(g.payload)}})
	g.choose([]choice{
		{3, func() { g.add(history.Operation{Verb: "promote", On: o}) }},
		{2, func() { g.add(history.Operation{Verb: "discard", On: o}) }},
		{2, func() { g.add(history.Operation{Verb: "view", On: o}) }},
		{2, func() { g.add(history.Operation{Verb: "view", On: o, Staged: true}) }},
		{1, func() { g.add(history.Operation{Verb: "evict", On: o}) }},
		{1, func() { g.add(history.Operation{Verb: "reset", On: o}) }},
		{2, func() {}},
	})
}

// discard discards what is staged, and looks whether it is gone.
func (g *generator) discard() {
	o, ok := g.any(g.slots[history.Object])
	if !ok {
		return
	}
	g.add(history.Operation{Verb: "stage", On: o, From: []string{g.tensor(g.payload)}})
	g.add(history.Operation{Verb: "discard", On: o})
	g.choose([]choice{
		{2, func() { g.add(history.Operation{Verb: "promote", On: o}) }},
		{2, func() { g.add(history.Operation{Verb: "view", On: o, Staged: true}) }},
		{1, func() { g.add(history.Operation{Verb: "evict", On: o}) }},
	})
	g.add(history.Operation{Verb: "look", On: o})
}

// edges allocates at a bound that is none, or at one that keeps nothing, and goes
// on.
func (g *generator) edges() {
	o, ok := g.any(g.slots[history.Object])
	if !ok {
		return
	}
	if g.chance(2) {
		g.add(history.Operation{Verb: []string{"reset", "evict"}[g.r.IntN(2)], On: o})
		g.add(history.Operation{Verb: "allocate", On: o, Bound: g.bound(spec.LatentBuffer, 1)})
		g.add(history.Operation{Verb: "look", On: o})
		return
	}
	b := spec.Bound{Unit: spec.Payloads, N: -g.r.IntN(2)}
	if g.chance(2) {
		b.Unit, b.Axis = spec.Frames, g.axis()
	}
	g.add(history.Operation{Verb: "allocate", On: o, Bound: b})
	if g.chance(2) {
		for range 1 + g.r.IntN(2) {
			g.add(history.Operation{Verb: "commit", On: o, From: []string{g.tensor(g.payload)}})
		}
	}
	g.add(history.Operation{Verb: "look", On: o})
}

// twoViews holds one view while another thing is looked at.
func (g *generator) twoViews() {
	o, ok := g.any(g.slots[history.Object])
	other, _ := g.any(g.slots[history.Object])
	if !ok {
		return
	}
	v := g.slot(history.Value)
	if g.chance(2) {
		g.add(history.Operation{Make: v, Verb: "view", On: o})
		g.add(history.Operation{Verb: "view", On: other})
	} else {
		g.add(history.Operation{Make: v, Verb: "last", On: o, Ints: []int{1 + g.r.IntN(2)}})
		g.add(history.Operation{Verb: "last", On: other, Ints: []int{1}})
	}
	g.add(history.Operation{Verb: "read", On: v})
}

func (g *generator) view() {
	o, ok := g.any(g.slots[history.Object])
	if !ok {
		return
	}
	v := history.Operation{Verb: "view", On: o, Staged: g.chance(6)}
	if g.chance(2) && !v.Staged {
		v.Make = g.slot(history.Value)
		g.views = append(g.views, v.Make)
	}
	g.add(v)
}

func (g *generator) last() {
	o, ok := g.any(g.slots[history.Object])
	if !ok {
		return
	}
	v := history.Operation{Verb: "last", On: o, Ints: []int{1 + g.r.IntN(4)}}
	if g.chance(3) {
		v.Make = g.slot(history.Value)
		g.views = append(g.views, v.Make)
	}
	g.add(v)
}

// overwrite writes into what was handed over, and looks at who has it.
func (g *generator) overwrite() {
	v, ok := g.any(g.tensors)
	if !ok {
		return
	}
	g.seed++
	g.add(history.Operation{Verb: "refill", On: v, Seed: g.seed})
	if g.chance(2) {
		g.on(history.Object, "look")
	}
}

// editView changes the list that an object showed, as its reader can.
func (g *generator) editView() {
	v, ok := g.any(g.views)
	if !ok {
		return
	}
	switch g.r.IntN(3) {
	case 0:
		g.add(history.Operation{Verb: "clear", On: v})
	case 1:
		g.add(history.Operation{Verb: "replace", On: v, Ints: []int{0}, From: []string{g.tensor(g.payload)}})
	default:
		g.add(history.Operation{Verb: "append", On: v, From: []string{g.tensor(g.payload)}})
	}
	g.on(history.Object, "view")
}

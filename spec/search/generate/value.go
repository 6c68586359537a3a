package generate

import (
	"slices"

	"github.com/statespec/statespec/spec/search/history"
)

var attributes = []string{"x", "y", "z"}

func (g *generator) valueStep() {
	if len(g.slots[history.Session]) == 0 {
		g.addSession()
		return
	}
	g.choose([]choice{
		{22, func() { g.set(g.value()) }},
		{4, func() { g.set("") }},
		{8, func() { g.set(g.viewOf()) }},
		{5, g.shareOut},
		{8, g.attr},
		{6, g.change},
		{7, g.growAttribute},
		{4, g.changeDefault},
		{5, g.tensorAlone},
		{4, func() { g.on(history.Manager, "stats") }},
		{2, func() { g.on(history.Session, "reset") }},
		{2, func() { g.on(history.Session, "contents") }},
		{3, g.releaseSome},
		{3, g.borrow},
		{4, g.releaseHeld},
	})
}

// tensor makes a tensor in a slot of its own.
func (g *generator) tensor(s recipe) string {
	g.seed++
	slot := g.slot(history.Value)
	g.add(history.Operation{Make: slot, Verb: "tensor", DType: s.dtype, Shape: s.shape, Seed: g.seed})
	g.tensors = append(g.tensors, slot)
	g.shapes[slot] = s.shape
	return slot
}

// sizes are of tensors that attributes hold: no two, nor twice one, come to the
// same.
var sizes = []recipe{{"uint8", []int{512}}, {"float32", []int{3, 128}}, {"uint8", []int{9, 512}}, {"bfloat16", []int{2, 256}}}

// strange are tensors of other dtypes, in bits that arithmetic would change.
var strange = []recipe{{"float32", []int{1, 128}}, {"float16", []int{256}}, {"bfloat16", []int{256}}, {"float64", []int{2, 64}},
	{"int64", []int{64}}, {"complex64", []int{64}}, {"bool", []int{512}}, {"float32", []int{0, 3}}}

func (g *generator) strangeTensor() string {
	s := strange[g.r.IntN(len(strange))]
	v := g.tensor(s)
	g.ops[len(g.ops)-1].Odd = true
	return v
}

// scalar is a value without storage. The floats are minus zero, a NaN with a
// payload, a subnormal, an infinity and a whole number.
func (g *generator) scalar() string {
	floats := []string{"8000000000000000", "7ff8000000000123", "0000000000000001", "7ff0000000000000", "4008000000000000"}
	o := history.Operation{Make: g.slot(history.Value)}
	switch g.r.IntN(6) {
	case 0, 1:
		o.Verb, o.Ints = "int", []int{[]int{0, 1, 7, -3, 1 << 20}[g.r.IntN(5)]}
	case 2:
		o.Verb, o.Text = "text", []string{"", "prompt", "3", " caf\u00e9 "}[g.r.IntN(4)]
	case 3:
		o.Verb, o.Ints = "bool", []int{g.r.IntN(2)}
	case 4:
		o.Verb, o.Text = "float", floats[g.r.IntN(len(floats))]
	default:
		o.Verb = "nothing"
	}
	g.add(o)
	return o.Make
}

func (g *generator) tensorAlone() { g.tensor(sizes[g.r.IntN(len(sizes))]) }

// value is something for an attribute.
func (g *generator) value() string {
	switch g.r.IntN(12) {
	case 0, 1, 2:
		return g.tensor(sizes[g.r.IntN(len(sizes))])
	case 3:
		return g.strangeTensor()
	case 4:
		if v, ok := g.any(g.tensors); ok {
			return v
		}
		return g.tensor(g.payload)
	case 5, 6:
		return g.container("list")
	case 7:
		return g.container([]string{"tuple", "map"}[g.r.IntN(2)])
	case 8:
		return g.container([]string{"record", "instance", "set-of"}[g.r.IntN(3)])
	case 9:
		v := g.tensor(recipe{"uint8", []int{3, 512}})
		g.ops[len(g.ops)-1].Array = true
		g.tensors = g.tensors[:len(g.tensors)-1] // an object cannot be given it
		return v
	}
	return g.scalar()
}

func (g *generator) container(verb string) string {
	var from, keys []string
	n := g.r.IntN(4)
	if n == 0 && verb != "list" {
		n = 2
	}
	for i := range n {
		if g.chance(5) {
			from = append(from, g.scalar())
		} else if v, ok := g.any(slices.Concat(g.tensors, g.lists)); ok && g.chance(2) {
			from = append(from, v)
		} else {
			from = append(from, g.tensor(sizes[g.r.IntN(len(sizes))]))
		}
		keys = append(keys, string(rune('j'+i)))
	}
	o := history.Operation{Make: g.slot(history.Value), Verb: verb, From: from}
	switch verb {
	case "map":
		o.Keys = keys
	case "list":
		g.lists = append(g.lists, o.Make)
	}
	g.add(o)
	return o.Make
}

// viewOf makes a view of a tensor; empty when there is none.
func (g *generator) viewOf() string {
	v, ok := g.any(g.tensors)
	if !ok {
		v = g.tensor(sizes[1])
	}
	switch g.r.IntN(6) {
	case 4:
		slot := g.slot(history.Value)
		s := recipe{"uint8", []int{1, 512}}
		g.add(history.Operation{Make: slot, Verb: "expand", On: g.tensor(s), Shape: []int{3, 512}})
		return slot
	case 5:
		slot := g.slot(history.Value)
		if g.chance(2) {
			g.add(history.Operation{Make: slot, Verb: "reshape", On: g.tensor(sizes[2]), Shape: []int{3, 3 * 512}})
		} else {
			g.add(history.Operation{Make: slot, Verb: "retype", On: g.tensor(sizes[1]), DType: "int32"})
		}
		return slot
	case 0:
		slot := g.slot(history.Value)
		g.add(history.Operation{Make: slot, Verb: "alias", On: v})
		g.tensors = append(g.tensors, slot)
		g.shapes[slot] = g.shapes[v]
		return slot
	case 1:
		if n := len(g.shapes[v]); n > 1 {
			slot := g.slot(history.Value)
			g.add(history.Operation{Make: slot, Verb: "transpose", On: v, Ints: []int{0, n - 1}})
			shape := slices.Clone(g.shapes[v])
			shape[0], shape[n-1] = shape[n-1], shape[0]
			g.tensors = append(g.tensors, slot)
			g.shapes[slot] = shape
			return slot
		}
	}
	return g.narrowOf(v)
}

// narrowOf makes a slice of a tensor along its longest axis but the last, or its
// only one.
func (g *generator) narrowOf(v string) string {
	shape := slices.Clone(g.shapes[v])
	axis := 0
	for i := range shape[:max(1, len(shape)-1)] {
		if shape[i] > shape[axis] {
			axis = i
		}
	}
	length := 1
	if shape[axis] > 3 {
		length = shape[axis] / 2
	}
	start := 0
	if shape[axis] > length {
		start = g.r.IntN(shape[axis] - length + 1)
	}
	if shape[axis] == 0 {
		length = 0
	}
	slot := g.slot(history.Value)
	g.add(history.Operation{Make: slot, Verb: "narrow", On: v, Ints: []int{axis, start, length}})
	shape[axis] = length
	g.tensors = append(g.tensors, slot)
	g.shapes[slot] = shape
	return slot
}

// set writes an attribute of some session; an empty slot clears it.
func (g *generator) set(v string) {
	h, ok := g.any(g.slots[history.Session])
	if !ok {
		return
	}
	o := history.Operation{Verb: "set", On: h, Name: attributes[g.r.IntN(len(attributes))]}
	if v != "" {
		o.From = []string{v}
	}
	if g.chance(12) {
		o.Name = "n"
	}
	g.add(o)
}

// shareOut writes one storage into two attributes, writes through it so that it
// shows whether they share it, and counts.
func (g *generator) shareOut() {
	v := g.tensor(sizes[1+g.r.IntN(2)])
	for range 1 + g.r.IntN(2) {
		g.set([]func(string) string{
			func(v string) string { return v },
			g.narrowOf,
			g.narrowOf,
			func(v string) string { return g.other(v, history.Operation{Verb: "alias"}) },
			func(v string) string { return g.other(v, history.Operation{Verb: "transpose", Ints: []int{0, 1}}) },
			func(v string) string { return g.other(v, history.Operation{Verb: "narrow", Ints: []int{1, 0, 64}}) },
			func(v string) string { return g.other(v, history.Operation{Verb: "list", From: []string{v}}) },
		}[g.r.IntN(7)](v))
	}
	g.seed++
	g.add(history.Operation{Verb: "refill", On: v, Seed: g.seed})
	for range 2 {
		g.on(history.Session, "look")
	}
	g.add(history.Operation{Verb: "stats", On: g.manager()})
}

// other makes something else of a tensor.
func (g *generator) other(v string, o history.Operation) string {
	o.Make = g.slot(history.Value)
	if len(o.From) == 0 {
		o.On = v
	}
	g.add(o)
	return o.Make
}

func (g *generator) attr() {
	h, ok := g.any(g.slots[history.Session])
	if !ok {
		return
	}
	o := history.Operation{Verb: "attr", On: h, Name: append(attributes, "n", "pending")[g.r.IntN(5)]}
	if g.chance(3) {
		o.Make = g.slot(history.Value)
	}
	g.add(o)
}

// change writes into what was handed over.
func (g *generator) change() {
	v, ok := g.any(g.tensors)
	if !ok {
		return
	}
	g.seed++
	g.add(history.Operation{Verb: "refill", On: v, Seed: g.seed})
}

// growAttribute changes a list that a session may hold, through the handle of who
// made it, and counts.
func (g *generator) growAttribute() {
	l, ok := g.any(g.lists)
	if !ok {
		l = g.container("list")
	}
	h, _ := g.any(g.slots[history.Session])
	if g.chance(2) && h != "" {
		g.add(history.Operation{Verb: "set", On: h, Name: attributes[g.r.IntN(2)], From: []string{l}})
		g.add(history.Operation{Verb: "stats", On: g.manager()})
	}
	switch g.r.IntN(4) {
	case 0:
		g.add(history.Operation{Verb: "clear", On: l})
	case 1:
		g.add(history.Operation{Verb: "replace", On: l, Ints: []int{0}, From: []string{g.tensor(sizes[2])}})
	default:
		g.add(history.Operation{Verb: "append", On: l, From: []string{g.tensor(sizes[1])}})
	}
	if h != "" {
		g.add(history.Operation{Verb: "look", On: h})
	}
	g.add(history.Operation{Verb: "stats", On: g.manager()})
}

// changeDefault changes the list that an attribute reads as which was never
// written, and looks at another session's.
func (g *generator) changeDefault() {
	h, ok := g.any(g.slots[history.Session])
	if !ok {
		return
	}
	v := g.slot(history.Value)
	g.add(history.Operation{Make: v, Verb: "attr", On: h, Name: "pending"})
	g.add(history.Operation{Verb: "append", On: v, From: []string{g.tensor(sizes[0])}})
	if other, ok := g.any(g.slots[history.Session]); ok {
		g.add(history.Operation{Verb: "attr", On: other, Name: "pending"})
	}
}

// borrow puts what an object showed into an attribute.
func (g *generator) borrow() {
	v, ok := g.any(g.views)
	if !ok {
		return
	}
	item := g.slot(history.Value)
	g.add(history.Operation{Make: item, Verb: "item", On: v, Ints: []int{0}})
	g.set(item)
}

// releaseHeld lets go of a session or a tensor, so that the manager alone has it.
func (g *generator) releaseHeld() {
	if v, ok := g.any(g.tensors); ok && g.chance(2) {
		g.release(v)
		return
	}
	if len(g.slots[history.Session]) > 1 {
		if h, ok := g.any(g.slots[history.Session]); ok {
			g.release(h)
		}
	}
}

package search

import (
	"fmt"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/search/history"
	"github.com/statespec/statespec/spec/search/model"
)

// request makes one request of the subject, and keeps what it makes in its slot.
func (p *player) request(o history.Operation) model.Outcome {
	switch history.SortOf(o.On) {
	case history.Manager:
		return p.ofManager(o, p.handles[o.On].(spec.Manager))
	case history.Session:
		return p.ofSession(o, p.handles[o.On].(spec.Session))
	case history.Object:
		return p.ofObject(o, p.handles[o.On].(spec.Object))
	case history.Value:
		return p.ofValue(o, p.handles[o.On].(spec.Value))
	}
	return p.ofSubject(o)
}

// keep holds what was made under its slot, or lets go of it at once.
func keep[H spec.Handle](p *player, o history.Operation, h H, err error) (out model.Outcome) {
	if out.Err = err; err != nil {
		return out
	}
	if o.Make == "" {
		out.Err = h.Release()
		return out
	}
	p.handles[o.Make] = h
	return out
}

// shown reads a value that an operation gave, and keeps it.
func (p *player) shown(o history.Operation, v spec.Value, err error) (out model.Outcome) {
	if out.Err = err; err != nil {
		return out
	}
	if v == nil {
		out.None, out.Reading.Kind = true, spec.KindNone
		return out
	}
	r, err := v.Read()
	if err != nil {
		return model.Outcome{Err: err}
	}
	out = keep(p, o, v, nil)
	out.Reading = r
	return out
}

func (p *player) release(o history.Operation) (out model.Outcome) {
	out.Err = p.handles[o.On].Release()
	delete(p.handles, o.On)
	return out
}

func (p *player) ofManager(o history.Operation, m spec.Manager) (out model.Outcome) {
	switch o.Verb {
	case "session":
		var ids []string
		if o.ID != nil {
			ids = []string{*o.ID}
		}
		s, err := m.Session(ids...)
		return keep(p, o, s, err)
	case "continue":
		s, err := m.Continue(*o.ID)
		return keep(p, o, s, err)
	case "contains":
		out.Is, out.Err = m.Contains(*o.ID)
	case "stats":
		out.Stats, out.Err = m.Stats()
	case "drop":
		out.Is, out.Err = m.Drop(*o.ID)
	case "raise-cap":
		out.Is, out.Err = m.RaiseCap(o.Ints[0])
	case "release":
		return p.release(o)
	}
	return out
}

func (p *player) ofSession(o history.Operation, s spec.Session) (out model.Outcome) {
	switch o.Verb {
	case "ensure":
		x, err := s.Ensure(o.Name, spec.ObjectSpec{Kind: o.Kind, Bound: o.Bound})
		return keep(p, o, x, err)
	case "object":
		x, err := s.Object(o.Name)
		return keep(p, o, x, err)
	case "put":
		out.Err = s.Put(o.Name, p.handles[o.From[0]].(spec.Object))
	case "attr":
		v, err := s.Attr(o.Name)
		return p.shown(o, v, err)
	case "set":
		var v spec.Value
		if len(o.From) > 0 {
			v = p.handles[o.From[0]].(spec.Value)
		}
		out.Err = s.SetAttr(o.Name, v)
	case "contents":
		out.Contents, out.Err = s.Contents()
	case "reset":
		out.Err = s.Reset()
	case "release":
		return p.release(o)
	}
	return out
}

func (p *player) ofObject(o history.Operation, x spec.Object) (out model.Outcome) {
	switch o.Verb {
	case "allocate":
		out.Err = x.Allocate(o.Bound)
	case "commit":
		out.Err = x.Commit(p.values(o.From)...)
	case "promote":
		out.Err = x.Commit()
	case "stage":
		out.Err = x.Stage(p.values(o.From)[0])
	case "discard":
		out.Err = x.Discard()
	case "view":
		v, err := x.View(spec.View{Staged: o.Staged})
		return p.shown(o, v, err)
	case "last":
		v, err := x.View(spec.View{Last: &o.Ints[0]})
		return p.shown(o, v, err)
	case "evict":
		out.Int, out.Err = x.Evict()
	case "reset":
		out.Err = x.Reset()
	case "state":
		out.State, out.Err = x.State()
	case "release":
		return p.release(o)
	}
	return out
}

func (p *player) values(slots []string) []spec.Value {
	vs := make([]spec.Value, len(slots))
	for i, slot := range slots {
		vs[i] = p.handles[slot].(spec.Value)
	}
	return vs
}

func (p *player) ofValue(o history.Operation, v spec.Value) (out model.Outcome) {
	switch o.Verb {
	case "narrow":
		return p.make(o, spec.Narrow(v, o.Ints[0], o.Ints[1], o.Ints[2]))
	case "transpose":
		return p.make(o, spec.Transpose(v, o.Ints[0], o.Ints[1]))
	case "alias":
		return p.make(o, spec.Alias(v))
	case "expand":
		return p.make(o, spec.Expand(v, o.Shape...))
	case "reshape":
		return p.make(o, spec.Reshape(v, o.Shape...))
	case "retype":
		return p.make(o, spec.Retype(v, o.DType))
	case "item":
		return p.make(o, spec.Item(v, o.Ints[0]))
	case "refill":
		out.Err = v.Edit(spec.Refill(o.Seed))
	case "append":
		out.Err = v.Edit(spec.Append(p.values(o.From)[0]))
	case "replace":
		out.Err = v.Edit(spec.Replace(o.Ints[0], p.values(o.From)[0]))
	case "clear":
		out.Err = v.Edit(spec.Clear())
	case "read":
		out.Reading, out.Err = v.Read()
	case "release":
		return p.release(o)
	}
	return out
}

func (p *player) make(o history.Operation, r spec.Recipe) model.Outcome {
	v, err := p.c.Make(r)
	if err == nil && v == nil {
		err = spec.Refuse(spec.Unsupported, "%s: it made nothing", o.Verb)
	}
	return keep(p, o, v, err)
}

func (p *player) ofSubject(o history.Operation) (out model.Outcome) {
	switch o.Verb {
	case "manager":
		m, err := p.c.NewManager(spec.ManagerSpec{Cap: &o.Ints[0], Refuse: o.Refuse, ByteBudget: o.Budget, Attrs: history.Attributes()})
		return keep(p, o, m, err)
	case "new":
		want := spec.ObjectSpec{Kind: o.Kind}
		if len(o.From) > 0 {
			want.Source = p.handles[o.From[0]].(spec.Object)
		}
		x, err := p.c.NewObject(want)
		return keep(p, o, x, err)
	case "tensor":
		return p.make(o, p.tensor(o))
	case "list":
		return p.make(o, spec.List(p.values(o.From)...))
	case "tuple":
		return p.make(o, spec.Tuple(p.values(o.From)...))
	case "set-of":
		return p.make(o, spec.Set(p.values(o.From)...))
	case "record":
		return p.make(o, spec.Struct(history.Fields(len(o.From)), p.values(o.From)...))
	case "instance":
		return p.make(o, spec.Instance(history.Fields(len(o.From)), p.values(o.From)...))
	case "source":
		return p.make(o, spec.FailAfter(p.values(o.From)...))
	case "nothing":
		return p.make(o, spec.Nothing())
	case "bool":
		return p.make(o, spec.Bool(o.Ints[0] != 0))
	case "float":
		return p.make(o, spec.Float(o.Text))
	case "int":
		return p.make(o, spec.Int(int64(o.Ints[0])))
	case "text":
		return p.make(o, spec.Text(o.Text))
	case "map":
		return p.makeMap(o)
	case "collect":
		out.Memory, out.Err = p.c.Memory()
	}
	return out
}

// tensor is the recipe of a tensor.
func (p *player) tensor(o history.Operation) spec.Recipe {
	r := spec.Tensor(o.DType, o.Seed, o.Shape...)
	if o.Odd {
		n := 1
		for _, d := range o.Shape {
			n *= d
		}
		r = spec.Bits(o.DType, history.OddBytes(o.DType, o.Seed, n), o.Shape...)
	}
	if o.Array {
		r = r.AsHostArray()
	}
	if p.tracked {
		r = r.Tracked(p.tag + o.Make)
	}
	return r
}

func (p *player) makeMap(o history.Operation) model.Outcome {
	var pairs, keys []spec.Value
	for i, key := range o.Keys {
		k, err := p.c.Make(spec.Text(key))
		if err != nil {
			return model.Outcome{Err: err}
		}
		keys = append(keys, k)
		pairs = append(pairs, k, p.handles[o.From[i]].(spec.Value))
	}
	out := p.make(o, spec.Map(pairs...))
	for _, k := range keys {
		if err := k.Release(); err != nil && out.Err == nil {
			out.Err = err
		}
	}
	return out
}

// told is what came of a request, for a person.
func told(o history.Operation, out model.Outcome) string {
	switch {
	case out.Err != nil:
		return "refused: " + out.Err.Error()
	case out.Reading.Kind != "":
		return model.Line(out.Reading)
	}
	switch o.Verb {
	case "contains", "drop", "raise-cap":
		return fmt.Sprint(out.Is)
	case "evict":
		return fmt.Sprintf("%d bytes freed", out.Int)
	case "state":
		return fmt.Sprintf("resident: %t, %d bytes", out.State.Resident, out.State.Total())
	case "stats":
		return fmt.Sprint(out.Stats.Counts)
	case "contents":
		return fmt.Sprintf("objects %q, attributes %q", out.Contents.Objects, out.Contents.Attrs)
	case "collect":
		return fmt.Sprintf("alive: %q", out.Memory.Alive)
	}
	return "done"
}

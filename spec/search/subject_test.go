package search_test

import (
	"context"
	"os"
	"slices"

	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec"
)

// A variant is the reference with some answers changed.
type variant struct {
	row  string // that it breaks; empty for one that dies
	most int    // operations of a shrunk history

	hello   func(*spec.Hello)
	spec    func(spec.ManagerSpec) spec.ManagerSpec
	manager func(*spec.Stats)
	drop    func()
	session func(spec.Session, spec.Subject) spec.Session
	object  func(spec.Object) spec.Object
}

func (v variant) factory() spec.Factory {
	return func(ctx context.Context, p spec.Process) (spec.Subject, error) {
		s, err := subject.New(ctx, p)
		return varied{s, v}, err
	}
}

type varied struct {
	spec.Subject
	v variant
}

func (s varied) Hello() spec.Hello {
	h := s.Subject.Hello()
	h.Name = "variant"
	if s.v.hello != nil {
		s.v.hello(&h)
	}
	return h
}

func (s varied) NewManager(m spec.ManagerSpec) (spec.Manager, error) {
	if s.v.spec != nil {
		m = s.v.spec(m)
	}
	made, err := s.Subject.NewManager(m)
	return variedManager{made, s}, err
}

func (s varied) NewObject(o spec.ObjectSpec) (spec.Object, error) {
	if o.Source != nil {
		o.Source = bare(o.Source)
	}
	made, err := s.Subject.NewObject(o)
	return s.wrap(made), err
}

// wrap is an object as the variant shows it.
func (s varied) wrap(o spec.Object) spec.Object {
	if o == nil || s.v.object == nil {
		return o
	}
	return s.v.object(o)
}

// bare is the object in a variant's.
func bare(o spec.Object) spec.Object {
	if w, ok := o.(interface{ bare() spec.Object }); ok {
		return w.bare()
	}
	return o
}

type variedManager struct {
	spec.Manager
	s varied
}

func (m variedManager) Session(ids ...string) (spec.Session, error) {
	s, err := m.Manager.Session(ids...)
	return m.wrap(s), err
}

func (m variedManager) Continue(id string) (spec.Session, error) {
	s, err := m.Manager.Continue(id)
	return m.wrap(s), err
}

func (m variedManager) wrap(s spec.Session) spec.Session {
	if s == nil {
		return nil
	}
	s = variedSession{s, m.s}
	if m.s.v.session != nil {
		s = m.s.v.session(s, m.s.Subject)
	}
	return s
}

func (m variedManager) Stats() (spec.Stats, error) {
	st, err := m.Manager.Stats()
	if m.s.v.manager != nil {
		m.s.v.manager(&st)
	}
	return st, err
}

func (m variedManager) Drop(id string) (bool, error) {
	if m.s.v.drop != nil {
		m.s.v.drop()
	}
	return m.Manager.Drop(id)
}

type variedSession struct {
	spec.Session
	s varied
}

func (s variedSession) Object(name string) (spec.Object, error) {
	o, err := s.Session.Object(name)
	return s.s.wrap(o), err
}

func (s variedSession) Ensure(name string, want spec.ObjectSpec) (spec.Object, error) {
	o, err := s.Session.Ensure(name, want)
	return s.s.wrap(o), err
}

func (s variedSession) Put(name string, o spec.Object) error { return s.Session.Put(name, bare(o)) }

// copying keeps copies of the tensors that attributes are given.
type copying struct {
	spec.Session
	subject spec.Subject
}

func (s copying) SetAttr(name string, v spec.Value) error {
	if v == nil {
		return s.Session.SetAttr(name, nil)
	}
	r, err := v.Read()
	if err != nil || r.Kind != spec.KindTensor {
		return s.Session.SetAttr(name, v)
	}
	own, err := s.subject.Make(spec.Bits(r.DType, append([]byte{}, r.Bytes...), r.Shape...))
	if err != nil {
		return err
	}
	return s.Session.SetAttr(name, own)
}

// forgetful loses what is written to attribute x a second time.
type forgetful struct{ spec.Session }

func (s forgetful) SetAttr(name string, v spec.Value) error {
	if old, _ := s.Session.Attr(name); name == "x" && v != nil && old != nil {
		if r, _ := old.Read(); r.Kind != spec.KindNone {
			return nil
		}
	}
	return s.Session.SetAttr(name, v)
}

// An object whose discard, or second allocate, is another.
type changedObject struct {
	spec.Object
	discards func(spec.Object) error
	refuses  bool
}

func (o changedObject) bare() spec.Object { return o.Object }

func (o changedObject) Discard() error {
	if o.discards != nil {
		return o.discards(o.Object)
	}
	return o.Object.Discard()
}

func (o changedObject) Allocate(b spec.Bound) error {
	if st, _ := o.State(); o.refuses && st.Resident {
		return spec.Refuse(spec.InvalidArgument, "it is allocated")
	}
	return o.Object.Allocate(b)
}

// wrongs are managers with a fault.
var wrongs = map[string]variant{
	"has one place more": {row: "EVI-01", most: 6, spec: func(m spec.ManagerSpec) spec.ManagerSpec {
		if *m.Cap > 0 {
			m.Cap = new(*m.Cap + 1)
		}
		return m
	}},
	"forgets the budget": {row: "EVI-20", most: 2, spec: func(m spec.ManagerSpec) spec.ManagerSpec { m.ByteBudget = nil; return m }},
	"counts every hit twice": {row: "EVI-10", most: 4, manager: func(st *spec.Stats) {
		st.Counts["hits"] *= 2
	}},
	"counts no attribute": {row: "ACC-06", most: 6, manager: func(st *spec.Stats) {
		st.Counts["total_nbytes"] = 0
		delete(st.Counts, "nbytes:cpu")
	}, hello: func(h *spec.Hello) { h.Kinds = nil }},
	"loses a second write":  {row: "ATT-01", most: 7, session: func(s spec.Session, _ spec.Subject) spec.Session { return forgetful{s} }},
	"empties it at discard": {row: "OBJ-14.discard", most: 7, object: func(o spec.Object) spec.Object { return changedObject{Object: o, discards: spec.Object.Reset} }},
	"exits at a drop":       {drop: func() { os.Exit(9) }},
	"panics at a drop":      {drop: func() { panic("a drop") }},
}

// others are managers that differ from the reference where they may.
var others = map[string]variant{
	"claims nothing": {hello: func(h *spec.Hello) {
		h.Can, h.Views, h.Drop, h.Staged, h.Extend, h.Layers = nil, "", "", "", "", []spec.Layer{spec.LayerManager}
	}},
	"keeps copies of tensors":   {session: func(s spec.Session, on spec.Subject) spec.Session { return copying{s, on} }},
	"refuses to allocate again": {object: func(o spec.Object) spec.Object { return changedObject{Object: o, refuses: true} }},
	"does not say what is use":  {hello: func(h *spec.Hello) { h.Use = "access" }},
	"has one kind of object": {hello: func(h *spec.Hello) {
		h.Kinds = slices.DeleteFunc(h.Kinds, func(k spec.KindInfo) bool { return k.Kind != spec.LatentBuffer })
	}},
	"gives no counters": {manager: func(st *spec.Stats) {
		st.Retained = nil
		for _, name := range []string{"hits", "misses", "evictions", "sessions"} {
			delete(st.Counts, name)
		}
	}},
}

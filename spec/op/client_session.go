package op

import "github.com/statespec/statespec/spec"

type sessionHandle struct{ remote }

func (s *sessionHandle) Object(name string) (spec.Object, error) {
	return s.c.object("object", Params{On: s.h, Name: name})
}

func (s *sessionHandle) Ensure(name string, o spec.ObjectSpec) (spec.Object, error) {
	return s.c.object("ensure", Params{On: s.h, Name: name, ObjectSpec: &o, Object: handleOf(o.Source)})
}

func (s *sessionHandle) Put(name string, o spec.Object) error {
	return s.ask("put", Params{Name: name, Object: handleOf(o)})
}

func (s *sessionHandle) Attr(name string) (spec.Value, error) {
	return s.c.value("attr", Params{On: s.h, Name: name})
}

func (s *sessionHandle) SetAttr(name string, v spec.Value) error {
	p := Params{Name: name}
	if v != nil {
		p.Values = []Handle{handleOf(v)}
	}
	return s.ask("set_attr", p)
}

func (s *sessionHandle) Contents() (spec.Contents, error) {
	r, err := s.c.call(Call{"contents", Params{On: s.h}})
	if err != nil {
		return spec.Contents{}, err
	}
	return *r.Contents, nil
}

func (s *sessionHandle) Reset() error { return s.ask("reset", Params{}) }

func (s *sessionHandle) Park(name string) (int64, error) { return s.count("park", Params{Name: name}) }

func (s *sessionHandle) Unpark(name string) (int64, error) {
	return s.count("unpark", Params{Name: name})
}

// count sends a call on the handle whose result is a number.
func (r remote) count(method string, p Params) (int64, error) {
	p.On = r.h
	got, err := r.c.call(Call{method, p})
	if err != nil {
		return 0, err
	}
	return got.Int, nil
}

// ask sends a call on the handle whose result is nothing.
func (r remote) ask(method string, p Params) error {
	p.On = r.h
	_, err := r.c.call(Call{method, p})
	return err
}

type objectHandle struct{ remote }

func (o *objectHandle) Allocate(b spec.Bound) error { return o.ask("allocate", Params{Bound: &b}) }

func (o *objectHandle) Commit(vs ...spec.Value) error {
	return o.ask("commit", Params{Values: handlesOf(vs)})
}

func (o *objectHandle) Stage(v spec.Value) error {
	return o.ask("stage", Params{Values: []Handle{handleOf(v)}})
}

func (o *objectHandle) Discard() error { return o.ask("discard", Params{}) }

func (o *objectHandle) View(v spec.View) (spec.Value, error) {
	return o.c.value("view", Params{On: o.h, View: &v})
}

func (o *objectHandle) Evict() (int64, error) {
	return o.count("evict", Params{})
}

func (o *objectHandle) Reset() error { return o.ask("reset", Params{}) }

func (o *objectHandle) State() (spec.ObjectState, error) {
	r, err := o.c.call(Call{"state", Params{On: o.h}})
	if err != nil {
		return spec.ObjectState{}, err
	}
	return *r.State, nil
}

type value struct{ remote }

func (v *value) Read() (spec.Reading, error) {
	r, err := v.c.call(Call{"read", Params{On: v.h}})
	if err != nil {
		return spec.Reading{}, err
	}
	if err := r.Reading.Widened(); err != nil {
		v.c.mu.Lock()
		defer v.c.mu.Unlock()
		return spec.Reading{}, v.c.garbled(Call{Method: "read"}, err.Error())
	}
	return *r.Reading, nil
}

func (v *value) Edit(e spec.Edit) error {
	return v.ask("edit", Params{Edit: &e, Values: handlesOf(e.With)})
}

type model struct{ remote }

func (m *model) Path() (string, error) {
	r, err := m.c.call(Call{"path", Params{On: m.h}})
	if err != nil {
		return "", err
	}
	return r.Text, nil
}

func (m *model) Open(ids ...string) (spec.State, error) {
	name, err := id(ids)
	if err != nil {
		return nil, err
	}
	r, ok, err := m.c.make(OnState, "open", Params{On: m.h, Session: name})
	if !ok {
		return nil, err
	}
	return &stateHandle{r}, nil
}

func (m *model) End(id string) error { return m.ask("end", Params{Session: &id}) }

type stateHandle struct{ remote }

func (s *stateHandle) Do(st spec.Step) (spec.Value, error) {
	return s.c.value("do", Params{On: s.h, Step: &st, Named: handlesByName(st.With)})
}

func handlesByName(vs map[string]spec.Value) map[string]Handle {
	hs := make(map[string]Handle, len(vs))
	for k, v := range vs {
		hs[k] = handleOf(v)
	}
	return hs
}

package op

import (
	"fmt"
	"os"
	"slices"

	"github.com/statespec/statespec/spec"
)

// call is one operation while it is being served.
type call struct {
	d  *Dispatcher
	on spec.Handle // the receiver, nil for the subject
	p  *Params
	r  *Result
}

func (c *call) manager() spec.Manager { return c.on.(spec.Manager) }
func (c *call) session() spec.Session { return c.on.(spec.Session) }
func (c *call) object() spec.Object   { return c.on.(spec.Object) }
func (c *call) value() spec.Value     { return c.on.(spec.Value) }
func (c *call) model() spec.Model     { return c.on.(spec.Model) }
func (c *call) state() spec.State     { return c.on.(spec.State) }

// ids is the session id as the port takes it: none when the request names none.
func (c *call) ids() []string {
	if c.p.Session == nil {
		return nil
	}
	return []string{*c.p.Session}
}

// keep holds what an operation made under the name that the harness chose.
func keep[H spec.Handle](c *call, h H, err error) error {
	if err != nil {
		return err
	}
	if any(h) == nil {
		c.r.None = true
		return nil
	}
	return c.d.hold(c.p.As, h)
}

// held finds a handle of one kind by its name.
func held[H spec.Handle](c *call, name Handle) (H, error) {
	h, ok := c.d.find(name).(H)
	if !ok {
		return h, spec.Refuse(spec.Internal, "params: the handle %q is not held, or is of another kind", name)
	}
	return h, nil
}

// values finds several values by their names.
func (c *call) values(names []Handle) ([]spec.Value, error) {
	vs := make([]spec.Value, len(names))
	for i, n := range names {
		v, err := held[spec.Value](c, n)
		if err != nil {
			return nil, err
		}
		vs[i] = v
	}
	return vs, nil
}

// source is the object that params.object names, nil when it names none.
func (c *call) source() (spec.Object, error) {
	if c.p.Object == "" {
		return nil, nil
	}
	return held[spec.Object](c, c.p.Object)
}

func hello(c *call) error {
	h := c.d.subject.Hello()
	c.r.Hello = &h
	return nil
}

func resolve(c *call) error {
	r, err := c.d.subject.Resolve(*c.p.Config)
	c.r.Resolution = &r
	return err
}

func newManager(c *call) error {
	for _, a := range c.p.ManagerSpec.Attrs {
		if err := checkRecipe(a.Default, 0); err != nil {
			return err
		}
	}
	m, err := c.d.subject.NewManager(*c.p.ManagerSpec)
	return keep(c, m, err)
}

func newObject(c *call) error {
	s, err := c.objectSpec()
	if err != nil {
		return err
	}
	o, err := c.d.subject.NewObject(s)
	return keep(c, o, err)
}

// objectSpec is params.object_spec with its source in place.
func (c *call) objectSpec() (spec.ObjectSpec, error) {
	s := *c.p.ObjectSpec
	var err error
	s.Source, err = c.source()
	return s, err
}

func newModel(c *call) error {
	s := *c.p.ModelSpec
	if c.p.Manager != "" {
		m, err := held[spec.Manager](c, c.p.Manager)
		if err != nil {
			return err
		}
		s.Manager = m
	}
	m, err := c.d.subject.NewModel(s)
	return keep(c, m, err)
}

func makeValue(c *call) error {
	r := *c.p.Recipe
	from, err := c.values(c.p.From)
	if err != nil {
		return err
	}
	if r.From = from; len(from) == 0 {
		r.From = nil
	}
	if r.Object, err = c.source(); err != nil {
		return err
	}
	if err := checkRecipe(r, len(from)); err != nil {
		return err
	}
	if r.File != "" {
		if r.Raw, err = readFile(r.File); err != nil {
			return spec.Refuse(spec.Internal, "params.recipe.file: %v", err)
		}
		r.File = ""
	}
	v, err := c.d.subject.Make(r)
	return keep(c, v, err)
}

// readFile reads a file, which ends: a device may not.
func readFile(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", name)
	}
	return os.ReadFile(name)
}

func memory(c *call) error {
	m, err := c.d.subject.Memory()
	slices.Sort(m.Alive)
	c.r.Memory = &m
	return err
}

func session(c *call) error {
	s, err := c.manager().Session(c.ids()...)
	return keep(c, s, err)
}

func continueSession(c *call) error {
	s, err := c.manager().Continue(*c.p.Session)
	return keep(c, s, err)
}

func contains(c *call) (err error) {
	c.r.Is, err = c.manager().Contains(*c.p.Session)
	return err
}

func stats(c *call) error {
	s, err := c.manager().Stats()
	c.r.Stats = &s
	return err
}

func drop(c *call) (err error) {
	c.r.Is, err = c.manager().Drop(*c.p.Session)
	return err
}

func raiseCap(c *call) (err error) {
	c.r.Is, err = c.manager().RaiseCap(*c.p.Cap)
	return err
}

func free(c *call) error {
	freed, err := c.manager().Free(c.p.Device, *c.p.Bytes)
	c.r.Freed = append([]spec.Freed{}, freed...)
	return err
}

func object(c *call) error {
	o, err := c.session().Object(c.p.Name)
	return keep(c, o, err)
}

func ensure(c *call) error {
	s, err := c.objectSpec()
	if err != nil {
		return err
	}
	o, err := c.session().Ensure(c.p.Name, s)
	return keep(c, o, err)
}

func put(c *call) error {
	o, err := held[spec.Object](c, c.p.Object)
	if err != nil {
		return err
	}
	return c.session().Put(c.p.Name, o)
}

func attr(c *call) error {
	v, err := c.session().Attr(c.p.Name)
	return keep(c, v, err)
}

func setAttr(c *call) error {
	if len(c.p.Values) == 0 {
		return c.session().SetAttr(c.p.Name, nil)
	}
	v, err := held[spec.Value](c, c.p.Values[0])
	if err != nil {
		return err
	}
	return c.session().SetAttr(c.p.Name, v)
}

func contents(c *call) error {
	k, err := c.session().Contents()
	slices.Sort(k.Objects)
	slices.Sort(k.Attrs)
	c.r.Contents = &k
	return err
}

func resetSession(c *call) error { return c.session().Reset() }

func park(c *call) (err error) {
	c.r.Int, err = c.session().Park(c.p.Name)
	return err
}

func unpark(c *call) (err error) {
	c.r.Int, err = c.session().Unpark(c.p.Name)
	return err
}

func allocate(c *call) error { return c.object().Allocate(*c.p.Bound) }

func commit(c *call) error {
	vs, err := c.values(c.p.Values)
	if err != nil {
		return err
	}
	return c.object().Commit(vs...)
}

func stage(c *call) error {
	v, err := held[spec.Value](c, c.p.Values[0])
	if err != nil {
		return err
	}
	return c.object().Stage(v)
}

func discard(c *call) error { return c.object().Discard() }

func view(c *call) error {
	v, err := c.object().View(*c.p.View)
	return keep(c, v, err)
}

func evict(c *call) (err error) {
	c.r.Int, err = c.object().Evict()
	return err
}

func resetObject(c *call) error { return c.object().Reset() }

func state(c *call) error {
	s, err := c.object().State()
	c.r.State = &s
	return err
}

func read(c *call) error {
	r, err := c.value().Read()
	r = r.Wide()
	c.r.Reading = &r
	return err
}

func edit(c *call) error {
	e := *c.p.Edit
	vs, err := c.values(c.p.Values)
	if err != nil {
		return err
	}
	e.With = vs
	if err := checkEdit(e); err != nil {
		return err
	}
	return c.value().Edit(e)
}

func path(c *call) (err error) {
	c.r.Text, err = c.model().Path()
	return err
}

func open(c *call) error {
	s, err := c.model().Open(c.ids()...)
	return keep(c, s, err)
}

func end(c *call) error { return c.model().End(*c.p.Session) }

func do(c *call) error {
	s := *c.p.Step
	s.With = make(map[string]spec.Value, len(c.p.Named))
	for k, n := range c.p.Named {
		v, err := held[spec.Value](c, n)
		if err != nil {
			return err
		}
		s.With[k] = v
	}
	v, err := c.state().Do(s)
	return keep(c, v, err)
}

func release(c *call) error {
	c.d.forget(c.p.On)
	return c.on.Release()
}

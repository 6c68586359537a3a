package op

import "github.com/statespec/statespec/spec"

var _ spec.Subject = (*Client)(nil)

func (c *Client) Resolve(cfg spec.Config) (spec.Resolution, error) {
	r, err := c.call(Call{"resolve", Params{Config: &cfg}})
	if err != nil {
		return spec.Resolution{}, err
	}
	return *r.Resolution, nil
}

func (c *Client) NewManager(m spec.ManagerSpec) (spec.Manager, error) {
	r, ok, err := c.make(OnManager, "new_manager", Params{ManagerSpec: &m})
	if !ok {
		return nil, err
	}
	return &manager{r}, nil
}

func (c *Client) NewObject(o spec.ObjectSpec) (spec.Object, error) {
	return c.object("new_object", Params{ObjectSpec: &o, Object: handleOf(o.Source)})
}

func (c *Client) object(method string, p Params) (spec.Object, error) {
	r, ok, err := c.make(OnObject, method, p)
	if !ok {
		return nil, err
	}
	return &objectHandle{r}, nil
}

func (c *Client) NewModel(m spec.ModelSpec) (spec.Model, error) {
	r, ok, err := c.make(OnModel, "new_model", Params{ModelSpec: &m, Manager: handleOf(m.Manager)})
	if !ok {
		return nil, err
	}
	return &model{r}, nil
}

func (c *Client) Make(r spec.Recipe) (spec.Value, error) {
	if r.Step == "tensor" && r.Device == "" && !r.Host {
		r.Device = c.place
	}
	return c.value("make", Params{Recipe: &r, From: handlesOf(r.From), Object: handleOf(r.Object)})
}

func (c *Client) Memory() (spec.Memory, error) {
	r, err := c.call(Call{Method: "memory"})
	if err != nil {
		return spec.Memory{}, err
	}
	return *r.Memory, nil
}

type manager struct{ remote }

func (m *manager) Session(ids ...string) (spec.Session, error) {
	name, err := id(ids)
	if err != nil {
		return nil, err
	}
	return m.c.session("session", Params{On: m.h, Session: name})
}

func (m *manager) Continue(id string) (spec.Session, error) {
	return m.c.session("continue", Params{On: m.h, Session: &id})
}

func (c *Client) session(method string, p Params) (spec.Session, error) {
	r, ok, err := c.make(OnSession, method, p)
	if !ok {
		return nil, err
	}
	return &sessionHandle{r}, nil
}

func (m *manager) Contains(id string) (bool, error) {
	return m.is("contains", Params{On: m.h, Session: &id})
}

func (m *manager) Drop(id string) (bool, error) {
	return m.is("drop", Params{On: m.h, Session: &id})
}

func (m *manager) RaiseCap(n int) (bool, error) {
	return m.is("raise_cap", Params{On: m.h, Cap: &n})
}

func (r remote) is(method string, p Params) (bool, error) {
	a, err := r.c.call(Call{method, p})
	if err != nil {
		return false, err
	}
	return a.Is, nil
}

func (m *manager) Free(device string, bytes int64) ([]spec.Freed, error) {
	r, err := m.c.call(Call{"free", Params{On: m.h, Device: device, Bytes: &bytes}})
	if err != nil {
		return nil, err
	}
	return r.Freed, nil
}

func (m *manager) Stats() (spec.Stats, error) {
	r, err := m.c.call(Call{"stats", Params{On: m.h}})
	if err != nil {
		return spec.Stats{}, err
	}
	return *r.Stats, nil
}

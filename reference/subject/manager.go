package subject

import (
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/tensor"
	"github.com/statespec/statespec/spec"
)

type managerHandle struct {
	sub      *Subject
	m        Table
	defaults map[string]spec.Recipe
}

func (s *Subject) NewManager(m spec.ManagerSpec) (spec.Manager, error) {
	opts := manager.Options{RefuseNew: m.Refuse, ByteBudget: m.ByteBudget, ConsistentStats: m.Snapshot, Logger: s.log}
	if m.Cap != nil {
		opts.MaxSessions = *m.Cap
	} else {
		r, err := s.resolved(m.Config)
		if err != nil {
			return nil, told(err)
		}
		opts.MaxSessions = r.MaxSessions
	}
	made, err := s.table(opts)
	if err != nil {
		return nil, told(err)
	}
	h := &managerHandle{sub: s, m: made, defaults: map[string]spec.Recipe{}}
	for _, a := range m.Attrs {
		if _, err := s.content(a.Default); err != nil {
			return nil, err
		}
		h.defaults[a.Name] = a.Default
	}
	return s.heldManager(h), nil
}

func (h *managerHandle) Session(ids ...string) (spec.Session, error) {
	s, err := h.m.Session(oneID(ids))
	return h.held(s, err)
}

func (h *managerHandle) Continue(id string) (spec.Session, error) {
	s, err := h.m.Continue(id)
	return h.held(s, err)
}

func (h *managerHandle) held(s *manager.Session, err error) (spec.Session, error) {
	if err != nil {
		return nil, told(err)
	}
	return h.sub.heldSession(&sessionHandle{sub: h.sub, s: s, defaults: h.defaults}), nil
}

func (h *managerHandle) Contains(id string) (bool, error) { return h.m.Contains(id), nil }
func (h *managerHandle) Drop(id string) (bool, error)     { return h.m.Drop(id), nil }

func (h *managerHandle) RaiseCap(n int) (bool, error) {
	raised, err := h.m.RaiseCap(n)
	return raised, told(err)
}

func (h *managerHandle) Free(device string, bytes int64) ([]spec.Freed, error) {
	freed, err := h.m.Free(tensor.Device(device), bytes)
	out := []spec.Freed{}
	for _, f := range freed {
		out = append(out, spec.Freed(f))
	}
	return out, told(err)
}

func (h *managerHandle) Stats() (spec.Stats, error) {
	h.sub.contents.RLock()
	defer h.sub.contents.RUnlock()
	st := h.sub.measured(h.m, h.m.Stats())
	out := spec.Stats{Counts: st.Map(), Retained: h.m.Retained(), Unmeasured: st.Unmeasured}
	if n, ok := h.m.ByteBudget(); ok {
		out.ByteBudget = &n
	}
	return out, nil
}

func (h *managerHandle) Release() error { return nil }

package faulty

import (
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/subject"
)

// continuations are faults of a request that expects state.
func continuations() []Fault {
	return []Fault{
		continuing("starts a lost session anew", "EVI-19", func(m *manager.Manager, id string) (*manager.Session, error) { return m.Session(id) }),
		continuing("starts a lost session anew and retains it nowhere", "EVI-19", func(m *manager.Manager, id string) (*manager.Session, error) {
			if s, err := m.Continue(id); err == nil {
				return s, nil
			}
			return manager.NewSession(id), nil
		}),
		continuing("refuses to continue a session and makes it", "EVI-19", func(m *manager.Manager, id string) (*manager.Session, error) {
			s, err := m.Continue(id)
			if err != nil {
				m.Session(id)
			}
			return s, err
		}),
		continuing("continues an empty session", "EVI-19", func(m *manager.Manager, id string) (*manager.Session, error) {
			s, err := m.Continue(id)
			if err == nil {
				s.Reset()
			}
			return s, err
		}),
		continuing("calls a lost session not found", "EVI-19.kind", func(m *manager.Manager, id string) (*manager.Session, error) {
			s, err := m.Continue(id)
			if err != nil {
				err = fault.New(fault.ErrNotFound, "%v", err)
			}
			return s, err
		}),
		continuing("continuing does not refresh", "EVI-19.use", func(m *manager.Manager, id string) (*manager.Session, error) {
			if s, retained := m.Peek(id); retained {
				return s, nil
			}
			return m.Continue(id)
		}),
	}
}

// continuing is a table that continues sessions in another way.
func continuing(name, breaks string, resume func(m *manager.Manager, id string) (*manager.Session, error)) Fault {
	return Fault{Name: name, Breaks: []string{breaks}, Parts: over(func(m *manager.Manager) subject.Table { return resumer{m, resume} })}
}

type resumer struct {
	*manager.Manager
	resume func(m *manager.Manager, id string) (*manager.Session, error)
}

func (r resumer) Continue(id string) (*manager.Session, error) { return r.resume(r.Manager, id) }

package faulty

import (
	"sync/atomic"

	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
)

// plans are faults of a planner that frees memory.
func plans() []Fault {
	return []Fault{
		planned("frees attributes when memory is wanted", func(m *manager.Manager, device tensor.Device, n int64) ([]manager.Freed, error) {
			freed, err := m.Free(device, n)
			for _, id := range m.Retained() {
				if s, is := m.Peek(id); is && n > 0 {
					for _, name := range s.AttrNames() {
						s.ClearAttr(name)
					}
				}
			}
			return freed, err
		}),
		planned("frees objects that nothing can rebuild", func(m *manager.Manager, device tensor.Device, n int64) ([]manager.Freed, error) {
			return evictAll(m, device, n, func(object.StateObject) bool { return true })
		}),
		planned("frees more than is wanted, and first of all", func(m *manager.Manager, device tensor.Device, n int64) ([]manager.Freed, error) {
			return m.Free(device, n+1)
		}),
		planned("does not say what it evicted last", func(m *manager.Manager, device tensor.Device, n int64) ([]manager.Freed, error) {
			freed, err := m.Free(device, n)
			return freed[:max(0, len(freed)-1)], err
		}),
		planned("says that it freed twice the bytes", func(m *manager.Manager, device tensor.Device, n int64) ([]manager.Freed, error) {
			freed, err := m.Free(device, n)
			for i := range freed {
				freed[i].Bytes *= 2
			}
			return freed, err
		}),
		planned("says evicted what it parked", func(m *manager.Manager, device tensor.Device, n int64) ([]manager.Freed, error) {
			freed, err := m.Free(device, n)
			for i := range freed {
				freed[i].Parked = !freed[i].Parked
			}
			return freed, err
		}),
		planned("drops the session that it frees from", func(m *manager.Manager, device tensor.Device, n int64) ([]manager.Freed, error) {
			freed, err := m.Free(device, n)
			if len(freed) > 0 {
				m.Drop(freed[0].Session)
			}
			return freed, err
		}),
		{
			Name: "takes a source that was evicted for one that is there, when memory is wanted", Breaks: []string{"PRK-03"},
			Parts: beside(sourcesRemembered),
		},
	}
}

// sourcesRemembered is a subject whose planner takes an object for one that can be
// rebuilt when it could be at its last commit.
func sourcesRemembered() subject.Parts {
	var planning atomic.Bool
	p := objectsOf(func(a *altered) {
		could := false
		a.commit = func(ps ...*tensor.Tensor) error {
			could = a.own.Recomputable()
			return a.own.Commit(ps...)
		}
		a.recomputable = func() bool { return planning.Load() && could || a.own.Recomputable() }
	})()
	p.Table = over(func(m *manager.Manager) subject.Table {
		return freeing{m, func(m *manager.Manager, device tensor.Device, n int64) ([]manager.Freed, error) {
			planning.Store(true)
			defer planning.Store(false)
			return m.Free(device, n)
		}}
	})().Table
	return p
}

// planned is a fault of a manager that frees in another way.
func planned(name string, free func(m *manager.Manager, device tensor.Device, n int64) ([]manager.Freed, error)) Fault {
	return Fault{Name: name, Breaks: []string{"PRK-03"},
		Parts: beside(over(func(m *manager.Manager) subject.Table { return freeing{m, free} }))}
}

type freeing struct {
	*manager.Manager
	free func(*manager.Manager, tensor.Device, int64) ([]manager.Freed, error)
}

func (f freeing) Free(device tensor.Device, n int64) ([]manager.Freed, error) {
	return f.free(f.Manager, device, n)
}

// evictAll evicts objects that have bytes on a device.
func evictAll(m *manager.Manager, device tensor.Device, n int64, which func(object.StateObject) bool) (freed []manager.Freed, err error) {
	for _, id := range m.Retained() {
		s, is := m.Peek(id)
		if !is || n <= 0 {
			continue
		}
		for _, name := range s.Names() {
			obj, err := s.Object(name)
			if err != nil || !which(obj) || obj.BytesByDevice()[device] == 0 {
				continue
			}
			before := obj.BytesByDevice()[device]
			if _, err := obj.Evict(); err != nil {
				return freed, err
			}
			freed = append(freed, manager.Freed{Session: id, Object: name, Bytes: before - obj.BytesByDevice()[device]})
		}
	}
	return freed, nil
}

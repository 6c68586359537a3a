package manager

import (
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/tensor"
)

// A Freed is what Free took from one object.
type Freed struct {
	Session, Object string
	Bytes           int64 // that the device has back
	Parked          bool  // and the host holds now; else the object was evicted
}

// Free gives a device at least n bytes back, if there are so many that nothing is
// lost by: it parks objects, and evicts those that can be recomputed from a
// resident source. It begins with the sessions least recently used and parks
// before it evicts; on the host, where parking frees nothing, it evicts what is
// parked first. Attributes, and objects that are neither, stay. It says what it
// freed, which may be less than n, and is no use of any session.
func (m *Manager) Free(device tensor.Device, n int64) ([]Freed, error) {
	var sessions []*Session
	for _, id := range m.Retained() { // the least recently used first
		if s, retained := m.Peek(id); retained {
			sessions = append(sessions, s)
		}
	}
	return FreeOf(sessions, device, n)
}

// FreeOf is Manager.Free of sessions, in this order, for a table of another kind.
func FreeOf(sessions []*Session, device tensor.Device, n int64) ([]Freed, error) {
	if n < 0 {
		return nil, fault.New(fault.ErrInvalidArgument, "free %d bytes of %s: at least 0", n, device)
	}
	p := planner{device: device, left: n, sessions: sessions}
	steps := []func(object.StateObject) (int64, bool, error){p.evictParked, p.evict}
	if device != tensor.CPU {
		steps = []func(object.StateObject) (int64, bool, error){p.park, p.evict}
	}
	for _, step := range steps {
		if err := p.all(step); err != nil {
			return p.freed, err
		}
	}
	return p.freed, nil
}

type planner struct {
	device   tensor.Device
	left     int64 // bytes still wanted
	sessions []*Session
	freed    []Freed
}

// all takes a step with one object after the other until enough is freed.
func (p *planner) all(step func(object.StateObject) (bytes int64, parked bool, err error)) error {
	for _, s := range p.sessions {
		for _, name := range s.Names() {
			if p.left <= 0 {
				return nil
			}
			obj, err := s.Object(name)
			if err != nil || obj.BytesByDevice()[p.device] == 0 {
				continue // it is gone meanwhile, or has nothing there
			}
			n, parked, err := step(obj)
			if n > 0 {
				p.left -= n
				p.freed = append(p.freed, Freed{s.ID(), name, n, parked})
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *planner) park(obj object.StateObject) (int64, bool, error) {
	parker, is := obj.(object.Parker)
	if !is {
		return 0, false, nil
	}
	before := obj.BytesByDevice()[p.device]
	_, err := parker.Park()
	return before - obj.BytesByDevice()[p.device], true, err
}

func (p *planner) evict(obj object.StateObject) (int64, bool, error) {
	if !obj.Recomputable() {
		return 0, false, nil
	}
	before := obj.BytesByDevice()[p.device]
	_, err := obj.Evict()
	return before - obj.BytesByDevice()[p.device], false, err
}

func (p *planner) evictParked(obj object.StateObject) (int64, bool, error) {
	if parker, is := obj.(object.Parker); !is || !parker.Parked() {
		return 0, false, nil
	}
	return p.evict(obj)
}

package manager

import (
	"errors"
	"maps"
	"slices"

	"github.com/statespec/statespec/reference/account"
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/tensor"
)

// Park moves what an object, an attribute, or both of a name hold from devices to
// the host, and returns the bytes that the devices are given back. The value is
// the same, and so is every tensor of it that somebody else holds: their storages
// have moved. Whoever reads the value through the session brings it back. A name
// that is neither is ErrNotFound; an object that is no object.Parker is
// ErrInvalidArgument.
func (s *Session) Park(name string) (int64, error) {
	return s.moved("park", name, object.Parker.Park, object.Park)
}

// Unpark brings back what is parked under a name, and returns the bytes that
// devices hold again. A device without room is ErrOutOfMemory, and what did not
// fit stays parked.
func (s *Session) Unpark(name string) (int64, error) {
	return s.moved("unpark", name, object.Parker.Unpark, object.Unpark)
}

func (s *Session) moved(call, name string, of func(object.Parker) (int64, error), held func(...any) (int64, error)) (int64, error) {
	s.mu.Lock()
	obj, isObject := s.objects[name]
	attr, isAttr := s.attrs[name]
	var n int64
	var failed error
	if isAttr {
		n, failed = held(attr.held())
		if s.parked == nil {
			s.parked = map[string]struct{}{}
		}
		s.parked[name] = struct{}{}
	}
	s.mu.Unlock()
	switch {
	case isObject:
		p, is := obj.(object.Parker)
		if !is {
			return n, errors.Join(failed, fault.New(fault.ErrInvalidArgument, "%s %q of session %q: a %T cannot be parked", call, name, s.id, obj))
		}
		moved, err := of(p)
		return n + moved, errors.Join(failed, err)
	case !isAttr:
		return 0, fault.New(fault.ErrNotFound, "%s %q of session %q: it has the objects %q and the attributes %q",
			call, name, s.id, s.Names(), s.AttrNames())
	}
	return n, failed
}

// back brings an attribute back that was parked. The session is locked. Where the
// device has no room the reader gets what is on the host: the same bits.
func (s *Session) back(name string) {
	if _, parked := s.parked[name]; !parked {
		return
	}
	if held, set := s.attrs[name]; set {
		if _, err := object.Unpark(held.held()); err != nil {
			return
		}
	}
	delete(s.parked, name)
}

// Parked lists the names of attributes that were parked and not read since, sorted.
func (s *Session) Parked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.parked))
}

// Storages lists what an attribute keeps alive, each once, in no order and where
// it lies: what is parked stays parked.
func (s *Session) Storages(attr string) []*tensor.Storage {
	s.mu.Lock()
	defer s.mu.Unlock()
	held, set := s.attrs[attr]
	if !set {
		return nil
	}
	return account.Storages(held.held())
}

package manager

import (
	"errors"
	"maps"
	"reflect"
	"slices"
	"sync"

	"github.com/statespec/statespec/reference/account"
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/object"
)

// A Session holds one session's state: state objects by name, and attributes.
// Whoever holds it keeps it, retained or not: eviction takes it out of the
// manager's table and touches nothing else. It is safe for concurrent use. The
// maps come with the first value, so that a session that holds nothing costs
// one small allocation.
type Session struct {
	id string

	mu      sync.Mutex
	objects map[string]object.StateObject
	attrs   map[string]slot
	parked  map[string]struct{} // attributes that wait on the host
}

// NewSession returns an empty session that no manager retains, for a table of
// another kind to hold. A Manager makes its own.
func NewSession(id string) *Session { return &Session{id: id} }

// ID returns the id that the session was made for.
func (s *Session) ID() string { return s.id }

// Object returns the object of a name, ErrNotFound when there is none.
func (s *Session) Object(name string) (object.StateObject, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.object(name)
}

func (s *Session) object(name string) (object.StateObject, error) {
	obj, found := s.objects[name]
	if !found {
		return nil, fault.New(fault.ErrNotFound, "object %q of session %q: it has %q", name, s.id, slices.Sorted(maps.Keys(s.objects)))
	}
	return obj, nil
}

// Put stores an object under a name, in the stead of one that was there. What
// is no pointer, or a nil one, is ErrInvalidArgument: an object is told from
// others by where it is.
func (s *Session) Put(name string, obj object.StateObject) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.put(name, obj)
}

func (s *Session) put(name string, obj object.StateObject) error {
	if obj == nil {
		return fault.New(fault.ErrInvalidArgument, "put %q in session %q: the object is nil", name, s.id)
	}
	if v := reflect.ValueOf(obj); v.Kind() != reflect.Pointer || v.IsNil() {
		return fault.New(fault.ErrInvalidArgument, "put %q in session %q: a %T, want a pointer that is not nil", name, s.id, obj)
	}
	if s.objects == nil {
		s.objects = map[string]object.StateObject{}
	}
	s.objects[name] = obj
	return nil
}

// GetOrCreate returns the object of a name when it is there, resident and
// accepted (a nil accept takes all), as an adapter accepts its own kind. Else
// it builds one and puts it there. Build and accept run without the lock, so
// they may use the session. An accepted object that somebody else put
// meanwhile is returned as it is, so callers that build at once all get the
// one that was put first. Build had better return a resident object: the next
// call builds in the stead of any other.
func (s *Session) GetOrCreate(name string, build func() (object.StateObject, error), accept func(object.StateObject) bool) (object.StateObject, error) {
	accepted := func(obj object.StateObject) bool { return obj != nil && (accept == nil || accept(obj)) }
	s.mu.Lock()
	judged := s.objects[name]
	s.mu.Unlock()
	fits := accepted(judged)
	if fits && judged.Resident() {
		return judged, nil
	}
	built, err := build()
	if err != nil {
		return nil, err
	}
	for {
		now, err := s.supplant(name, judged, fits, built)
		if err != nil {
			return nil, err
		}
		if now == built || now == judged || accepted(now) {
			return now, nil
		}
		judged, fits = now, false
	}
}

// supplant puts an object in the stead of one that was judged, unless that one
// is there no more, or fits and has become resident since. It returns what is
// there then.
func (s *Session) supplant(name string, judged object.StateObject, fits bool, by object.StateObject) (object.StateObject, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.objects[name]
	if found != judged || fits && found.Resident() {
		return found, nil
	}
	return by, s.put(name, by)
}

// Names returns the names of the objects, sorted.
func (s *Session) Names() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.objects))
}

// Attr returns what an attribute holds, false when it is not set. Declared
// attributes are read with Attr[T], which knows their default.
func (s *Session) Attr(name string) (any, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.attr(name)
}

func (s *Session) attr(name string) (any, bool) {
	s.back(name)
	held, set := s.attrs[name]
	if !set {
		return nil, false
	}
	return held.value(), true
}

// SetAttr assigns an attribute wholesale; nil clears it.
func (s *Session) SetAttr(name string, v any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.setAttr(name, v)
}

func (s *Session) setAttr(name string, v any) {
	if v == nil {
		delete(s.attrs, name)
		return
	}
	if c, ok := s.attrs[name].(*cell[any]); ok {
		c.v = v
		return
	}
	s.assign(name, &cell[any]{v})
}

func (s *Session) assign(name string, held slot) {
	if s.attrs == nil {
		s.attrs = map[string]slot{}
	}
	s.attrs[name] = held
}

// ClearAttr makes an attribute unset.
func (s *Session) ClearAttr(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.attrs, name)
}

// AttrNames returns the names of the attributes that are set, sorted.
func (s *Session) AttrNames() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.attrs))
}

// Reset clears every attribute and resets every object, whose names stay. The
// objects are reset without the session's lock, so they may ask the session or
// the manager; each is reset whatever the others answer.
func (s *Session) Reset() error {
	s.mu.Lock()
	s.attrs, s.parked = nil, nil
	objects := slices.Collect(maps.Values(s.objects))
	s.mu.Unlock()
	var failed []error
	for _, obj := range objects {
		failed = append(failed, obj.Reset())
	}
	return errors.Join(failed...)
}

// Update runs change under the session's lock. In-place changes to containers
// that the session holds belong in here, so that the accounting, which walks
// them under the same lock, never meets them half done. Change uses the Edit,
// declared attributes through Attr.GetIn and Attr.SetIn. It must not use the
// session, nor count: Manager.Stats waits for this very lock. Nor may it use
// another session of a manager with Options.ConsistentStats, whose counts hold
// several sessions at once.
func (s *Session) Update(change func(edit *Edit)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&Edit{s})
}

// An Edit is a session inside Update.
type Edit struct{ s *Session }

// Attr is Session.Attr.
func (e *Edit) Attr(name string) (any, bool) { return e.s.attr(name) }

// SetAttr is Session.SetAttr.
func (e *Edit) SetAttr(name string, v any) { e.s.setAttr(name, v) }

// ClearAttr is Session.ClearAttr.
func (e *Edit) ClearAttr(name string) { delete(e.s.attrs, name) }

// Object is Session.Object.
func (e *Edit) Object(name string) (object.StateObject, error) { return e.s.object(name) }

// Names is Session.Names.
func (e *Edit) Names() []string { return slices.Sorted(maps.Keys(e.s.objects)) }

// AttrNames is Session.AttrNames.
func (e *Edit) AttrNames() []string { return slices.Sorted(maps.Keys(e.s.attrs)) }

// Put is Session.Put.
func (e *Edit) Put(name string, obj object.StateObject) error { return e.s.put(name, obj) }

// Bytes returns what the session keeps alive in both buckets, shared memory
// once.
func (s *Session) Bytes() account.Report {
	w := account.NewWalker()
	w.WalkRoot(s)
	return w.Report()
}

// WalkHeld walks both buckets under the session's lock, and then all objects
// met in either, kept still together, so that the figure is one that the
// session had. An object of a kind that does not name what it holds is counted
// by its own figure. No object may call the session back from here.
func (s *Session) WalkHeld(w *account.Walker) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.walkStill(w)
	w.VisitSteady()
}

// walkStill walks both buckets of a session that is locked. The objects are
// left to be visited together.
func (s *Session) walkStill(w *account.Walker) {
	w.Within("session", s.id)
	for name, obj := range s.objects {
		switch obj := obj.(type) {
		case account.Steady:
			w.WalkSteady(name, obj)
		case account.Holder, account.Opaque:
			w.Walk(name, obj)
		default:
			w.Count(obj, obj.BytesByDevice())
		}
	}
	for name, held := range s.attrs {
		w.Walk(name, held.held())
	}
}

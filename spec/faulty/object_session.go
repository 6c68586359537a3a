package faulty

import (
	"sync"
	"weak"

	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec"
)

// names are faults of how a session keeps objects under names.
func names() []Fault {
	return []Fault{
		{
			Name: "finds another object while the one of that name is empty", Breaks: []string{"OBJ-18"}, Follows: []string{"PRK-03"},
			Parts: sessions(func(s *alteredSession) {
				s.object = func(name string) (spec.Object, error) {
					o, err := s.Session.Object(name)
					if err == nil && subject.StateObject(o).Len() == 0 {
						return s.another(o)
					}
					return o, err
				}
			}),
		}, {
			Name: "puts another object in the stead of an empty one", Breaks: []string{"OBJ-18"},
			Parts: sessions(func(s *alteredSession) {
				s.put = func(name string, o spec.Object) error {
					if subject.StateObject(o).Len() == 0 {
						var err error
						if o, err = s.another(o); err != nil {
							return err
						}
					}
					return s.Session.Put(name, o)
				}
			}),
		}, {
			Name: "gives an empty object a second name", Breaks: []string{"OBJ-18"},
			Parts: sessions(func(s *alteredSession) {
				s.ensure = func(name string, want spec.ObjectSpec) (spec.Object, error) {
					for _, other := range s.behind().Names() {
						if o := s.has(other); s.has(name) == nil && kindOf(o) == want.Kind && subject.StateObject(o).Len() == 0 {
							return o, s.Session.Put(name, o)
						}
					}
					return s.Session.Ensure(name, want)
				}
			}),
		}, {
			Name: "shares objects of one name between sessions", Breaks: []string{"OBJ-18"},
			Parts: sharesObjects,
		}, {
			Name: "keeps what is there when another is put", Breaks: []string{"OBJ-18.replace"},
			Parts: sessions(func(s *alteredSession) {
				s.put = func(name string, o spec.Object) error {
					if s.has(name) != nil {
						return nil
					}
					return s.Session.Put(name, o)
				}
			}),
		}, {
			Name: "refuses to put under a name that is taken", Breaks: []string{"OBJ-18.replace"},
			Parts: sessions(func(s *alteredSession) {
				s.put = func(name string, o spec.Object) error {
					if s.has(name) != nil {
						return spec.Refuse(spec.InvalidArgument, "put %q: it is taken", name)
					}
					return s.Session.Put(name, o)
				}
			}),
		}, {
			Name: "puts the content and not the object where a name is taken", Breaks: []string{"OBJ-18.replace"},
			Parts: sessions(func(s *alteredSession) {
				s.put = func(name string, o spec.Object) error {
					there := s.has(name)
					if there == nil || kindOf(there) != kindOf(o) {
						return s.Session.Put(name, o)
					}
					replaced, err := s.another(o)
					if err != nil {
						return err
					}
					held, err := subject.StateObject(o).View(object.ViewOptions{})
					if err == nil && len(held) > 0 {
						err = subject.StateObject(replaced).Commit(held...)
					}
					if err != nil {
						return err
					}
					return s.Session.Put(name, replaced)
				}
			}),
		}, {
			Name: "builds anew what is resident", Breaks: []string{"OBJ-18.ensure"},
			Parts: ensuring(func(_ *alteredSession, there spec.Object, want spec.ObjectSpec) (again, answer bool) {
				return subject.StateObject(there).Resident(), false
			}),
		}, {
			Name: "returns what was evicted", Breaks: []string{"OBJ-18.ensure"},
			Parts: ensuring(func(_ *alteredSession, there spec.Object, want spec.ObjectSpec) (again, answer bool) {
				return false, kindOf(there) == want.Kind
			}),
		}, {
			Name: "returns what is resident of another kind", Breaks: []string{"OBJ-18.ensure"},
			Parts: ensuring(func(_ *alteredSession, there spec.Object, want spec.ObjectSpec) (again, answer bool) {
				return false, subject.StateObject(there).Resident()
			}),
		}, {
			Name: "does not allocate what it builds in the stead of another", Breaks: []string{"OBJ-18.ensure"},
			Parts: sessions(func(s *alteredSession) {
				s.ensure = func(name string, want spec.ObjectSpec) (spec.Object, error) {
					there := s.has(name)
					o, err := s.Session.Ensure(name, want)
					if err == nil && there != nil && subject.StateObject(there) != subject.StateObject(o) {
						err = o.Reset()
					}
					return o, err
				}
			}),
		}, {
			Name: "refuses to build in the stead of another kind", Breaks: []string{"OBJ-18.ensure"},
			Parts: sessions(func(s *alteredSession) {
				s.ensure = func(name string, want spec.ObjectSpec) (spec.Object, error) {
					if there := s.has(name); there != nil && kindOf(there) != want.Kind {
						return nil, spec.Refuse(spec.TypeMismatch, "%q is of another kind", name)
					}
					return s.Session.Ensure(name, want)
				}
			}),
		},
	}
}

// ensuring is a subject whose get-or-create has a rule of its own for what is
// there: to build again, or to answer with it. Otherwise it is the reference's.
func ensuring(rule func(s *alteredSession, there spec.Object, want spec.ObjectSpec) (again, answer bool)) func() subject.Parts {
	return sessions(func(s *alteredSession) {
		s.ensure = func(name string, want spec.ObjectSpec) (spec.Object, error) {
			there := s.has(name)
			if there == nil {
				return s.Session.Ensure(name, want)
			}
			switch again, answer := rule(s, there, want); {
			case answer:
				return there, nil
			case again:
				o, err := s.built(want)
				if err != nil {
					return nil, err
				}
				return o, s.Session.Put(name, o)
			}
			return s.Session.Ensure(name, want)
		}
	})
}

// sharesObjects is a subject whose sessions look for what they have not got in
// the session that made an object of that name last.
func sharesObjects() subject.Parts {
	var mu sync.Mutex
	made := map[string]weak.Pointer[manager.Session]{}
	return subject.Parts{Session: sessionsOf(func(s *alteredSession) {
		s.ensure = func(name string, want spec.ObjectSpec) (spec.Object, error) {
			mu.Lock()
			defer mu.Unlock()
			here := s.behind()
			other := made[name].Value()
			if other != nil && other.ID() != here.ID() && s.has(name) == nil {
				if o, err := other.Object(name); err == nil && o.Resident() && here.Put(name, o) == nil {
					return s.Session.Ensure(name, want)
				}
			}
			made[name] = weak.Make(here)
			return s.Session.Ensure(name, want)
		}
	})}
}

// sessionResets are faults of what the reset of a session does to both buckets.
func sessionResets() []Fault {
	return []Fault{
		{
			Name: "leaves the objects at a session reset", Breaks: []string{"OBJ-19"},
			Parts: resetting(func(s *alteredSession, _, attrs []string) {
				for _, name := range attrs {
					s.behind().ClearAttr(name)
				}
			}),
		}, {
			Name: "resets one object of several at a session reset", Breaks: []string{"OBJ-19"},
			Parts: resetting(func(s *alteredSession, objects, attrs []string) {
				for _, name := range attrs {
					s.behind().ClearAttr(name)
				}
				for _, name := range objects[:min(1, len(objects))] {
					s.has(name).Reset()
				}
			}),
		}, {
			Name: "leaves the attributes at a session reset", Breaks: []string{"OBJ-19"},
			Follows: []string{"ATT-05"},
			Parts: resetting(func(s *alteredSession, objects, _ []string) {
				for _, name := range objects {
					s.has(name).Reset()
				}
			}),
		}, {
			Name: "leaves the counters at a session reset", Breaks: []string{"OBJ-19"},
			Parts: resetting(func(s *alteredSession, objects, attrs []string) {
				for _, name := range objects {
					s.has(name).Reset()
				}
				for _, name := range attrs {
					if v, _ := s.behind().Attr(name); !isInt(v) {
						s.behind().ClearAttr(name)
					}
				}
			}),
		},
	}
}

func isInt(v any) bool { _, is := v.(int64); return is }

// resetting is a subject whose sessions reset their objects and attributes, by
// name, in another way.
func resetting(reset func(s *alteredSession, objects, attrs []string)) func() subject.Parts {
	return sessions(func(s *alteredSession) {
		s.reset = func() error {
			reset(s, s.behind().Names(), s.behind().AttrNames())
			return nil
		}
	})
}

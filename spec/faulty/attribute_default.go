package faulty

import (
	"reflect"
	"slices"
	"sync"
	"weak"

	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec"
)

// A bare session looks at attributes that are not set. What it shows is the
// default, or what the fault makes of it; written says whether the attribute was
// ever assigned, and later cleared.
type bare struct {
	spec.Session
	sub     *subject.Subject
	touched *attrMemory[bool]
	show    func(s *manager.Session, name string, written bool, def any) any
}

func (b bare) Attr(name string) (spec.Value, error) {
	v, err := b.Session.Attr(name)
	if _, set := subject.SessionOf(b.Session).Attr(name); set || err != nil || v == nil {
		return v, err
	}
	written, _ := b.touched.get(b.Session, name)
	return b.sub.Wrap(b.show(subject.SessionOf(b.Session), name, written, subject.Content(v))), nil
}

func (b bare) SetAttr(name string, v spec.Value) error {
	b.touched.set(b.Session, name, true)
	return b.Session.SetAttr(name, v)
}

// defaulting is a subject that shows something else for what is not set.
func defaulting(show func(s *manager.Session, name string, written bool, def any) any) func() subject.Parts {
	return func() subject.Parts {
		var touched attrMemory[bool]
		return subject.Parts{Session: func(s *subject.Subject, own spec.Session) spec.Session {
			return bare{own, s, &touched, show}
		}}
	}
}

// zeroOf is the zero of a value's kind.
func zeroOf(v any) any {
	if v == nil || reflect.ValueOf(v).Kind() == reflect.Pointer {
		return v
	}
	return reflect.Zero(reflect.TypeOf(v)).Interface()
}

// falsy says whether a value is false to a language in which anything can be.
func falsy(v any) bool {
	if list, is := v.(*[]any); is {
		return len(*list) == 0
	}
	return v == nil || reflect.ValueOf(v).IsZero()
}

// defaultValues holds faults of what an attribute reads as that nobody wrote, or
// that somebody cleared.
func defaultValues() []Fault {
	return []Fault{
		{
			Name: "knows no defaults before the first write", Breaks: []string{"ATT-02"},
			Parts: defaulting(func(_ *manager.Session, _ string, written bool, def any) any {
				if written {
					return def
				}
				return nil
			}),
		}, {
			Name: "reads the zero of a default's kind", Breaks: []string{"ATT-02"},
			Parts: defaulting(func(_ *manager.Session, _ string, written bool, def any) any {
				if written {
					return def
				}
				return zeroOf(def)
			}),
		}, {
			Name: "takes what a session writes for the default of all", Breaks: []string{"ATT-02"},
			Parts: overwritten,
		}, {
			Name: "takes a default that is false for none", Breaks: []string{"ATT-02", "ATT-02.clear"},
			Parts: defaulting(func(_ *manager.Session, _ string, _ bool, def any) any {
				if falsy(def) {
					return nil
				}
				return def
			}),
		}, {
			Name: "reads nothing of what was cleared", Breaks: []string{"ATT-02.clear"},
			Parts: defaulting(func(_ *manager.Session, _ string, written bool, def any) any {
				if written {
					return nil
				}
				return def
			}),
		}, {
			Name: "clears to the zero of a default's kind", Breaks: []string{"ATT-02.clear"},
			Parts: defaulting(func(_ *manager.Session, _ string, written bool, def any) any {
				if written {
					return zeroOf(def)
				}
				return def
			}),
		}, {
			Name: "does not clear what has a default", Breaks: []string{"ATT-02.clear"},
			Parts: fronted(func(_ *subject.Subject, own spec.Session) spec.Session { return unclearing{own} }),
		}, {
			Name: "shares a default list between sessions", Breaks: []string{"ATT-02.shared"},
			Parts: func() subject.Parts {
				var shared sync.Map // by name
				return defaulting(func(_ *manager.Session, name string, _ bool, def any) any {
					first, _ := shared.LoadOrStore(name, def)
					return first
				})()
			},
		}, {
			Name: "makes later sessions of a changed default", Breaks: []string{"ATT-02.shared"},
			Parts: changedDefaults,
		},
	}
}

// unclearing keeps what an attribute with a default holds when it is cleared.
type unclearing struct{ spec.Session }

func (u unclearing) SetAttr(name string, v spec.Value) error {
	own := subject.SessionOf(u.Session)
	was, set := own.Attr(name)
	if err := u.Session.SetAttr(name, v); err != nil || v != nil || !set {
		return err
	}
	if def, err := u.Session.Attr(name); err == nil && def != nil && subject.Content(def) != nil {
		own.SetAttr(name, was)
	}
	return nil
}

// overwritten keeps what was last written to an attribute with a default where
// the default is kept.
func overwritten() subject.Parts {
	var defaults sync.Map // by name, of attributes that have one
	return subject.Parts{Session: func(s *subject.Subject, own spec.Session) spec.Session {
		return overwriting{own, s, &defaults}
	}}
}

type overwriting struct {
	spec.Session
	sub      *subject.Subject
	defaults *sync.Map
}

func (o overwriting) Attr(name string) (spec.Value, error) {
	if _, set := subject.SessionOf(o.Session).Attr(name); !set {
		if v, overwritten := o.defaults.Load(name); overwritten {
			return o.sub.Wrap(v), nil
		}
	}
	return o.Session.Attr(name)
}

func (o overwriting) SetAttr(name string, v spec.Value) error {
	_, set := subject.SessionOf(o.Session).Attr(name)
	def, err := o.Session.Attr(name)
	_, known := o.defaults.Load(name)
	if known = known || err == nil && !set && def != nil && subject.Content(def) != nil; known && v != nil {
		o.defaults.Store(name, subject.Content(v))
	}
	return o.Session.SetAttr(name, v)
}

// changedDefaults gives out a default list itself, once, and copies of it to the
// sessions that come after.
func changedDefaults() subject.Parts {
	var mu sync.Mutex
	var given *[]any
	late := map[weak.Pointer[manager.Session]]bool{} // whether a session came after
	parts := defaulting(func(s *manager.Session, _ string, _ bool, def any) any {
		list, is := def.(*[]any)
		mu.Lock()
		defer mu.Unlock()
		switch {
		case !is:
			return def
		case given == nil:
			given = list
		case late[weak.Make(s)]:
			return new(slices.Clone(*given))
		}
		return list
	})()
	front := parts.Session
	parts.Session = func(s *subject.Subject, own spec.Session) spec.Session {
		mu.Lock()
		defer mu.Unlock()
		if key := weak.Make(subject.SessionOf(own)); !late[key] {
			_, known := late[key]
			late[key] = !known && given != nil
		}
		return front(s, own)
	}
	return parts
}

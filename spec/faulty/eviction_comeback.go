package faulty

import (
	"weak"

	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/object"
)

// comebacks are faults of an evicted id that is asked for again. What they
// remember of the session before dies with its holders, or it would be a leak
// as well.
func comebacks() []Fault {
	return []Fault{
		{
			Name: "an evicted session comes back", Breaks: []string{"EVI-07"}, Follows: []string{"EQV-07"},
			Parts: ruled(func(r *rules) {
				before := former(r)
				r.made = func(_ *table, id string) *manager.Session {
					if s := before[id].Value(); s != nil {
						return s
					}
					return manager.NewSession(id)
				}
			}),
		},
		inheriting("attributes of an evicted session come back", func(s, before *manager.Session) {
			for _, name := range before.AttrNames() {
				v, _ := before.Attr(name)
				s.SetAttr(name, v)
			}
		}).following("EQV-07"),
		inheriting("objects of an evicted session come back", func(s, before *manager.Session) {
			for _, name := range before.Names() {
				if o, err := before.Object(name); err == nil {
					s.Put(name, o)
				}
			}
		}).following("EQV-07", "EQV-11.unseeded", "EQV-14", "EQV-14.close"),
		inheriting("objects of an evicted session come back empty", func(s, before *manager.Session) {
			for _, name := range before.Names() {
				o := object.NewLatentBuffer(name)
				o.Allocate(object.Bound{})
				s.Put(name, o)
			}
		}).following("EQV-07", "EQV-11.unseeded", "EQV-14", "EQV-14.close"),
		inheriting("a session that comes back wipes its holder's", func(_, before *manager.Session) { before.Reset() }).following("EQV-14"),
		{
			Name: "the second request for an evicted id gets the old session", Breaks: []string{"EVI-07"}, Follows: []string{"EQV-07"},
			Parts: ruled(func(r *rules) {
				before := former(r)
				r.used = func(t *table, at int) {
					if s := before[t.order[at].ID()].Value(); s != nil {
						t.order[at] = s
					}
					t.refresh(at)
				}
			}),
		},
	}
}

// former is the session that was evicted last, by id.
func former(r *rules) map[string]weak.Pointer[manager.Session] {
	before := map[string]weak.Pointer[manager.Session]{}
	r.evicted = func(_ *table, s *manager.Session) { before[s.ID()] = weak.Make(s) }
	return before
}

// inheriting does something with a new session and the one before it.
func inheriting(name string, do func(s, before *manager.Session)) Fault {
	return Fault{Name: name, Breaks: []string{"EVI-07"}, Parts: ruled(func(r *rules) {
		before := former(r)
		r.made = func(_ *table, id string) *manager.Session {
			s := manager.NewSession(id)
			if b := before[id].Value(); b != nil {
				do(s, b)
			}
			return s
		}
	})}
}

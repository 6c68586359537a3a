package faulty

import (
	"sync"
	"weak"

	"github.com/statespec/statespec/reference/account"
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
	"github.com/statespec/statespec/spec"
)

// byteSharing holds faults of what several sessions hold, and of who is no
// longer retained.
func byteSharing() []Fault {
	return []Fault{
		{
			Name: "adds up the figures of sessions", Breaks: []string{"ACC-07"},
			Parts: each(func(s *sight) { s.apart = s.session }),
		}, {
			Name: "counts for no session what two share", Breaks: []string{"ACC-07"},
			Parts: counting(func(ss []sight) []sight {
				in := map[*tensor.Storage]*manager.Session{}
				shared := map[*tensor.Storage]bool{}
				for _, s := range ss {
					if first, met := in[s.st]; met && first != s.session {
						shared[s.st] = true
					}
					in[s.st] = s.session
				}
				for i := range ss {
					if shared[ss[i].st] {
						ss[i].bytes = 0
					}
				}
				return ss
			}),
		},
		{
			Name: "has in a session's figure what it alone holds", Breaks: []string{"ACC-07.session"},
			Parts: ownFigure(func(all, others, _ int64) int64 { return all - others }),
		}, {
			Name: "splits a shared storage between the figures of its sessions", Breaks: []string{"ACC-07.session"},
			Parts: ownFigure(func(all, others, own int64) int64 { return (own + all - others) / 2 }),
		}, {
			Name: "has in a session's figure what all sessions hold", Breaks: []string{"ACC-07.session"},
			Parts: ownFigure(func(all, _, _ int64) int64 { return all }),
		},
		{
			Name: "counts an evicted session for as long as somebody holds it", Breaks: []string{"ACC-08"},
			Parts: func() subject.Parts { return subject.Parts{Table: newLingering(false)} },
		}, {
			Name: "counts an evicted session once more", Breaks: []string{"ACC-08"},
			Parts: func() subject.Parts { return subject.Parts{Table: newLingering(true)} },
		},
	}
}

// ownFigure is a subject whose sessions have another figure of their own: of the
// bytes of all sessions of their table, of all others and of this one.
func ownFigure(figure func(all, others, own int64) int64) func() subject.Parts {
	return func() subject.Parts {
		var mu sync.Mutex
		var tables []subject.Table
		return subject.Parts{
			Table: func(o manager.Options) (subject.Table, error) {
				t, err := manager.New(o)
				if err != nil {
					return nil, err
				}
				mu.Lock()
				defer mu.Unlock()
				tables = append(tables, t)
				return t, nil
			},
			Session: func(_ *subject.Subject, s spec.Session) spec.Session {
				mu.Lock()
				defer mu.Unlock()
				for _, t := range tables {
					own := subject.SessionOf(s)
					if held, ok := t.Peek(own.ID()); ok && held == own {
						return figuredSession{s, own, t, figure}
					}
				}
				return s
			},
		}
	}
}

type figuredSession struct {
	spec.Session
	own    *manager.Session
	in     subject.Table
	figure func(all, others, own int64) int64
}

func (s figuredSession) Contents() (spec.Contents, error) {
	c, err := s.Session.Contents()
	if err != nil {
		return c, err
	}
	var others []*manager.Session
	for _, id := range s.in.Retained() {
		if other, ok := s.in.Peek(id); ok && other != s.own {
			others = append(others, other)
		}
	}
	without := manager.BytesOf(others...).ByDevice
	for device, all := range manager.BytesOf(append(others, s.own)...).ByDevice {
		c.Bytes[string(device)] = s.figure(all, without[device], c.Bytes[string(device)])
	}
	return c, nil
}

// A lingering table counts sessions that it retains no more: those that somebody
// holds, or those that it counted the last time.
type lingering struct {
	*manager.Manager
	once bool // forgets a session when it has counted it without retaining it

	mu    sync.Mutex
	given []weak.Pointer[manager.Session]
}

func newLingering(once bool) func(manager.Options) (subject.Table, error) {
	return func(o manager.Options) (subject.Table, error) {
		m, err := manager.New(o)
		if err != nil {
			return nil, err
		}
		return &lingering{Manager: m, once: once}, nil
	}
}

func (l *lingering) Session(id string) (*manager.Session, error) {
	s, err := l.Manager.Session(id)
	if err == nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.given = append(l.given, weak.Make(s))
	}
	return s, err
}

func (l *lingering) Stats() manager.Stats {
	st := l.Manager.Stats()
	l.mu.Lock()
	defer l.mu.Unlock()
	var all []any
	var kept []weak.Pointer[manager.Session]
	left := false
	for _, p := range l.given {
		s := p.Value()
		if s == nil {
			continue
		}
		now, retained := l.Peek(s.ID())
		left = left || !retained || now != s
		if !l.once || retained && now == s {
			kept = append(kept, p)
		}
		all = append(all, s)
	}
	l.given = kept
	if left {
		r := account.Measure(all...)
		st.TotalBytes, st.BytesByDevice = r.Total, r.ByDevice
	}
	return st
}

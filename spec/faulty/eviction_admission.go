package faulty

import (
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/subject"
)

// admissions are faults of the policy that refuses new sessions at the cap.
func admissions() []Fault {
	concurrent := []string{"EVI-18.concurrent"}
	return []Fault{
		{
			Name: "evicts though it should refuse", Breaks: []string{"EVI-18"}, Follows: concurrent,
			Parts: tabled(func(o manager.Options) (subject.Table, error) { o.RefuseNew = false; return manager.New(o) }),
		},
		refusing("a refusal evicts", concurrent, func(t *table) { t.order = t.order[1:] }),
		refusing("a refusal counts as a hit", nil, func(t *table) { t.counts.Hits++ }),
		refusing("a refusal counts as a miss", nil, func(t *table) { t.counts.Misses++ }),
		refusing("a refusal counts as an eviction", concurrent, func(t *table) { t.counts.Evictions++ }),
		refusing("retains a session that it refused", concurrent, func(t *table) { t.order = append(t.order, manager.NewSession("refused")) }),
		refusing("a refusal resets who is retained", nil, func(t *table) {
			for _, s := range t.order {
				s.Reset()
			}
		}),
		{
			Name: "refuses a new session once", Breaks: []string{"EVI-18"},
			Parts: ruled(func(r *rules) {
				asked := map[string]bool{}
				r.atCap = func(t *table, id string) (*manager.Session, error) {
					if asked[id] {
						return t.admit(id), nil
					}
					asked[id] = true
					return nil, noPlace(id)
				}
			}),
		},
		admitting("refuses hits at the cap", "EVI-18", concurrent, func(t *table, id string) (*manager.Session, error) {
			if len(t.sessions()) >= t.cap {
				return nil, noPlace(id)
			}
			return t.Session(id)
		}),
		admitting("makes another session of a hit at the cap", "EVI-18", nil, func(t *table, id string) (*manager.Session, error) {
			s, err := t.Session(id)
			if err == nil && t.Stats().Hits > 0 && len(t.sessions()) >= t.cap {
				s = manager.NewSession(id)
			}
			return s, err
		}),
		admitting("calls a refused admission an invalid argument", "EVI-18.kind", nil, func(t *table, id string) (*manager.Session, error) {
			s, err := t.Session(id)
			if err != nil {
				err = fault.New(fault.ErrInvalidArgument, "%v", err)
			}
			return s, err
		}),
		admitting("a freed place stays taken", "EVI-18.freed", nil, func(t *table, id string) (*manager.Session, error) {
			if !t.Contains(id) && len(t.sessions())+int(t.Stats().Drops) >= t.cap {
				return nil, noPlace(id)
			}
			return t.Session(id)
		}),
		admitting("evicts after a place was freed", "EVI-18.freed", nil, func(t *table, id string) (*manager.Session, error) {
			s, err := t.Session(id)
			if err == nil && t.Stats().Drops > 0 && len(t.sessions()) > 1 {
				t.Drop(t.Retained()[0])
			}
			return s, err
		}),
	}
}

// refusing is a table that does something beside it when it refuses.
func refusing(name string, follows []string, do func(*table)) Fault {
	return Fault{Name: name, Breaks: []string{"EVI-18"}, Follows: follows, Parts: ruled(func(r *rules) {
		r.atCap = func(t *table, id string) (*manager.Session, error) {
			do(t)
			return nil, noPlace(id)
		}
	})}
}

// admitting is a subject that admits in another way where a manager is to refuse
// at its cap. It runs without the lock of the table, which is as it should be.
func admitting(name, breaks string, follows []string, admit func(t *table, id string) (*manager.Session, error)) Fault {
	return Fault{Name: name, Breaks: []string{breaks}, Follows: follows, Parts: tabled(func(o manager.Options) (subject.Table, error) {
		t, err := newTable(o, nil)
		if err != nil || !o.RefuseNew {
			return t, err
		}
		return admitter{t, admit}, nil
	})}
}

type admitter struct {
	*table
	admit func(t *table, id string) (*manager.Session, error)
}

func (a admitter) Session(id string) (*manager.Session, error) { return a.admit(a.table, id) }

package faulty

import (
	"sync"

	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/subject"
)

// byteWaiting holds faults of counts that others have to wait for.
func byteWaiting() []Fault {
	return []Fault{
		{
			Name: "counts with the table locked", Breaks: []string{"ACC-21"}, Met: "the real manager: for a second, where there are three million numbers",
			Parts: lockedTables(func(*lockedTable, string) bool { return true }),
		}, {
			Name: "makes a request for a session that it counts wait", Breaks: []string{"ACC-21"},
			Parts: lockedTables(func(l *lockedTable, id string) bool { return l.Contains(id) }),
		}, {
			Name: "makes a request for a new session wait for a count", Breaks: []string{"ACC-21"},
			Parts: lockedTables(func(l *lockedTable, id string) bool { return !l.Contains(id) }),
		},
	}
}

// A lockedTable lets some requests for sessions wait for a count.
type lockedTable struct {
	*manager.Manager
	waits    func(l *lockedTable, id string) bool
	counting sync.RWMutex
}

func lockedTables(waits func(l *lockedTable, id string) bool) func() subject.Parts {
	return func() subject.Parts {
		return subject.Parts{Table: func(o manager.Options) (subject.Table, error) {
			m, err := manager.New(o)
			if err != nil {
				return nil, err
			}
			return &lockedTable{Manager: m, waits: waits}, nil
		}}
	}
}

func (l *lockedTable) Session(id string) (*manager.Session, error) {
	if l.waits(l, id) {
		l.counting.RLock()
		defer l.counting.RUnlock()
	}
	return l.Manager.Session(id)
}

func (l *lockedTable) Stats() manager.Stats {
	l.counting.Lock()
	defer l.counting.Unlock()
	return l.Manager.Stats()
}

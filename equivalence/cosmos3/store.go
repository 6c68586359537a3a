package cosmos3

import (
	"github.com/statespec/statespec/reference/config"
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/manager"
)

// A Store finds the state of a session, on one path. An empty id is "default".
// It is safe for concurrent use; the states are not.
type Store interface {
	// Path is BespokePath or ManagedPath.
	Path() string

	// Open finds or makes a session's state, as the start of a forward does,
	// and counts as use of it.
	Open(id string) (State, error)

	// End is the close hook of a session: it is forgotten and its state
	// cleared, on both paths also for who still holds it. An id that is not
	// there is no error.
	End(id string) error

	// Retained returns the ids that are there, the least recently used first.
	Retained() []string
}

// Options of a Store.
type Options struct {
	// Cap bounds the sessions of the bespoke path, evicting the least recently
	// used; 0 keeps every session. The managed path has its manager's cap.
	Cap int
}

func (o Options) check() error {
	if o.Cap < 0 {
		return fault.New(fault.ErrInvalidArgument, "bespoke store of %d sessions: a cap is positive, or 0 for none", o.Cap)
	}
	return nil
}

// Choose returns the store of the path that a resolved config decides on. The
// managed path works on m, or, where m is nil, on a manager of its own with the
// cap resolved. The bespoke path does not touch m.
func Choose(resolved config.Resolution, m Sessions, o Options) (Store, error) {
	if !resolved.Enabled {
		return NewBespokeStore(o)
	}
	if m == nil {
		own, err := manager.New(manager.Options{MaxSessions: resolved.MaxSessions})
		if err != nil {
			return nil, err
		}
		m = own
	}
	return NewManagedStore(m, o)
}

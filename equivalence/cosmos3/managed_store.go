package cosmos3

import (
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/manager"
)

// Sessions is what a managed store needs of a manager's table.
// *manager.Manager has it.
type Sessions interface {
	Session(id string) (*manager.Session, error)
	Drop(id string) bool
	Retained() []string
}

var _ Sessions = (*manager.Manager)(nil)

// ManagedStore finds states in a manager. It keeps nothing itself: each Open
// makes an adapter, which holds its session.
type ManagedStore struct{ sessions Sessions }

var _ Store = (*ManagedStore)(nil)

// NewManagedStore returns a store over a manager, whose cap it has.
func NewManagedStore(m Sessions, o Options) (*ManagedStore, error) {
	if m == nil {
		return nil, fault.New(fault.ErrInvalidArgument, "managed store over a nil manager")
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	return &ManagedStore{sessions: m}, nil
}

// Path returns ManagedPath.
func (s *ManagedStore) Path() string { return ManagedPath }

// Open is Store's. It is refused where the manager admits no new session.
func (s *ManagedStore) Open(id string) (State, error) {
	session, err := s.sessions.Session(id)
	if err != nil {
		return nil, err
	}
	state, err := NewManaged(session)
	if err != nil {
		return nil, err
	}
	return state, nil
}

// End is Store's.
func (s *ManagedStore) End(id string) error {
	s.sessions.Drop(id)
	return nil
}

// Retained is Store's.
func (s *ManagedStore) Retained() []string { return s.sessions.Retained() }

package cosmos3

import (
	"cmp"
	"math"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/statespec/statespec/reference/manager"
)

// BespokeStore keeps the states of sessions in a table of its own, with an LRU
// cap where one is given.
type BespokeStore struct {
	mu    sync.Mutex
	table *simplelru.LRU[string, *Bespoke]
}

var _ Store = (*BespokeStore)(nil)

// NewBespokeStore returns an empty store.
func NewBespokeStore(o Options) (*BespokeStore, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	table, err := simplelru.NewLRU[string, *Bespoke](cmp.Or(o.Cap, math.MaxInt), nil)
	if err != nil {
		return nil, err
	}
	return &BespokeStore{table: table}, nil
}

// Path returns BespokePath.
func (s *BespokeStore) Path() string { return BespokePath }

// Open is Store's. A session that it evicts leaves the table and nothing else:
// who holds the state keeps it.
func (s *BespokeStore) Open(id string) (State, error) {
	id = named(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	if state, retained := s.table.Get(id); retained {
		return state, nil
	}
	state := NewBespoke()
	s.table.Add(id, state)
	return state, nil
}

// End is Store's.
func (s *BespokeStore) End(id string) error {
	id = named(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	state, retained := s.table.Peek(id)
	if !retained {
		return nil
	}
	s.table.Remove(id)
	return state.Reset()
}

// Retained is Store's.
func (s *BespokeStore) Retained() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.table.Keys()
}

// named is the id of a session that was given none.
func named(id string) string { return cmp.Or(id, manager.DefaultID) }

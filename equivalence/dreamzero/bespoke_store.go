package dreamzero

import (
	"container/list"
	"sync"
)

// BespokeStore keeps the states of sessions in a map, as models did by hand,
// with an LRU cap where one is given.
type BespokeStore struct {
	options Options

	mu     sync.Mutex
	table  map[string]*list.Element // of *entry
	recent *list.List               // the least recently used in front
}

type entry struct {
	id    string
	state *Bespoke
}

var _ Store = (*BespokeStore)(nil)

// NewBespokeStore returns an empty store. A window below one is refused as on
// the managed path, and otherwise without effect: nothing is bounded here.
func NewBespokeStore(o Options) (*BespokeStore, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	return &BespokeStore{options: o, table: map[string]*list.Element{}, recent: list.New()}, nil
}

// Path returns BespokePath.
func (s *BespokeStore) Path() string { return BespokePath }

// Open is Store's. A session that it evicts leaves the table and nothing else:
// who holds the state keeps it.
func (s *BespokeStore) Open(id string) (State, error) {
	id = named(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	if at, found := s.table[id]; found {
		s.recent.MoveToBack(at)
		return at.Value.(*entry).state, nil
	}
	if s.options.Cap > 0 && len(s.table) >= s.options.Cap {
		s.remove(s.recent.Front())
	}
	state := NewBespoke(s.options.Quantiser)
	s.table[id] = s.recent.PushBack(&entry{id: id, state: state})
	return state, nil
}

// End is Store's.
func (s *BespokeStore) End(id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, found := s.table[named(id)]
	if !found {
		return nil
	}
	s.remove(at)
	return at.Value.(*entry).state.SessionReset()
}

func (s *BespokeStore) remove(at *list.Element) {
	delete(s.table, at.Value.(*entry).id)
	s.recent.Remove(at)
}

// Retained is Store's.
func (s *BespokeStore) Retained() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	ids := make([]string, 0, len(s.table))
	for at := s.recent.Front(); at != nil; at = at.Next() {
		ids = append(ids, at.Value.(*entry).id)
	}
	return ids
}

// named is the id of a session that was given none.
func named(id string) string {
	if id == "" {
		return "default"
	}
	return id
}

package faulty

import (
	"slices"
	"sync"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
)

// partedHolders are faults of what a path leaves somebody who holds a session that
// goes.
func partedHolders() []Fault {
	evicted, closed := []string{"EQV-14"}, []string{"EQV-14.close"}
	return []Fault{
		{
			Name: "resets a state that is evicted on the bespoke path", Breaks: evicted,
			Parts: storesOn(bespokePath, func(own store) store { return &resettingStore{store: own, states: map[string]dreamzero.State{}} }),
		}, {
			Name: "resets a state that is evicted on the managed path", Breaks: evicted,
			Parts: storesOn(managedPath, func(own store) store { return &resettingStore{store: own, states: map[string]dreamzero.State{}} }),
		}, {
			Name: "a held state goes over to the session that came back on the managed path", Breaks: evicted, Follows: closed,
			Parts: goingOver,
		}, {
			Name: "leaves a holder its state when the session is closed on the bespoke path", Breaks: closed,
			Met: "the real bespoke path, where the managed one wipes the holder's",
			Parts: bespokeStores(func(o dreamzero.Options) (store, error) {
				own, err := dreamzero.NewBespokeStore(o)
				return &leavingHolders{lives{store: own, ended: map[string]int{}}}, err
			}),
		}, {
			Name: "leaves a holder its prompt when the session is closed on the managed path", Breaks: closed,
			Parts: closing(managedPath, func(c *closer, id string) error {
				if !c.retains(id) {
					return c.store.End(id)
				}
				st, err := c.store.Open(id)
				if err != nil {
					return err
				}
				prompt, err := st.Get(dreamzero.Language)
				if err != nil {
					return err
				}
				if err := c.store.End(id); err != nil {
					return err
				}
				return st.Set(dreamzero.Language, prompt)
			}),
		},
	}
}

// resettingStore is a store that resets the state of a session that left it.
type resettingStore struct {
	store
	mu     sync.Mutex
	states map[string]dreamzero.State // of what is retained
}

func (r *resettingStore) Open(id string) (dreamzero.State, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	st, err := r.store.Open(id)
	if err != nil {
		return nil, err
	}
	retained := r.Retained()
	for other, state := range r.states {
		if other != named(id) && !slices.Contains(retained, other) {
			delete(r.states, other)
			if err := state.SessionReset(); err != nil {
				return nil, err
			}
		}
	}
	r.states[named(id)] = st
	return st, nil
}

func (r *resettingStore) End(id string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.states, named(id))
	return r.store.End(id)
}

// leavingHolders is a bespoke store that ends a session and lets its state be.
type leavingHolders struct{ lives }

func (l *leavingHolders) End(id string) error { l.forget(id); return nil }

// goingOver is a subject whose held states on the managed path work on whatever
// session has their id, where one has.
func goingOver() subject.Parts {
	return subject.Parts{ManagedStore: func(m dreamzero.Sessions, o dreamzero.Options) (store, error) {
		own, err := dreamzero.NewManagedStore(m, o)
		if err != nil {
			return nil, err
		}
		return alteredStates(own, func(s *alteredState) { s.goOver(m, o) }), nil
	}}
}

// goOver has a state's own steps work on the session that has its id.
func (s *alteredState) goOver(m dreamzero.Sessions, o dreamzero.Options) {
	first := s.managed()
	now := func() dreamzero.State {
		held, retained := m.Peek(first.Session().ID())
		if !retained {
			return first
		}
		return adapterOver(held, first, o)
	}
	s.get = func(name string) (any, error) { return now().Get(name) }
	s.set = func(name string, value any) error { return now().Set(name, value) }
	s.joined = func() (*tensor.Tensor, error) { return now().ConcatenatedVideoLatents() }
}

// adapterOver is an adapter over a session, or the one that there is.
func adapterOver(held *manager.Session, there *dreamzero.Managed, o dreamzero.Options) dreamzero.State {
	if held == there.Session() {
		return there
	}
	st, err := dreamzero.NewManaged(held, o.Window, o.Quantiser)
	if err != nil {
		return there
	}
	return st
}

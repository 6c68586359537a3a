package faulty

import (
	"github.com/statespec/statespec/equivalence/cosmos3"
	"github.com/statespec/statespec/reference/subject"
)

// An alteredBranches is a state of Cosmos3 of which a fault has replaced some
// operations. They begin as its own.
type alteredBranches struct {
	cosmos3.State
	id string

	capture func(cosmos3.Branch, cosmos3.Conditioning) error
	set     func(cosmos3.Branch, []cosmos3.Layer) error
	load    func(cosmos3.Branch) (cosmos3.Conditioning, error)
	evict   func(cosmos3.Branch, int) (int64, bool, error)
	reset   func() error
	bytes   func(cosmos3.Branch) (int64, error)
}

// branchesOn is a subject whose states of Cosmos3 are altered on a path, or on
// both.
func branchesOn(path string, change func(*alteredBranches)) parts {
	return branchesOf(path, func() func(*alteredBranches) { return change })
}

// branchesOf is branchesOn of a fault that remembers something of all sessions of
// one store.
func branchesOf(path string, of func() func(*alteredBranches)) parts {
	return func() subject.Parts {
		return subject.Parts{Cosmos3: func(own cosmos3.Store) cosmos3.Store {
			if path != bothPaths && path != own.Path() {
				return own
			}
			return branchStore{own, of()}
		}}
	}
}

type branchStore struct {
	cosmos3.Store
	change func(*alteredBranches)
}

func (b branchStore) Open(id string) (cosmos3.State, error) {
	st, err := b.Store.Open(id)
	if err != nil {
		return nil, err
	}
	s := &alteredBranches{State: st, id: id, capture: st.Capture, set: st.SetLayers, load: st.Load, evict: st.EvictLayer, reset: st.Reset, bytes: st.Bytes}
	b.change(s)
	return s, nil
}

func (s *alteredBranches) Capture(b cosmos3.Branch, c cosmos3.Conditioning) error {
	return s.capture(b, c)
}
func (s *alteredBranches) SetLayers(b cosmos3.Branch, l []cosmos3.Layer) error { return s.set(b, l) }
func (s *alteredBranches) Load(b cosmos3.Branch) (cosmos3.Conditioning, error) { return s.load(b) }
func (s *alteredBranches) Reset() error                                        { return s.reset() }
func (s *alteredBranches) Bytes(b cosmos3.Branch) (int64, error)               { return s.bytes(b) }
func (s *alteredBranches) EvictLayer(b cosmos3.Branch, layer int) (int64, bool, error) {
	return s.evict(b, layer)
}

// captured says whether a branch is, whatever else there is to say of it.
func (s *alteredBranches) captured(b cosmos3.Branch) bool {
	is, err := s.State.Captured(b)
	return err == nil && is
}

package faulty

import (
	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
)

// bothPaths stands for either path where a fault may act on one.
const bothPaths = ""

// An alteredState is an alteredStream of which a fault may replace every other
// step too.
type alteredState struct {
	*alteredStream

	add    func(latents *tensor.Tensor) error
	joined func() (*tensor.Tensor, error)
	clear  func() error
	set    func(name string, value any) error
	get    func(name string) (any, error)
	reason func(tokens *tensor.Tensor, frames, window int) (dreamzero.Reason, error)
}

// statesOn is a subject whose states are altered on a path, or on both.
func statesOn(path string, change func(*alteredState)) parts {
	return func() subject.Parts {
		return subject.Parts{Store: func(own store) store {
			if path != bothPaths && path != own.Path() {
				return own
			}
			return alteredStates(own, change)
		}}
	}
}

// alteredStates is a store whose states are altered.
func alteredStates(own store, change func(*alteredState)) store {
	return stated{own, func(_ string, st dreamzero.State) dreamzero.State {
		s := &alteredState{alteredStream: altering(st, func(*alteredStream) {}), add: st.AppendVideoLatents, joined: st.ConcatenatedVideoLatents,
			clear: st.ClearVideoLatents, set: st.Set, get: st.Get, reason: st.ResetReason}
		change(s)
		return s
	}}
}

func (s *alteredState) AppendVideoLatents(latents *tensor.Tensor) error   { return s.add(latents) }
func (s *alteredState) ConcatenatedVideoLatents() (*tensor.Tensor, error) { return s.joined() }
func (s *alteredState) ClearVideoLatents() error                          { return s.clear() }
func (s *alteredState) Set(name string, value any) error                  { return s.set(name, value) }
func (s *alteredState) Get(name string) (any, error)                      { return s.get(name) }
func (s *alteredState) ResetReason(t *tensor.Tensor, f, w int) (dreamzero.Reason, error) {
	return s.reason(t, f, w)
}

// carriedOver is a reset after which some carried values are as they were.
func (s *alteredState) carriedOver(reset func() error, names ...string) func() error {
	return func() error {
		before := make([]any, len(names))
		for i, name := range names {
			var err error
			if before[i], err = s.State.Get(name); err != nil {
				return err
			}
		}
		if err := reset(); err != nil {
			return err
		}
		for i, name := range names {
			if err := s.State.Set(name, before[i]); err != nil {
				return err
			}
		}
		return nil
	}
}

// dropping is a step after which some carried values are gone.
func (s *alteredState) dropping(step func() error, names ...string) error {
	if err := step(); err != nil {
		return err
	}
	for _, name := range names {
		if err := s.State.Set(name, nil); err != nil {
			return err
		}
	}
	return nil
}

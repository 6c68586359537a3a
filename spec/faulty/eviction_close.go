package faulty

import (
	"slices"
	"sync"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/subject"
)

// closes are faults of a model's close hook for a session.
func closes() []Fault {
	return []Fault{
		{
			Name: "the close hook does nothing", Breaks: []string{"EVI-22", "EVI-22.fresh", "EVI-22.reclaimed"},
			Met:   "a real stage that never hears that a session ended",
			Parts: closing("", func(*closer, string) error { return nil }),
		}, {
			Name: "the bespoke close hook does nothing", Breaks: []string{"EVI-22.fresh"}, Follows: []string{"EQV-14.close"},
			Parts: closing(dreamzero.BespokePath, func(*closer, string) error { return nil }),
		}, {
			Name: "the close hook empties the session and leaves it retained", Breaks: []string{"EVI-22"}, Follows: []string{"EQV-14.close"},
			Parts: closing(dreamzero.ManagedPath, func(c *closer, id string) error {
				if !c.retains(id) {
					return nil
				}
				st, err := c.store.Open(id)
				if err != nil {
					return err
				}
				return st.SessionReset()
			}),
		}, {
			Name: "an ended session keeps its call count", Breaks: []string{"EVI-22.fresh"},
			Parts: closing("", func(c *closer, id string) error {
				if c.retains(id) {
					c.remember(id)
				}
				return c.store.End(id)
			}),
		}, {
			Name: "keeps an image feature of every session that ended", Breaks: []string{"EVI-22.reclaimed"},
			Parts: closing("", func(c *closer, id string) error {
				if c.retains(id) {
					if st, err := c.store.Open(id); err == nil {
						v, _ := st.Get(dreamzero.ClipFeatures)
						c.kept = append(c.kept, v)
					}
				}
				return c.store.End(id)
			}),
		}, {
			Name: "ending an unknown session ends the least recent one", Breaks: []string{"EVI-22.unknown"},
			Parts: closing("", func(c *closer, id string) error {
				if all := c.Retained(); len(all) > 0 && !c.retains(id) {
					id = all[0]
				}
				return c.store.End(id)
			}),
		}, {
			Name: "ending an unknown session makes it", Breaks: []string{"EVI-22.unknown"},
			Met: "the real model, which makes a session when it is asked for the video of one that it does not know",
			Parts: closing("", func(c *closer, id string) error {
				if !c.retains(id) {
					_, err := c.store.Open(id)
					return err
				}
				return c.store.End(id)
			}),
		}, {
			Name: "ending an unknown session resets all others", Breaks: []string{"EVI-22.unknown"},
			Parts: closing("", func(c *closer, id string) error {
				if !c.retains(id) {
					for _, other := range c.Retained() {
						if st, err := c.store.Open(other); err == nil {
							st.SessionReset()
						}
					}
				}
				return c.store.End(id)
			}),
		},
	}
}

// modelPlaces are faults of what a model takes of a manager for itself.
func modelPlaces() []Fault {
	return []Fault{
		{
			Name: "a model opens the default session for itself", Breaks: []string{"EVI-23"},
			Met:   "the real pipeline, whose own default session takes a place",
			Parts: stored(func(s store) store { s.Open(""); return s }),
		}, {
			Name: "a model takes a place for each session that it opens", Breaks: []string{"EVI-23"}, Follows: []string{"EQV-07"},
			Parts: stored(func(s store) store { return paired{s} }),
		},
	}
}

// stored is a subject with something in front of models' managed stores.
func stored(front func(store) store) func() subject.Parts {
	return func() subject.Parts {
		return subject.Parts{Store: func(s store) store {
			if s.Path() != dreamzero.ManagedPath {
				return s
			}
			return front(s)
		}}
	}
}

// paired opens a second session beside each.
type paired struct{ store }

func (p paired) Open(id string) (dreamzero.State, error) {
	if _, err := p.store.Open(id + ", unconditional"); err != nil {
		return nil, err
	}
	return p.store.Open(id)
}

// closing is a subject whose models end sessions in another way: on a path, or
// on both.
func closing(path string, end func(c *closer, id string) error) func() subject.Parts {
	return func() subject.Parts {
		return subject.Parts{Store: func(s store) store {
			if path != "" && path != s.Path() {
				return s
			}
			return &closer{store: s, end: end, calls: map[string]any{}}
		}}
	}
}

// A closer stands in front of a store and remembers what ended.
type closer struct {
	store
	end func(c *closer, id string) error

	mu    sync.Mutex
	calls map[string]any // of ended sessions, by id
	kept  []any
}

func (c *closer) End(id string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.end(c, id)
}

func (c *closer) retains(id string) bool { return slices.Contains(c.Retained(), named(id)) }

func (c *closer) remember(id string) {
	if st, err := c.store.Open(id); err == nil {
		c.calls[id], _ = st.Get(dreamzero.CallCount)
	}
}

// Open gives a session the call count that is remembered of its id.
func (c *closer) Open(id string) (dreamzero.State, error) {
	st, err := c.store.Open(id)
	c.mu.Lock()
	defer c.mu.Unlock()
	if n, ended := c.calls[id]; err == nil && ended {
		delete(c.calls, id)
		err = st.Set(dreamzero.CallCount, n)
	}
	return st, err
}

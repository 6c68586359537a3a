package faulty

import (
	"fmt"
	"slices"
	"sync"

	"github.com/statespec/statespec/equivalence/cosmos3"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/tensor"
)

// conditionings are faults of Cosmos3's conditioning.
func conditionings() []Fault {
	return slices.Concat(storedConditioning(), mixedBranches(), repeatedCaptures(), partialBranches())
}

func storedConditioning() []Fault {
	return []Fault{
		{
			Name: "rounds float32 keys of a layer on the managed path", Breaks: []string{"EQV-13"},
			Parts: branchesOn(managedPath, keyed(rounded)),
		}, {
			Name: "makes one NaN of all in keys on the bespoke path", Breaks: []string{"EQV-13"},
			Parts: branchesOn(bespokePath, keyed(each32(oneNaN))),
		}, {
			Name: "keeps a layer of conditioning twice", Breaks: []string{"EQV-13"},
			Parts: branchesOn(bothPaths, func(s *alteredBranches) {
				s.bytes = func(b cosmos3.Branch) (int64, error) {
					n, err := s.State.Bytes(b)
					return 2 * n, err
				}
			}),
		}, {
			Name: "captures no frequencies of the negative branch on the managed path", Breaks: []string{"EQV-13"}, Follows: []string{"EQV-13.isolated"},
			Parts: branchesOn(managedPath, func(s *alteredBranches) {
				s.load = func(b cosmos3.Branch) (cosmos3.Conditioning, error) {
					c, err := s.State.Load(b)
					if b == cosmos3.Negative {
						c.Frequencies = nil
					}
					return c, err
				}
			}),
		}, {
			Name: "loses the frequencies of a branch that is set again", Breaks: []string{"EQV-13"},
			Parts: branchesOn(bothPaths, func(s *alteredBranches) {
				again := map[cosmos3.Branch]bool{}
				s.set = func(b cosmos3.Branch, layers []cosmos3.Layer) error {
					again[b] = true
					return s.State.SetLayers(b, layers)
				}
				s.load = func(b cosmos3.Branch) (cosmos3.Conditioning, error) {
					c, err := s.State.Load(b)
					if again[b] {
						c.Frequencies = nil
					}
					return c, err
				}
			}),
		},
	}
}

// keyed has a state keep other keys than it is given.
func keyed(as func(*tensor.Tensor) *tensor.Tensor) func(*alteredBranches) {
	return func(s *alteredBranches) {
		s.capture = func(b cosmos3.Branch, c cosmos3.Conditioning) error {
			c.Layers = slices.Clone(c.Layers)
			for i := range c.Layers {
				c.Layers[i].Keys = as(c.Layers[i].Keys)
			}
			return s.State.Capture(b, c)
		}
	}
}

func mixedBranches() []Fault {
	return []Fault{
		{
			Name: "captures the negative branch into both on the managed path", Breaks: []string{"EQV-13.isolated"},
			Parts: branchesOn(managedPath, func(s *alteredBranches) {
				s.capture = func(b cosmos3.Branch, c cosmos3.Conditioning) error {
					err := s.State.Capture(b, c)
					if err == nil && b == cosmos3.Negative {
						err = s.State.SetLayers(cosmos3.Positive, c.Layers)
					}
					return err
				}
			}),
		}, {
			Name: "reads a branch no deeper than the other one on the bespoke path", Breaks: []string{"EQV-13.isolated"},
			Parts: branchesOn(bespokePath, func(s *alteredBranches) {
				s.load = func(b cosmos3.Branch) (cosmos3.Conditioning, error) {
					c, err := s.State.Load(b)
					if err != nil {
						return c, err
					}
					for _, other := range cosmos3.Branches() {
						if o, err := s.State.Load(other); err == nil && len(o.Layers) > 0 {
							c.Layers = c.Layers[:min(len(c.Layers), len(o.Layers))]
						}
					}
					return c, nil
				}
			}),
		}, {
			Name: "shares the negative branch among sessions", Breaks: []string{"EQV-13.isolated"},
			Parts: branchesOf(bothPaths, func() func(*alteredBranches) {
				var mu sync.Mutex
				var shared cosmos3.Conditioning
				return func(s *alteredBranches) {
					s.capture = func(b cosmos3.Branch, c cosmos3.Conditioning) error {
						mu.Lock()
						defer mu.Unlock()
						if b == cosmos3.Negative {
							shared = c
						}
						return s.State.Capture(b, c)
					}
					s.load = func(b cosmos3.Branch) (cosmos3.Conditioning, error) {
						mu.Lock()
						defer mu.Unlock()
						if b == cosmos3.Negative && !s.captured(b) {
							return shared, nil
						}
						return s.State.Load(b)
					}
				}
			}),
		}, {
			Name: "resets the conditioning of every session at once", Breaks: []string{"EQV-13.isolated"},
			Parts: branchesOf(bothPaths, func() func(*alteredBranches) {
				var mu sync.Mutex
				var all []cosmos3.State
				return func(s *alteredBranches) {
					mu.Lock()
					defer mu.Unlock()
					all = append(all, s.State)
					s.reset = func() error {
						mu.Lock()
						defer mu.Unlock()
						for _, st := range all {
							if err := st.Reset(); err != nil {
								return err
							}
						}
						return nil
					}
				}
			}),
		},
	}
}

func repeatedCaptures() []Fault {
	return []Fault{
		{
			Name: "replaces the layers of a branch at a second capture on the managed path", Breaks: []string{"EQV-13.second-capture"},
			Parts: branchesOn(managedPath, recapturing(func(s *alteredBranches, b cosmos3.Branch, c cosmos3.Conditioning) error {
				return s.State.SetLayers(b, c.Layers)
			})),
		}, {
			Name: "replaces the frequencies of a branch at a second capture on the bespoke path", Breaks: []string{"EQV-13.second-capture"},
			Parts: branchesOn(bespokePath, recapturing(func(s *alteredBranches, b cosmos3.Branch, c cosmos3.Conditioning) error {
				old, err := s.State.Load(b)
				if err != nil {
					return err
				}
				if _, _, err := s.State.EvictLayer(b, 0); err != nil {
					return err
				}
				return s.State.Capture(b, cosmos3.Conditioning{Layers: old.Layers, Frequencies: c.Frequencies})
			})),
		}, {
			Name: "captures again for each holder of a session", Breaks: []string{"EQV-13.second-capture"},
			Parts: branchesOn(bothPaths, func(s *alteredBranches) {
				own := false
				s.capture = func(b cosmos3.Branch, c cosmos3.Conditioning) error {
					if s.captured(b) && !own {
						own = true
						return s.State.SetLayers(b, c.Layers)
					}
					own = true
					return s.State.Capture(b, c)
				}
			}),
		},
	}
}

// recapturing has a state do something at a capture of what is captured.
func recapturing(do func(*alteredBranches, cosmos3.Branch, cosmos3.Conditioning) error) func(*alteredBranches) {
	return func(s *alteredBranches) {
		s.capture = func(b cosmos3.Branch, c cosmos3.Conditioning) error {
			if s.captured(b) {
				return do(s, b, c)
			}
			return s.State.Capture(b, c)
		}
	}
}

func partialBranches() []Fault {
	return []Fault{
		{
			Name: "reads what is left of a branch on the bespoke path", Breaks: []string{"EQV-13.partial"},
			Parts: branchesOn(bespokePath, readingPart(func(layers []cosmos3.Layer, gone map[int]bool) (left []cosmos3.Layer) {
				for i, l := range layers {
					if !gone[i] {
						left = append(left, l)
					}
				}
				return left
			})),
		}, {
			Name: "reads a branch up to the layer that is gone on the managed path", Breaks: []string{"EQV-13.partial"},
			Parts: branchesOn(managedPath, readingPart(func(layers []cosmos3.Layer, gone map[int]bool) []cosmos3.Layer {
				for i := range layers {
					if gone[i] {
						return layers[:i]
					}
				}
				return layers
			})),
		}, {
			Name: "reads a branch as deep as its objects are resident", Breaks: []string{"EQV-13.partial"},
			Parts: branchesOn(managedPath, func(s *alteredBranches) {
				s.load = func(b cosmos3.Branch) (cosmos3.Conditioning, error) {
					c, err := s.State.Load(b)
					if err == nil {
						return c, nil
					}
					return cosmos3.Conditioning{Layers: residentLayers(s.State.(*cosmos3.Managed), b)}, nil
				}
			}),
		},
	}
}

// readingPart has a state read something else of a branch of which layers are gone.
func readingPart(left func(layers []cosmos3.Layer, gone map[int]bool) []cosmos3.Layer) func(*alteredBranches) {
	return func(s *alteredBranches) {
		layers, gone := map[cosmos3.Branch][]cosmos3.Layer{}, map[cosmos3.Branch]map[int]bool{}
		keep := func(b cosmos3.Branch, ls []cosmos3.Layer) { layers[b], gone[b] = ls, map[int]bool{} }
		s.capture = func(b cosmos3.Branch, c cosmos3.Conditioning) error {
			if !s.captured(b) {
				keep(b, c.Layers)
			}
			return s.State.Capture(b, c)
		}
		s.set = func(b cosmos3.Branch, ls []cosmos3.Layer) error { keep(b, ls); return s.State.SetLayers(b, ls) }
		s.evict = func(b cosmos3.Branch, layer int) (int64, bool, error) {
			if gone[b] != nil {
				gone[b][layer] = true
			}
			return s.State.EvictLayer(b, layer)
		}
		s.load = func(b cosmos3.Branch) (cosmos3.Conditioning, error) {
			c, err := s.State.Load(b)
			if err != nil && len(layers[b]) > 0 {
				return cosmos3.Conditioning{Layers: left(layers[b], gone[b])}, nil
			}
			return c, err
		}
	}
}

// residentLayers are those of a branch that its session's objects still hold.
func residentLayers(m *cosmos3.Managed, b cosmos3.Branch) (layers []cosmos3.Layer) {
	for i := 0; ; i++ {
		layer, found := residentLayer(m, b, i)
		if !found {
			return layers
		}
		if layer != nil {
			layers = append(layers, *layer)
		}
	}
}

// residentLayer is one of them, nil for one that is gone; found says whether the
// session has an object for it.
func residentLayer(m *cosmos3.Managed, b cosmos3.Branch, i int) (layer *cosmos3.Layer, found bool) {
	o, err := m.Session().Object(fmt.Sprintf("und_kv.%s.%d", b, i))
	if err != nil {
		return nil, false
	}
	view, err := o.View(object.ViewOptions{})
	if err != nil || len(view) == 0 {
		return nil, true
	}
	keys, err := view[0].Select(0, 0)
	if err != nil {
		return nil, true
	}
	values, err := view[0].Select(0, 1)
	if err != nil {
		return nil, true
	}
	return &cosmos3.Layer{Keys: keys, Values: values}, true
}

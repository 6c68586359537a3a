package main

import (
	"context"
	"fmt"

	"github.com/statespec/statespec/ci/paired"
)

// limit is the cap that the reference is shipped with.
const limit = 64

// others is how many times as many keys are added in turn as are retained, so that
// each was evicted when its turn comes.
const others = 4

type setUp = func(context.Context) (*paired.Body, error)

// gets goes round the keys that are retained.
func gets(p peer, goroutines int) setUp {
	return func(context.Context) (*paired.Body, error) {
		keys := ids(limit)
		c, err := p.full(keys)
		if err != nil {
			return nil, err
		}
		before := c.missed()
		r := newRound(keys, 0, goroutines)
		return p.body(c, r, c.get, func() float64 {
			if r.made() == 0 {
				return 1
			}
			return 1 - float64(c.missed()-before)/float64(r.made())
		}), nil
	}
}

// adds goes round more keys than are retained.
func adds(p peer, goroutines int) setUp {
	return func(context.Context) (*paired.Body, error) {
		keys := ids(limit * others)
		c, err := p.full(keys[:limit])
		if err != nil {
			return nil, err
		}
		r := newRound(keys, limit, goroutines)
		// What a strict cache retains is among the last keys of each goroutine, whoever
		// was first.
		return p.body(c, r, c.add, func() float64 { return float64(held(c, r.last(limit))) / limit }), nil
	}
}

// body is a turn that is made by goroutines. What the cache has yet to do when they
// are through is waited for: it would be done in the time of the next in turn.
// The hits are a share, of which a peer that does all at once has to have all.
func (p peer) body(c cache, r *round, do turn, hits func() float64) *paired.Body {
	return &paired.Body{
		Uncounted: p.background || len(r.starts) > 1,
		Run: func(n int) error {
			err := r.make(do, n)
			c.settle()
			return err
		},
		Units: func() (map[string]float64, error) {
			switch share := hits(); {
			case p.background:
				return map[string]float64{"hit-ratio": share}, nil
			case share != 1:
				return nil, fmt.Errorf("%v of the keys that have to be there are, want 1", share)
			}
			return nil, nil
		},
		Close: func() error {
			c.close()
			return nil
		},
	}
}

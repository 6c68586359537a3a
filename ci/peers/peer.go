package main

import (
	"fmt"
	"sync/atomic"
)

// A peer is a way to retain keys up to a cap.
type peer struct {
	name   string
	evicts bool // all but the bare map
	shared bool // goroutines may use it at once
	// background says that a part of its work is done by goroutines of its own, some
	// time after the call. Such a peer may miss a key that was added, so that its hit
	// ratio is reported, not demanded, and its allocations are not counted.
	background bool
	made       func(limit int) (cache, error)
}

// strict says whether the peer is to retain the keys that were used last, and no
// others, after each operation.
func (p peer) strict() bool { return p.evicts && !p.background }

// peers is all of them, in their turn: the two whose goroutines may still be at work in
// the next one's time are last, away from the reference and the control.
func peers() []peer {
	return []peer{
		{name: "map", made: newBare},
		{name: "simplelru", evicts: true, made: newSimple},
		{name: "list", evicts: true, shared: true, made: newListed},
		{name: "control", evicts: true, shared: true, made: newLocked},
		{name: "statespec", evicts: true, shared: true, made: newManaged},
		{name: "otter", evicts: true, shared: true, background: true, made: newOtter},
		{name: "ristretto", evicts: true, shared: true, background: true, made: newRistretto},
	}
}

// A cache is what of a peer is measured and checked. Each peer goes round the keys by
// itself, their number being a power of two: of a bare map's few ns, a call through
// an interface for each key would be a good part.
type cache interface {
	get(keys []string, start, n int) error
	add(keys []string, start, n int) error
	// use gets a key, and adds it when it is not there.
	use(key string) error
	// has says whether a key is retained, and is no use of it.
	has(key string) bool
	// missed is how many keys that get was to get were not there.
	missed() int
	// settle waits for what goroutines of the cache's own have yet to do.
	settle()
	close()
}

// misses are counted once a turn.
type misses struct{ n atomic.Int64 }

func (m *misses) missed() int { return int(m.n.Load()) }

// atOnce is of caches that have done what they do when they return.
type atOnce struct{}

func (atOnce) settle() {}
func (atOnce) close()  {}

// full is a peer that retains the keys, which are as many as its cap.
func (p peer) full(keys []string) (cache, error) {
	c, err := p.made(len(keys))
	if err != nil {
		return nil, err
	}
	if err := c.add(keys, 0, len(keys)); err != nil {
		c.close()
		return nil, err
	}
	c.settle()
	if n := held(c, keys); n != len(keys) {
		c.close()
		return nil, fmt.Errorf("%d of %d keys are retained at the start, want all", n, len(keys))
	}
	return c, nil
}

// held is how many of the keys are retained.
func held(c cache, keys []string) (n int) {
	for _, k := range keys {
		if c.has(k) {
			n++
		}
	}
	return n
}

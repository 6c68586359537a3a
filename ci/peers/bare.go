package main

import "github.com/statespec/statespec/reference/manager"

// bare is a map: what a look-up takes that retains nothing by use.
type bare struct {
	atOnce
	misses
	of map[string]*manager.Session
}

func newBare(limit int) (cache, error) {
	return &bare{of: make(map[string]*manager.Session, limit)}, nil
}

func (c *bare) get(keys []string, start, n int) error {
	missed := 0
	for i := range n {
		if _, ok := c.of[keys[(start+i)&(len(keys)-1)]]; !ok {
			missed++
		}
	}
	c.n.Add(int64(missed))
	return nil
}

func (c *bare) add(keys []string, start, n int) error {
	for i := range n {
		c.of[keys[(start+i)&(len(keys)-1)]] = nil
	}
	return nil
}

func (c *bare) use(key string) error {
	if !c.has(key) {
		c.of[key] = nil
	}
	return nil
}

func (c *bare) has(key string) bool {
	_, ok := c.of[key]
	return ok
}

package main

import (
	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/statespec/statespec/reference/manager"
)

// locked is hashicorp's cache: its table with a lock. It is the control.
type locked struct {
	atOnce
	misses
	of *lru.Cache[string, *manager.Session]
}

func newLocked(limit int) (cache, error) {
	of, err := lru.New[string, *manager.Session](limit)
	return &locked{of: of}, err
}

func (c *locked) get(keys []string, start, n int) error {
	missed := 0
	for i := range n {
		if _, ok := c.of.Get(keys[(start+i)&(len(keys)-1)]); !ok {
			missed++
		}
	}
	c.n.Add(int64(missed))
	return nil
}

func (c *locked) add(keys []string, start, n int) error {
	for i := range n {
		c.of.Add(keys[(start+i)&(len(keys)-1)], nil)
	}
	return nil
}

func (c *locked) use(key string) error {
	if _, ok := c.of.Get(key); !ok {
		c.of.Add(key, nil)
	}
	return nil
}

func (c *locked) has(key string) bool { return c.of.Contains(key) }

package main

import (
	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/statespec/statespec/reference/manager"
)

// simple is hashicorp's table without its lock, which the reference has inside.
type simple struct {
	atOnce
	misses
	of *simplelru.LRU[string, *manager.Session]
}

func newSimple(limit int) (cache, error) {
	of, err := simplelru.NewLRU[string, *manager.Session](limit, nil)
	return &simple{of: of}, err
}

func (c *simple) get(keys []string, start, n int) error {
	missed := 0
	for i := range n {
		if _, ok := c.of.Get(keys[(start+i)&(len(keys)-1)]); !ok {
			missed++
		}
	}
	c.n.Add(int64(missed))
	return nil
}

func (c *simple) add(keys []string, start, n int) error {
	for i := range n {
		c.of.Add(keys[(start+i)&(len(keys)-1)], nil)
	}
	return nil
}

func (c *simple) use(key string) error {
	if _, ok := c.of.Get(key); !ok {
		c.of.Add(key, nil)
	}
	return nil
}

func (c *simple) has(key string) bool { return c.of.Contains(key) }

package main

import (
	"github.com/maypok86/otter/v2"

	"github.com/statespec/statespec/reference/manager"
)

// ottered is otter as it is shipped. It evicts by how often a key is used as well as
// by when, and some time after the call.
type ottered struct {
	misses
	of *otter.Cache[string, *manager.Session]
}

func newOtter(limit int) (cache, error) {
	of, err := otter.New(&otter.Options[string, *manager.Session]{MaximumSize: limit})
	return &ottered{of: of}, err
}

func (c *ottered) get(keys []string, start, n int) error {
	missed := 0
	for i := range n {
		if _, ok := c.of.GetIfPresent(keys[(start+i)&(len(keys)-1)]); !ok {
			missed++
		}
	}
	c.n.Add(int64(missed))
	return nil
}

func (c *ottered) add(keys []string, start, n int) error {
	for i := range n {
		c.of.Set(keys[(start+i)&(len(keys)-1)], nil)
	}
	return nil
}

func (c *ottered) use(key string) error {
	if _, ok := c.of.GetIfPresent(key); !ok {
		c.of.Set(key, nil)
	}
	return nil
}

func (c *ottered) has(key string) bool {
	_, ok := c.of.GetEntryQuietly(key)
	return ok
}

func (c *ottered) settle() { c.of.CleanUp() }
func (c *ottered) close()  { c.of.StopAllGoroutines() }

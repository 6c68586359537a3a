package main

import (
	"github.com/dgraph-io/ristretto/v2"

	"github.com/statespec/statespec/reference/manager"
)

// ristrettoed is ristretto with a cost of one for each key. A goroutine of its own
// decides what is added, and where that one is behind, what was to be added is not.
type ristrettoed struct {
	misses
	of *ristretto.Cache[string, *manager.Session]
}

func newRistretto(limit int) (cache, error) {
	of, err := ristretto.NewCache(&ristretto.Config[string, *manager.Session]{
		NumCounters: 10 * int64(limit), MaxCost: int64(limit), BufferItems: 64, // as its documentation has it
		IgnoreInternalCost: true, // the cap is of keys, not of bytes
	})
	return &ristrettoed{of: of}, err
}

func (c *ristrettoed) get(keys []string, start, n int) error {
	missed := 0
	for i := range n {
		if _, ok := c.of.Get(keys[(start+i)&(len(keys)-1)]); !ok {
			missed++
		}
	}
	c.n.Add(int64(missed))
	return nil
}

func (c *ristrettoed) add(keys []string, start, n int) error {
	for i := range n {
		c.of.Set(keys[(start+i)&(len(keys)-1)], nil, 1)
	}
	return nil
}

func (c *ristrettoed) use(key string) error {
	if _, ok := c.of.Get(key); !ok {
		c.of.Set(key, nil, 1)
	}
	return nil
}

// has asks for the time that is left, since a Get would be a use.
func (c *ristrettoed) has(key string) bool {
	_, ok := c.of.GetTTL(key)
	return ok
}

func (c *ristrettoed) settle() { c.of.Wait() }
func (c *ristrettoed) close()  { c.of.Close() }

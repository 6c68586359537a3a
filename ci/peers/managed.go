package main

import "github.com/statespec/statespec/reference/manager"

// managed is the reference. Its one operation gets or creates: get, add and use are
// the same, and a miss makes a session where the others add a nil.
type managed struct {
	atOnce
	of *manager.Manager
}

func newManaged(limit int) (cache, error) {
	of, err := manager.New(manager.Options{MaxSessions: limit})
	return &managed{of: of}, err
}

func (c *managed) get(keys []string, start, n int) error {
	for i := range n {
		if _, err := c.of.Session(keys[(start+i)&(len(keys)-1)]); err != nil {
			return err
		}
	}
	return nil
}

func (c *managed) add(keys []string, start, n int) error { return c.get(keys, start, n) }

func (c *managed) use(key string) error {
	_, err := c.of.Session(key)
	return err
}

func (c *managed) has(key string) bool { return c.of.Contains(key) }

// missed is what the manager counts itself.
func (c *managed) missed() int { return int(c.of.Stats().Misses) }

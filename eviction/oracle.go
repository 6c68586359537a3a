package eviction

import "slices"

// lru is the bounded cache that the manager replaces, as plainly as it can be
// said: the ids retained, the least recently used first. It shares no code with
// any manager under test.
type lru struct {
	cap int
	ids []string
}

// ask is get-or-create.
func (c *lru) ask(id string) {
	if at := slices.Index(c.ids, id); at >= 0 {
		c.ids = slices.Delete(c.ids, at, at+1)
	}
	c.ids = append(c.ids, id)
	if len(c.ids) > c.cap {
		c.ids = slices.Delete(c.ids, 0, 1)
	}
}

// after is what such a cache retains after a trace, oldest first.
func after(n int, t trace) []string {
	c := lru{cap: n}
	for _, id := range t {
		c.ask(id)
	}
	return c.ids
}

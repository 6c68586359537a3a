package main

import (
	"sync"

	"github.com/statespec/statespec/reference/manager"
)

// listed is a map and a list under one lock, as one writes it by hand for these keys:
// what is evicted makes room for what is added, so that nothing is allocated.
type listed struct {
	atOnce
	misses
	limit int

	mu    sync.Mutex
	of    map[string]*link
	order link // a ring: next is used last, prev is evicted next
}

// A link is a key's place in the order of use.
type link struct {
	prev, next *link
	key        string
	value      *manager.Session
}

func newListed(limit int) (cache, error) {
	c := &listed{limit: limit, of: make(map[string]*link, limit)}
	c.order.prev, c.order.next = &c.order, &c.order
	return c, nil
}

func (l *link) unlink() { l.prev.next, l.next.prev = l.next, l.prev }

func (l *link) linkAfter(at *link) {
	l.prev, l.next = at, at.next
	at.next.prev, at.next = l, l
}

func (c *listed) look(key string) (*manager.Session, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	l, ok := c.of[key]
	if !ok {
		return nil, false
	}
	if c.order.next != l {
		l.unlink()
		l.linkAfter(&c.order)
	}
	return l.value, true
}

func (c *listed) put(key string, value *manager.Session) {
	c.mu.Lock()
	defer c.mu.Unlock()
	l, ok := c.of[key]
	switch {
	case ok:
		l.unlink()
	case len(c.of) < c.limit:
		l = new(link)
		c.of[key] = l
	default:
		l = c.order.prev
		l.unlink()
		delete(c.of, l.key)
		c.of[key] = l
	}
	l.key, l.value = key, value
	l.linkAfter(&c.order)
}

func (c *listed) get(keys []string, start, n int) error {
	missed := 0
	for i := range n {
		if _, ok := c.look(keys[(start+i)&(len(keys)-1)]); !ok {
			missed++
		}
	}
	c.n.Add(int64(missed))
	return nil
}

func (c *listed) add(keys []string, start, n int) error {
	for i := range n {
		c.put(keys[(start+i)&(len(keys)-1)], nil)
	}
	return nil
}

func (c *listed) use(key string) error {
	if _, ok := c.look(key); !ok {
		c.put(key, nil)
	}
	return nil
}

func (c *listed) has(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.of[key]
	return ok
}

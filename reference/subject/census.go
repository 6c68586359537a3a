package subject

import (
	"runtime"
	"sync"
	"weak"

	"github.com/statespec/statespec/reference/tensor"
	"github.com/statespec/statespec/spec"
)

// census knows which storages of this subject live. It holds them weakly, so
// that a collection alone decides, with no goroutine to wait for.
type census struct {
	mu   sync.Mutex
	made []entry
}

type entry struct {
	tag     string // empty: counted, not named
	storage weak.Pointer[tensor.Storage]
}

func (c *census) add(st *tensor.Storage, tag string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.made = append(c.made, entry{tag, weak.Make(st)})
}

// collect returns the tags and bytes of what lives after a collection.
func (c *census) collect(devices []Device) (spec.Memory, error) {
	for range 2 { // the second takes what the first one's finalizers still held
		runtime.GC()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	// The allocator of host memory is Go's own, and it counts all of it: copies
	// that objects made for themselves, too.
	var heap runtime.MemStats
	runtime.ReadMemStats(&heap)
	m := spec.Memory{Alive: []string{}, Allocated: map[string]int64{"cpu": int64(heap.HeapAlloc)}}
	alive := c.made[:0]
	for _, e := range c.made {
		st := e.storage.Value()
		if st == nil {
			continue
		}
		alive = append(alive, e)
		if e.tag != "" {
			m.Alive = append(m.Alive, e.tag)
		}
	}
	clear(c.made[len(alive):])
	c.made = alive
	for _, d := range devices {
		n, err := d.InUse()
		if err != nil {
			return spec.Memory{}, err
		}
		m.Allocated[string(d.Device())] = n
	}
	return m, nil
}

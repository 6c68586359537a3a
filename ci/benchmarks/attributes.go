package benchmarks

import (
	"context"
	"fmt"
	"sync"

	"github.com/statespec/statespec/ci/paired"
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/tensor"
)

var (
	callCount = manager.NewAttr("call_count", 0)
	prompt    = manager.NewAttr[*tensor.Tensor]("prompt_embeds", nil)
)

// dozen is a session with as many attributes as DreamZero has.
func dozen() *manager.Session {
	s := manager.NewSession("a")
	for i := range 10 {
		manager.NewAttr(fmt.Sprintf("attribute_%d", i), 0).Set(s, i)
	}
	callCount.Set(s, 1000)
	prompt.Set(s, nil)
	return s
}

// A lockedMap is what an attribute has to keep up with.
type lockedMap struct {
	mu sync.Mutex
	m  map[string]any
}

func newLockedMap() *lockedMap {
	l := &lockedMap{m: map[string]any{"call_count": 1000, "prompt_embeds": nil}}
	for i := range 10 {
		l.m[fmt.Sprintf("attribute_%d", i)] = i
	}
	return l
}

// of is a body that has nothing to close.
func of(run func(n int) error) func(context.Context) (*paired.Body, error) {
	return func(context.Context) (*paired.Body, error) { return &paired.Body{Run: run}, nil }
}

func attrRead() paired.Benchmark {
	s, l := dozen(), newLockedMap()
	return paired.Benchmark{
		Name: "AttrRead", Doc: "an int attribute of a session that has twelve; the control is a look-up in a map of twelve under a mutex",
		Variants: []paired.Variant{
			{Name: ours("/attributes=12"), Most: unallocating(1.5), SetUp: of(func(n int) error {
				sum := 0
				for range n {
					sum += callCount.Get(s)
				}
				if sum != 1000*n {
					return unlike("the sum of what was read", sum, 1000*n)
				}
				return nil
			})},
			{Name: controlled("/attributes=12"), SetUp: of(func(n int) error {
				sum := 0
				for range n {
					l.mu.Lock()
					v := l.m["call_count"].(int)
					l.mu.Unlock()
					sum += v
				}
				if sum != 1000*n {
					return unlike("the sum of what was read", sum, 1000*n)
				}
				return nil
			})},
		},
	}
}

func attrWrite() paired.Benchmark {
	s, l := dozen(), newLockedMap()
	return paired.Benchmark{
		Name: "AttrWrite", Doc: "the same, written; the control stores a value that is in an interface already",
		Variants: []paired.Variant{
			{Name: ours("/attributes=12"), Most: unallocating(1.5), SetUp: of(func(n int) error {
				for i := range n {
					callCount.Set(s, i)
				}
				return nil
			})},
			{Name: controlled("/attributes=12"), SetUp: of(func(n int) error {
				var v any = 1000
				for range n {
					l.mu.Lock()
					l.m["call_count"] = v
					l.mu.Unlock()
				}
				return nil
			})},
		},
	}
}

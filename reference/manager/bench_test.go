package manager_test

import (
	"fmt"
	"sync"
	"testing"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/tensor"
)

// Every benchmark stands beside its control; the ratio is what is kept. An
// operation of the hit benchmarks is one round of benchCap gets, so that the
// loop itself does not weigh in.

const benchCap = 64

// ids are 36 bytes long, as UUIDs are.
func ids(n int) []string {
	made := make([]string, n)
	for i := range made {
		made[i] = fmt.Sprintf("%08x-0000-4000-8000-%012x", i, i*7919)
	}
	return made
}

func newManager(tb testing.TB, maxSessions int) *manager.Manager {
	tb.Helper()
	m, err := manager.New(manager.Options{MaxSessions: maxSessions})
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

func session(tb testing.TB, m *manager.Manager, id string) *manager.Session {
	tb.Helper()
	s, err := m.Session(id)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func newCache(b *testing.B) *lru.Cache[string, *manager.Session] {
	b.Helper()
	c, err := lru.New[string, *manager.Session](benchCap)
	if err != nil {
		b.Fatal(err)
	}
	return c
}

func BenchmarkHit(b *testing.B) {
	keys := ids(benchCap)
	b.Run("impl=statespec", func(b *testing.B) {
		m := newManager(b, benchCap)
		for _, k := range keys {
			session(b, m, k)
		}
		b.ReportAllocs()
		for b.Loop() {
			for _, k := range keys {
				if _, err := m.Session(k); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("impl=control", func(b *testing.B) {
		c := newCache(b)
		for _, k := range keys {
			c.Add(k, nil)
		}
		b.ReportAllocs()
		for b.Loop() {
			for _, k := range keys {
				if _, ok := c.Get(k); !ok {
					b.Fatal("a miss")
				}
			}
		}
	})
}

func BenchmarkHitFromTwo(b *testing.B) {
	keys := ids(benchCap)
	b.Run("impl=statespec", func(b *testing.B) {
		m := newManager(b, benchCap)
		for _, k := range keys {
			session(b, m, k)
		}
		fromTwo(b, func(i int) { m.Session(keys[i%benchCap]) })
	})
	b.Run("impl=control", func(b *testing.B) {
		c := newCache(b)
		for _, k := range keys {
			c.Add(k, nil)
		}
		fromTwo(b, func(i int) { c.Get(keys[i%benchCap]) })
	})
}

// fromTwo times two goroutines that work through many rounds at once.
func fromTwo(b *testing.B, get func(i int)) {
	const batch = 256 * benchCap
	for b.Loop() {
		var wg sync.WaitGroup
		for g := range 2 {
			wg.Go(func() {
				for i := range batch {
					get(i + g*benchCap/2)
				}
			})
		}
		wg.Wait()
	}
}

func BenchmarkMissWithEviction(b *testing.B) {
	keys := ids(4 * benchCap)
	b.Run("impl=statespec", func(b *testing.B) {
		m := newManager(b, benchCap)
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			if _, err := m.Session(keys[i%len(keys)]); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("impl=control", func(b *testing.B) {
		c := newCache(b)
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			c.Add(keys[i%len(keys)], nil)
		}
	})
}

var (
	calls  = manager.NewAttr("call_count", 0)
	prompt = manager.NewAttr[*tensor.Tensor]("prompt_embeds", nil)
)

// dozen gives a session as many attributes as DreamZero has.
func dozen(s *manager.Session) {
	for i := range 10 {
		manager.NewAttr(fmt.Sprintf("attribute_%d", i), 0).Set(s, i)
	}
	calls.Set(s, 1000)
	prompt.Set(s, nil)
}

// A lockedMap is what an attribute has to keep up with.
type lockedMap struct {
	mu sync.Mutex
	m  map[string]any
}

func newLockedMap() *lockedMap {
	l := &lockedMap{m: map[string]any{}}
	for i := range 10 {
		l.m[fmt.Sprintf("attribute_%d", i)] = i
	}
	l.m["call_count"] = 1000
	return l
}

func BenchmarkAttrRead(b *testing.B) {
	b.Run("impl=statespec", func(b *testing.B) {
		s := session(b, newManager(b, 1), "a")
		dozen(s)
		b.ReportAllocs()
		n := 0
		for b.Loop() {
			n += calls.Get(s)
		}
	})
	b.Run("impl=control", func(b *testing.B) {
		l := newLockedMap()
		b.ReportAllocs()
		n := 0
		for b.Loop() {
			l.mu.Lock()
			v := l.m["call_count"].(int)
			l.mu.Unlock()
			n += v
		}
	})
}

func BenchmarkAttrWrite(b *testing.B) {
	b.Run("impl=statespec", func(b *testing.B) {
		s := session(b, newManager(b, 1), "a")
		dozen(s)
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			calls.Set(s, i)
		}
	})
	b.Run("impl=control", func(b *testing.B) {
		l := newLockedMap()
		var v any = 1000
		b.ReportAllocs()
		for b.Loop() {
			l.mu.Lock()
			l.m["call_count"] = v
			l.mu.Unlock()
		}
	})
}

// shapedLikeDreamZero puts 12 values with 41 tensors into a session: three
// buffers, a feature map of 24 entries, four conditioning tensors, pending
// frames, and three counters. It returns the storages.
func shapedLikeDreamZero(b *testing.B, s *manager.Session) (held []*tensor.Storage) {
	b.Helper()
	made := func() *tensor.Tensor {
		t, err := tensor.New(dtype.BFloat16, 1, 4, 1, 8)
		if err != nil {
			b.Fatal(err)
		}
		held = append(held, t.Storage())
		return t
	}
	list := func(n int) (ts []*tensor.Tensor) {
		for range n {
			ts = append(ts, made())
		}
		return ts
	}
	for name, n := range map[string]int{"video_latents_across_time": 6, "stitched_buffer": 4, "vae_encoder_out": 1} {
		buffer := object.NewLatentBuffer(name, object.KeepReferences())
		if err := buffer.Allocate(object.Bound{}); err != nil {
			b.Fatal(err)
		}
		if err := buffer.Commit(list(n)...); err != nil {
			b.Fatal(err)
		}
		if err := s.Put(name, buffer); err != nil {
			b.Fatal(err)
		}
	}
	manager.NewAttr[[]*tensor.Tensor]("vae_enc_feat_map", nil).Set(s, list(24))
	for _, name := range []string{"clip_feas", "ys", "language", "prompt_embeds"} {
		manager.NewAttr[*tensor.Tensor](name, nil).Set(s, made())
	}
	manager.NewAttr[[]*tensor.Tensor]("vae_pending_body_frames", nil).Set(s, list(2))
	manager.NewAttr("call_count", 0).Set(s, 7)
	manager.NewAttr("current_start_frame", 0).Set(s, 14)
	manager.NewAttr("vae_stream_initialized", false).Set(s, true)
	return held
}

func BenchmarkStats(b *testing.B) {
	m := newManager(b, benchCap)
	var held []*tensor.Storage
	for _, id := range ids(benchCap) {
		held = append(held, shapedLikeDreamZero(b, session(b, m, id))...)
	}
	want := int64(0)
	for _, st := range held {
		want += int64(st.Len())
	}
	b.Run("impl=statespec", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if got := m.Stats().TotalBytes; got != want {
				b.Fatalf("Stats().TotalBytes = %d, want %d", got, want)
			}
		}
	})
	b.Run("impl=control", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			got, seen := int64(0), make(map[*tensor.Storage]struct{}, len(held))
			for _, st := range held {
				if _, met := seen[st]; !met {
					seen[st] = struct{}{}
					got += int64(st.Len())
				}
			}
			if got != want {
				b.Fatalf("control = %d, want %d", got, want)
			}
		}
	})
}

package manager_test

import (
	"sync"
	"testing"
	"time"

	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/tensor"
)

// within fails a test whose call does not come back: a deadlock should fail,
// not hang.
func within(t *testing.T, call func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		call()
	}()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		t.Fatal("still waiting after 30 s: a deadlock")
	}
}

// bothWays runs a test with sessions counted one by one and all at once.
func bothWays(t *testing.T, test func(t *testing.T, m *manager.Manager)) {
	for name, consistent := range map[string]bool{"one by one": false, "at once": true} {
		t.Run(name, func(t *testing.T) {
			m, err := manager.New(manager.Options{MaxSessions: 4, ConsistentStats: consistent})
			if err != nil {
				t.Fatal(err)
			}
			test(t, m)
		})
	}
}

func wantTotal(t *testing.T, m *manager.Manager, want int64) {
	t.Helper()
	within(t, func() {
		if got := m.Stats().TotalBytes; got != want {
			t.Errorf("TotalBytes = %d, want %d", got, want)
		}
	})
}

func TestAnObjectMayBeAnAttributeOfAnotherSession(t *testing.T) {
	bothWays(t, func(t *testing.T, m *manager.Manager) {
		a, b := session(t, m, "a"), session(t, m, "b")
		ring := put(t, b, "ring", 10)
		a.SetAttr("peer", ring)
		b.SetAttr("mine", []any{ring})
		wantTotal(t, m, 10)
	})
}

// Two sessions that lead to each other's objects, from two sides at once.
func TestCountsOfSessionsThatHoldEachOthersObjectsDoNotWaitForEachOther(t *testing.T) {
	bothWays(t, func(t *testing.T, m *manager.Manager) {
		a, b := session(t, m, "a"), session(t, m, "b")
		x, y := put(t, a, "x", 10), put(t, b, "y", 20)
		a.SetAttr("peer", y)
		b.SetAttr("peer", x)
		within(t, func() {
			var wg sync.WaitGroup
			for range 2 {
				for _, total := range []func() int64{
					func() int64 { return m.Stats().TotalBytes },
					func() int64 { return a.Bytes().Total },
					func() int64 { return b.Bytes().Total },
				} {
					wg.Go(func() {
						for range 5000 {
							if got := total(); got != 30 {
								t.Errorf("counted %d bytes, want 30", got)
								return
							}
						}
					})
				}
			}
			wg.Wait()
		})
	})
}

// A derived object names the one that it is made from.
type derived struct {
	object.StateObject
	mu   sync.Mutex
	from *object.LatentBuffer
}

func (d *derived) VisitHeld(visit func(any)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	visit(d.from)
}

func (d *derived) Commit(payloads ...*tensor.Tensor) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.from.Commit(payloads...)
}

func TestAnObjectMayNameAnotherOfItsSession(t *testing.T) {
	bothWays(t, func(t *testing.T, m *manager.Manager) {
		s := session(t, m, "a")
		ring := put(t, s, "ring", 10)
		if err := s.Put("derived", &derived{StateObject: object.NewEncodeOnce("inner"), from: ring}); err != nil {
			t.Fatal(err)
		}
		for range 50 { // whichever a count meets first
			wantTotal(t, m, 10)
		}
	})
}

// It works on that one under a lock of its own, which a count asks for, too.
func TestAnObjectMayChangeAnotherUnderALockOfItsOwn(t *testing.T) {
	bothWays(t, func(t *testing.T, m *manager.Manager) {
		s := session(t, m, "a")
		d := &derived{StateObject: object.NewEncodeOnce("inner"), from: put(t, s, "ring", 10)}
		if err := s.Put("derived", d); err != nil {
			t.Fatal(err)
		}
		within(t, func() {
			var wg sync.WaitGroup
			wg.Go(func() {
				for range 300 {
					if err := d.Commit(bytesLong(t, 1)); err != nil {
						t.Error(err)
					}
				}
			})
			for range 3000 {
				m.Stats()
			}
			wg.Wait()
		})
		wantTotal(t, m, 310)
	})
}

// A wrapped buffer has the guard of the buffer that it is built around.
type wrapped struct{ *object.LatentBuffer }

func TestABufferMayStandBesideWhatWrapsIt(t *testing.T) {
	bothWays(t, func(t *testing.T, m *manager.Manager) {
		s := session(t, m, "a")
		if err := s.Put("wrapped", &wrapped{put(t, s, "ring", 10)}); err != nil {
			t.Fatal(err)
		}
		wantTotal(t, m, 10)
	})
}

func TestTheInsideOfAWrappedBufferMayBeAnAttribute(t *testing.T) {
	bothWays(t, func(t *testing.T, m *manager.Manager) {
		s := session(t, m, "a")
		inner := put(t, s, "ring", 10)
		if err := s.Put("ring", &wrapped{inner}); err != nil {
			t.Fatal(err)
		}
		s.SetAttr("inner", inner)
		wantTotal(t, m, 10)
	})
}

// A mover moves a tensor to the other of two buffers when a count asks it what
// it holds, as another goroutine may do in the midst of a count.
type mover struct {
	from, to *object.LatentBuffer
	moved    *tensor.Tensor
}

func (m *mover) VisitHeld(func(any)) {
	if m.to.Stage(m.moved) == nil && m.from.Discard() == nil {
		m.from, m.to = m.to, m.from
	}
}

// What moves between two objects is in both or in one of them at every moment,
// and so in every count, also when only attributes hold them.
func TestObjectsInAttributesAreKeptStillTogether(t *testing.T) {
	bothWays(t, func(t *testing.T, m *manager.Manager) {
		move := &mover{moved: bytesLong(t, 1000)}
		for _, b := range []**object.LatentBuffer{&move.from, &move.to} {
			*b = object.NewLatentBuffer("pair", object.KeepReferences())
			if err := (*b).Allocate(object.Bound{}); err != nil {
				t.Fatal(err)
			}
		}
		if err := move.from.Stage(move.moved); err != nil {
			t.Fatal(err)
		}
		session(t, m, "a").SetAttr("pair", []any{move.from, move, move.to})
		for range 4 { // there and back
			from := move.from
			wantTotal(t, m, 1000)
			if move.from == from {
				t.Fatalf("the count did not ask the mover")
			}
		}
	})
}

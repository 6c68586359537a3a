package manager_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/tensor"
)

var stress = flag.Int("stress", 1000, "operations of each worker of the stress test")

func TestEverythingAtOnceEndsAndAddsUp(t *testing.T) {
	bothWays(t, func(t *testing.T, m *manager.Manager) {
		var steps atomic.Int64
		done := make(chan struct{})
		go func() {
			defer close(done)
			var workers sync.WaitGroup
			for g := range uint64(8) {
				w := &worker{t: t, m: m, r: rand.New(rand.NewPCG(1, g)), x: bytesLong(t, 16),
					list: manager.NewAttr("list", []*tensor.Tensor{}), n: manager.NewAttr("n", 0)}
				workers.Go(func() {
					for range *stress {
						w.step()
						steps.Add(1)
					}
				})
			}
			workers.Wait()
		}()
		waitWhileItMoves(t, done, &steps)
		if st := m.Stats(); st.Misses-st.Evictions-st.Drops != int64(st.Sessions) {
			t.Errorf("Stats() = %+v, want misses − evictions − drops = sessions", st)
		}
	})
}

// waitWhileItMoves fails when no step ends for 30 s: a deadlock should fail,
// not hang.
func waitWhileItMoves(t *testing.T, done <-chan struct{}, steps *atomic.Int64) {
	t.Helper()
	for before := int64(-1); ; {
		select {
		case <-done:
			return
		case <-time.After(30 * time.Second):
		}
		now := steps.Load()
		if now == before {
			t.Fatalf("no step in 30 s after %d of them: a deadlock", now)
		}
		before = now
	}
}

// A worker does all that a manager's callers may do, at random. Objects cross
// sessions, bare and wrapped, as objects and inside attributes.
type worker struct {
	t    *testing.T
	m    *manager.Manager
	r    *rand.Rand
	list manager.Attr[[]*tensor.Tensor]
	n    manager.Attr[int]
	x    *tensor.Tensor
}

func (w *worker) name() string { return fmt.Sprint("o", w.r.IntN(3)) }

func (w *worker) session() *manager.Session { return session(w.t, w.m, fmt.Sprint("s", w.r.IntN(8))) }

func (w *worker) check(err error) {
	if err != nil {
		w.t.Error(err)
	}
}

func (w *worker) step() {
	steps := []func(*manager.Session){w.table, w.count, w.count, w.attributes, w.update, w.ensure, w.ensure, w.object, w.object, w.cross, w.cross}
	steps[w.r.IntN(len(steps))](w.session())
}

func (w *worker) table(s *manager.Session) {
	switch w.r.IntN(6) {
	case 0:
		w.m.Drop(s.ID())
	case 1:
		_, err := w.m.RaiseCap(4 + w.r.IntN(4))
		w.check(err)
	case 2:
		w.m.Continue(s.ID())
	case 3:
		w.m.Peek(s.ID())
		w.m.Contains(s.ID())
	case 4:
		w.m.Retained()
		w.m.Len()
	case 5:
		w.check(s.Reset())
	}
}

func (w *worker) count(s *manager.Session) {
	if w.r.IntN(2) == 0 {
		s.Bytes()
		return
	}
	if st := w.m.Stats(); st.Sessions > st.MaxSessions || st.Misses-st.Evictions-st.Drops != int64(st.Sessions) {
		w.t.Errorf("Stats() = %+v, want misses − evictions − drops = sessions, at most the cap", st)
	}
}

func (w *worker) attributes(s *manager.Session) {
	switch w.r.IntN(5) {
	case 0:
		w.check(w.list.Edit(s, func(l *[]*tensor.Tensor) {
			if *l = append(*l, w.x); len(*l) > 9 {
				*l = (*l)[:1:1]
			}
		}))
	case 1:
		w.n.Set(s, w.n.Get(s)+1)
		_, _, err := w.n.Lookup(s)
		w.check(err)
	case 2:
		s.SetAttr("itself", s)
		s.SetAttr("manager", []any{w.m})
	case 3:
		s.AttrNames()
		s.Names()
		s.ClearAttr("peer")
	case 4:
		w.n.Clear(s)
		w.list.IsSet(s)
	}
}

func (w *worker) update(s *manager.Session) {
	name := w.name()
	s.Update(func(e *manager.Edit) {
		e.SetAttr("x", w.x)
		w.n.SetIn(e, w.n.GetIn(e)+1)
		if o, err := e.Object(name); err == nil {
			o.Commit(w.x)
			o.BytesByDevice()
			w.check(e.Put(name+" again", o))
		}
	})
}

func (w *worker) ensure(s *manager.Session) {
	name := w.name()
	o, err := s.GetOrCreate(name, func() (object.StateObject, error) {
		if w.r.IntN(3) == 0 {
			return object.NewEncodeOnce(name), nil
		}
		b := object.NewLatentBuffer(name)
		bounds := []object.Bound{{}, {Unit: object.Payloads, N: 3}, {Unit: object.Frames, N: 2}, {Unit: object.Frames, N: 9}}
		return b, b.Allocate(bounds[w.r.IntN(len(bounds))])
	}, nil)
	w.check(err)
	o.Commit(w.x)
	o.View(object.ViewOptions{Staged: true})
}

func (w *worker) object(s *manager.Session) {
	o, err := s.Object(w.name())
	if err != nil {
		return
	}
	switch w.r.IntN(5) {
	case 0:
		o.Evict()
	case 1:
		w.check(o.Reset())
		w.check(o.Allocate(object.Bound{}))
	case 2:
		o.Stage(w.x)
		o.Commit()
	case 3:
		o.Stage(w.x)
		w.check(o.Discard())
	case 4:
		o.Commit(w.x, w.x)
		o.Len()
		o.Recomputable()
	}
}

func (w *worker) cross(s *manager.Session) {
	o, err := s.Object(w.name())
	if err != nil {
		return
	}
	other := w.session()
	switch w.r.IntN(5) {
	case 0:
		w.check(other.Put("guest", o))
	case 1:
		other.SetAttr("peer", o)
	case 2:
		other.SetAttr("peer", map[string]any{"o": []any{o, s}})
	case 3:
		if b, ok := o.(*object.LatentBuffer); ok {
			w.check(other.Put("wrapped", &wrapped{b}))
		}
	case 4:
		w.check(other.Put("derived", &derived{StateObject: object.NewEncodeOnce("inner"), from: buffered(o)}))
	}
}

// buffered is an object where it is a latent buffer, else a new one.
func buffered(o object.StateObject) *object.LatentBuffer {
	if b, ok := o.(*object.LatentBuffer); ok {
		return b
	}
	return object.NewLatentBuffer("another")
}

package manager_test

import (
	"maps"
	"runtime"
	"slices"
	"sync"
	"testing"
	"weak"

	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/tensor"
)

// bytesLong is a tensor over a storage of n bytes.
func bytesLong(t testing.TB, n int) *tensor.Tensor {
	t.Helper()
	v, err := tensor.New(dtype.UInt8, n)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// put stores a buffer of n bytes in a session.
func put(t testing.TB, s *manager.Session, name string, n int) *object.LatentBuffer {
	t.Helper()
	b := object.NewLatentBuffer(name)
	if err := b.Allocate(object.Bound{}); err != nil {
		t.Fatal(err)
	}
	if err := b.Commit(bytesLong(t, n)); err != nil {
		t.Fatal(err)
	}
	if err := s.Put(name, b); err != nil {
		t.Fatal(err)
	}
	return b
}

func TestStatsCountBothBucketsAndSharedMemoryOnce(t *testing.T) {
	m := newManager(t, 4)
	a, b := session(t, m, "a"), session(t, m, "b")
	shared := bytesLong(t, 1000)
	put(t, a, "ring", 7)
	a.SetAttr("list", []any{shared, map[string]any{"again": shared}})
	prompt.Set(b, shared)
	b.SetAttr("own", bytesLong(t, 50))
	a.SetAttr("device", tensor.NewForeignStorage("cuda:0", 1<<40, 300))
	b.SetAttr("done", make(chan int))
	got := m.Stats()
	if got.TotalBytes != 1357 || !maps.Equal(got.BytesByDevice, map[tensor.Device]int64{"cpu": 1057, "cuda:0": 300}) {
		t.Errorf("Stats() = %+v, want 1057 on cpu and 300 on cuda:0", got)
	}
	if want := []string{`session "b": done: chan int`}; !slices.Equal(got.Unmeasured, want) {
		t.Errorf("Stats().Unmeasured = %q, want %q", got.Unmeasured, want)
	}
	if x, y := a.Bytes().Total, b.Bytes().Total; x != 1307 || y != 1050 {
		t.Errorf("each session's own figure = %d, %d, want 1307, 1050", x, y)
	}
	want := map[string]int64{"sessions": 2, "max_sessions": 4, "total_nbytes": 1357, "hits": 0, "misses": 2, "evictions": 0, "nbytes:cpu": 1057, "nbytes:cuda:0": 300}
	if got := got.Map(); !maps.Equal(got, want) {
		t.Errorf("Stats().Map() = %v, want %v", got, want)
	}
	prompt.Clear(b)
	a.SetAttr("list", bytesLong(t, 3))
	if got := m.Stats().TotalBytes; got != 360 {
		t.Errorf("after replacing and clearing, TotalBytes = %d, want 360", got)
	}
}

func TestAliasesAcrossTheBucketsCountOnce(t *testing.T) {
	s := session(t, newManager(t, 1), "a")
	ring := put(t, s, "ring", 100)
	view, err := ring.View(object.ViewOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s.SetAttr("alias", view)
	s.SetAttr("object itself", ring)
	if err := s.Put("second name", ring); err != nil {
		t.Fatal(err)
	}
	if got := s.Bytes().Total; got != 100 {
		t.Errorf("Bytes() with four ways to one buffer = %d, want 100", got)
	}
}

func TestStatsAreNoUse(t *testing.T) {
	m := newManager(t, 2)
	session(t, m, "a")
	session(t, m, "b")
	for range 3 {
		m.Stats()
		m.Contains("a")
		m.Len()
		m.Retained()
	}
	session(t, m, "c")
	if m.Contains("a") {
		t.Errorf("a survived: Stats, Contains, Len or Retained counted as use")
	}
}

func TestSessionsAndManagersMayBeHeldByAttributes(t *testing.T) {
	m := newManager(t, 4)
	a, b := session(t, m, "a"), session(t, m, "b")
	put(t, a, "ring", 10)
	put(t, b, "ring", 5)
	a.SetAttr("peer", b)
	b.SetAttr("peer", []any{a, m})
	a.SetAttr("self", a)
	if got := m.Stats().TotalBytes; got != 15 {
		t.Errorf("Stats() of sessions that hold each other = %d, want 15", got)
	}
	var wg sync.WaitGroup
	for _, s := range []*manager.Session{a, b} {
		wg.Go(func() {
			for range 200 {
				if got := s.Bytes().Total; got != 15 {
					t.Errorf("Bytes() = %d, want 15", got)
				}
			}
		})
	}
	wg.Wait()
}

// A writer moves between two states of 300 and 500 bytes, through 100, 400
// and 600 only as the operations order it. Every figure is one of those.
func TestEveryFigureIsOneThatTheSessionHad(t *testing.T) {
	m := newManager(t, 2)
	s := session(t, m, "a")
	x, y := put(t, s, "x", 100), put(t, s, "y", 200)
	small, large := bytesLong(t, 100), bytesLong(t, 300)
	replace := func(b *object.LatentBuffer, payload *tensor.Tensor) {
		if err := b.Allocate(object.Bound{Unit: object.Payloads, N: 1}); err != nil {
			t.Error(err)
		}
		if err := b.Commit(payload); err != nil {
			t.Error(err)
		}
	}
	replace(y, large)
	replace(x, small)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				if err := x.Commit(large); err != nil { // x 300, y 300
					t.Error(err)
				}
				if err := y.Commit(small); err != nil { // x 300, y 100
					t.Error(err)
				}
				if err := y.Commit(large); err != nil {
					t.Error(err)
				}
				if err := x.Commit(small); err != nil { // x 100, y 300
					t.Error(err)
				}
			}
		}
	})
	for range 2000 {
		if got := m.Stats().TotalBytes; got != 400 && got != 600 {
			t.Fatalf("Stats().TotalBytes = %d, want 400 or 600, which the session had", got)
		}
	}
	close(stop)
	wg.Wait()
}

func TestCountingDoesNotHoldUpTheTable(t *testing.T) {
	m := newManager(t, 2)
	s := session(t, m, "slow")
	entered, leave := make(chan struct{}), make(chan struct{})
	s.SetAttr("slow", slowHolder{entered, leave})
	done := make(chan int64)
	go func() { done <- m.Stats().TotalBytes }()
	<-entered
	session(t, m, "slow")
	session(t, m, "other")
	close(leave)
	if got := <-done; got != 0 {
		t.Errorf("Stats().TotalBytes = %d, want 0", got)
	}
}

func TestAnEvictedSessionThatNobodyHoldsIsReclaimed(t *testing.T) {
	m := newManager(t, 1)
	gone := func() weak.Pointer[tensor.Storage] {
		s := session(t, m, "a")
		v := bytesLong(t, 1000)
		s.SetAttr("x", v)
		put(t, s, "ring", 10)
		m.Stats()
		return weak.Make(v.Storage())
	}()
	session(t, m, "b")
	runtime.GC()
	if gone.Value() != nil {
		t.Errorf("the storage of an evicted session that nobody holds is still there after a collection")
	}
	runtime.KeepAlive(m)
}

// A slowHolder makes a count wait.
type slowHolder struct{ entered, leave chan struct{} }

func (h slowHolder) VisitHeld(func(any)) {
	close(h.entered)
	<-h.leave
}

// A plainKind is an outside kind of object that names nothing to the accounting.
type plainKind struct{ object.StateObject }

func (plainKind) BytesByDevice() map[tensor.Device]int64 { return map[tensor.Device]int64{"cpu": 12} }

func TestAnOutsideKindCountsByItsOwnFigure(t *testing.T) {
	s := session(t, newManager(t, 1), "a")
	outside := &plainKind{object.NewEncodeOnce("inner")}
	if err := s.Put("outside", outside); err != nil {
		t.Fatal(err)
	}
	if err := s.Put("again", outside); err != nil {
		t.Fatal(err)
	}
	if got := s.Bytes().Total; got != 12 {
		t.Errorf("Bytes() with an outside object = %d, want its 12, once", got)
	}
}

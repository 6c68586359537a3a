package account_test

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/statespec/statespec/reference/account"
	"github.com/statespec/statespec/reference/tensor"
)

// A locked is a Steady holder.
type locked struct {
	mu sync.Mutex
	v  any
}

func (l *locked) Guard() *sync.Mutex        { return &l.mu }
func (l *locked) VisitHeld(visit func(any)) { visit(l.v) }

// A wrap is Steady under the guard of what it wraps, as an embedding type is.
type wrap struct {
	*locked
	more any
}

func (w *wrap) VisitHeld(visit func(any)) {
	w.locked.VisitHeld(visit)
	visit(w.more)
}

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

func TestSteadyHoldersThatLeadToOneAnotherAreCountedOnce(t *testing.T) {
	a, b := &locked{v: made(t, 10)}, &locked{}
	b.v = []any{made(t, 5), a} // one leads to the other
	a.v = []any{a.v, b}        // and back
	within(t, func() {
		var wg sync.WaitGroup
		for _, roots := range [][]any{{a, b, a}, {b, a}, {a}, {b}} {
			wg.Go(func() {
				for range 1000 {
					if got := account.Measure(roots...).Total; got != 15 {
						t.Errorf("Measure of two steady holders that lead to each other = %d, want 15", got)
					}
				}
			})
		}
		wg.Wait()
	})
}

func TestSteadyHoldersWithOneGuardAreKeptStillTogether(t *testing.T) {
	inner := &locked{v: made(t, 10)}
	outer := &wrap{inner, made(t, 3)}
	within(t, func() {
		for _, roots := range [][]any{{inner, outer}, {outer, inner}, {[]any{outer, inner, &wrap{inner, outer}}}} {
			if got := account.Measure(roots...).Total; got != 13 {
				t.Errorf("Measure(a holder and what wraps it) = %d, want 13", got)
			}
		}
	})
}

// Inside a Root the steady holders wait until it has walked the rest, and are
// then kept still together.
func TestAGuardIsHeldWhileWhatItGuardsIsWalked(t *testing.T) {
	a, b := &locked{}, &locked{}
	free := func(l *locked) bool {
		if !l.mu.TryLock() {
			return false
		}
		l.mu.Unlock()
		return true
	}
	seen := ""
	a.v = []any{&asker{func() { seen += fmt.Sprint("guarded ", free(a), " ", free(b), "; ") }}}
	b.v = made(t, 5)
	account.Measure([]any{&asker{func() { seen += fmt.Sprint("before ", free(a), " ", free(b), "; ") }}, b, a})
	if want := "before true true; guarded false false; "; seen != want || !free(a) || !free(b) {
		t.Errorf("guards were free %q and after %v %v, want %q and true true", seen, free(a), free(b), want)
	}
}

// An asker is a Holder that looks round when it is asked.
type asker struct{ look func() }

func (a *asker) VisitHeld(func(any)) { a.look() }

func TestAPanicOfAHolderLeavesNoGuardLocked(t *testing.T) {
	a, b := &locked{v: made(t, 1)}, &locked{v: &asker{func() { panic("no") }}}
	func() {
		defer func() {
			if recover() == nil {
				t.Errorf("Measure(a holder that panics) returned")
			}
		}()
		account.Measure(a, b)
	}()
	if !a.mu.TryLock() || !b.mu.TryLock() {
		t.Errorf("a guard is locked after a holder panicked")
	}
}

func TestAWalkerKeepsNoRoomOfOneLargeCount(t *testing.T) {
	heap := func() int64 {
		runtime.GC()
		runtime.GC()
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		return int64(s.HeapAlloc)
	}
	w := account.NewWalker()
	count := func(v any) {
		w.Walk("", v)
		w.Report()
	}
	count(made(t, 1))
	before := heap()
	func() {
		const n = 1 << 16
		arrays, storages, steady, funcs := make([][]float64, n), make([]*tensor.Storage, n), make([]any, n), make([]any, n)
		for i := range n {
			arrays[i], storages[i], steady[i], funcs[i] = make([]float64, 1), tensor.NewStorage(1), &locked{}, map[string]any{"k": nil}
		}
		for _, v := range []any{arrays, storages, steady, funcs} {
			count(v)
		}
	}()
	count([]byte{1}) // no storage among it
	if kept := heap() - before; kept > 512<<10 {
		t.Errorf("after one large count the walker keeps %d KiB, want at most 512", kept>>10)
	}
	runtime.KeepAlive(w)
}

func TestManyStoragesAreToldApart(t *testing.T) {
	const n = 50_000
	list := make([]*tensor.Storage, n)
	for i := range list {
		list[i] = tensor.NewStorage(1)
	}
	w := account.NewWalker()
	for _, want := range []int64{n, n, 10, 10} {
		w.Walk("", list[:want])
		w.Walk("", list[:want/2])
		if got := w.Report().Total; got != want {
			t.Errorf("Measure(%d storages, half of them twice) = %d, want %d", want, got, want)
		}
	}
}

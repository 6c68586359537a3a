package account_test

import (
	"sync"
	"testing"

	"github.com/statespec/statespec/reference/account"
	"github.com/statespec/statespec/reference/tensor"
)

// A locked is a Steady holder of one tensor.
type locked struct {
	mu sync.Mutex
	v  any
}

func (l *locked) Freeze()                     { l.mu.Lock() }
func (l *locked) Thaw()                       { l.mu.Unlock() }
func (l *locked) VisitFrozen(visit func(any)) { visit(l.v) }
func (l *locked) VisitHeld(visit func(any)) {
	l.Freeze()
	defer l.Thaw()
	l.VisitFrozen(visit)
}

func TestSeveralHoldersAreFrozenInOneOrderEachOnce(t *testing.T) {
	a, b := &locked{v: made(t, 10)}, &locked{v: []any{made(t, 5)}}
	b.v = []any{b.v, a} // and one leads to the other
	var wg sync.WaitGroup
	for _, order := range [][]account.Steady{{a, b, a}, {b, a}} {
		wg.Go(func() {
			for range 1000 {
				frozen := account.FreezeAll([]account.Steady{order[0], order[1], order[len(order)-1]})
				w := account.NewWalker()
				for _, s := range frozen {
					w.WalkSteady("", s)
				}
				account.ThawAll(frozen)
				if got := w.Report().Total; len(frozen) != 2 || got != 15 {
					t.Errorf("%d frozen holders count %d, want 2 and 15", len(frozen), got)
				}
			}
		})
	}
	wg.Wait()
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

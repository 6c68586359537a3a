package manager_test

import (
	"sync"
	"testing"

	"github.com/statespec/statespec/reference/manager"
)

// Two sessions swap what they hold, one after the other: between the two writes
// both hold the same bytes. Any figure but those of a moment is a sum over
// moments.
func TestConsistentStatsAreOneCutOverAllSessions(t *testing.T) {
	m, err := manager.New(manager.Options{MaxSessions: 3, ConsistentStats: true})
	if err != nil {
		t.Fatal(err)
	}
	small, large := bytesLong(t, 10), bytesLong(t, 1000)
	a, b := session(t, m, "a"), session(t, m, "b")
	a.SetAttr("x", small)
	b.SetAttr("x", large)
	bulk := make([]any, 2000)
	for i := range bulk {
		bulk[i] = []any{small}
	}
	session(t, m, "ab").SetAttr("bulk", bulk) // walked between the two

	stop := make(chan struct{})
	var writer sync.WaitGroup
	writer.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			b.SetAttr("x", small)
			a.SetAttr("x", large)
			a.SetAttr("x", small)
			b.SetAttr("x", large)
		}
	})
	// Between two writes large is in neither, in a, in both or in b: never twice,
	// and the bulk keeps small alive.
	for range 300 {
		if got := m.Stats().TotalBytes; got != 10 && got != 1010 {
			t.Errorf("TotalBytes = %d, want 10 or 1010", got)
		}
	}
	close(stop)
	writer.Wait()
}

// Sessions and managers may hold each other: a cut over all of them walks none
// twice, and waits for none that it holds itself.
func TestConsistentStatsEndWhereSessionsHoldEachOther(t *testing.T) {
	m, err := manager.New(manager.Options{MaxSessions: 2, ConsistentStats: true})
	if err != nil {
		t.Fatal(err)
	}
	other, err := manager.New(manager.Options{MaxSessions: 1})
	if err != nil {
		t.Fatal(err)
	}
	a, b, elsewhere := session(t, m, "a"), session(t, m, "b"), session(t, other, "c")
	a.SetAttr("peer", b)
	b.SetAttr("peer", a)
	a.SetAttr("itself", m)
	b.SetAttr("other", other)
	elsewhere.SetAttr("x", bytesLong(t, 7))
	elsewhere.SetAttr("back", a)
	a.SetAttr("x", bytesLong(t, 100))
	if got := m.Stats().TotalBytes; got != 107 {
		t.Errorf("TotalBytes = %d, want 107", got)
	}
}

package faulty

import (
	"sync"
	"testing"
	"time"
)

func TestAWindowIsOpenUntilSomebodyPasses(t *testing.T) {
	w := &window{}
	var other sync.WaitGroup
	opened := make(chan struct{})
	other.Go(func() { <-opened; w.pass() })
	began := w.now()
	close(opened)
	other.Wait()
	if !w.openSince(began) {
		t.Error("openSince = false, want true: somebody passed")
	}
}

// Specs with one caller make tens of thousands of calls.
func TestAWindowThatNobodyPassesIsOpenForAShortTime(t *testing.T) {
	w, began := &window{}, time.Now()
	for range 100 {
		if w.open() {
			t.Fatal("open = true, want false: nobody passed")
		}
	}
	if took := time.Since(began); took > time.Second {
		t.Errorf("100 windows that nobody passes took %v, want less than a second", took)
	}
}

func TestAMeetingHasOneWaitForTheOther(t *testing.T) {
	m := &meeting{}
	met := false
	for range 1000 { // a busy machine may bring them together late
		var both sync.WaitGroup
		both.Go(func() { m.write(func() error { return nil }) })
		both.Go(func() { met = m.count()() })
		both.Wait()
		if met {
			return
		}
	}
	t.Error("one who writes and one who counts never met")
}

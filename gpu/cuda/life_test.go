package cuda

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
)

func TestLifeIsGivenBackByTheLastOwner(t *testing.T) {
	l := life{owners: 1}
	if err := l.retain(); err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{false, true} {
		if last, err := l.release(); err != nil || last != want {
			t.Errorf("release %d = %v, %v, want %v", i+1, last, err, want)
		}
	}
	_, again := l.release()
	for name, err := range map[string]error{"release": again, "retain": l.retain(), "use": l.use()} {
		if !errors.Is(err, ErrReleased) {
			t.Errorf("%s without owners = %v, want %v", name, err, ErrReleased)
		}
	}
}

func TestLifeInUseOutlivesItsOwners(t *testing.T) {
	l := life{owners: 1}
	if err := errors.Join(l.use(), l.use()); err != nil {
		t.Fatal(err)
	}
	if last, err := l.release(); last || err != nil {
		t.Errorf("release in use = %v, %v, want false", last, err)
	}
	if l.abandon() {
		t.Error("abandon in use = true, want false")
	}
	if l.done() {
		t.Error("the first of two users is the last, want the second")
	}
	if !l.done() {
		t.Error("the last user after the last owner does not give it back")
	}
	if l.abandon() {
		t.Error("a collection gives back what the last user has given back")
	}
}

// A cleanup that comes first must not hide a thing from a device that needs room.
func TestLifeExpiresWhoeverClaimedIt(t *testing.T) {
	l := life{owners: 1}
	if l.ended() {
		t.Error("ended with an owner")
	}
	if !l.abandon() || !l.ended() || !l.expire() {
		t.Error("what a cleanup claimed does not expire")
	}
	l = life{owners: 1}
	if !l.expire() || l.abandon() {
		t.Error("what expired is a cleanup's to give back")
	}
	l = life{owners: 1, users: 1}
	if l.expire() || l.ended() {
		t.Error("expired in use")
	}
}

func TestLifeEndsOnceWhoeverEndsIt(t *testing.T) {
	for range 200 {
		l := life{owners: 10}
		var ends atomic.Int32
		var all sync.WaitGroup
		count := func(last bool) {
			if last {
				ends.Add(1)
			}
		}
		for range 10 {
			all.Go(func() {
				if l.use() == nil {
					count(l.done())
				}
				last, _ := l.release()
				count(last)
			})
		}
		all.Go(func() { count(l.abandon()) })
		all.Wait()
		if n := ends.Load(); n != 1 {
			t.Fatalf("given back %d times, want once", n)
		}
	}
}

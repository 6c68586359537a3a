package manager_test

import (
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/manager"
)

func TestACapBelowOneIsRefused(t *testing.T) {
	for _, n := range []int{0, -1, -64} {
		if m, err := manager.New(manager.Options{MaxSessions: n}); !errors.Is(err, fault.ErrInvalidArgument) || m != nil {
			t.Errorf("New with a cap of %d = %v, %v, want ErrInvalidArgument", n, m, err)
		}
	}
}

func TestTheLeastRecentlyUsedSessionGoesFirst(t *testing.T) {
	m := newManager(t, 2)
	a := session(t, m, "a")
	session(t, m, "b")
	if got := session(t, m, "a"); got != a {
		t.Errorf("Session(a) twice = two sessions")
	}
	if !m.Contains("b") || m.Len() != 2 || m.Stats().Sessions != 2 {
		t.Errorf("Contains(b) = false or Len() = %d before the cap is passed", m.Len())
	}
	session(t, m, "c")
	if got, want := m.Retained(), []string{"a", "c"}; !slices.Equal(got, want) {
		t.Errorf("Retained() = %q, want %q", got, want)
	}
}

// The oracle is a list that is searched from the front: nothing to get wrong.
func TestAnyTraceRetainsWhatABoundedCacheDoes(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, maxSessions := range []int{1, 2, 3, 64} {
		m := newManager(t, maxSessions)
		var oracle []string
		var hits, misses, evictions, drops int64
		for range 2000 {
			id := fmt.Sprint(rng.IntN(2*maxSessions + 1))
			at := slices.Index(oracle, id)
			switch op := rng.IntN(10); {
			case op == 0:
				if got, want := m.Drop(id), at >= 0; got != want {
					t.Fatalf("Drop(%s) = %v, want %v", id, got, want)
				}
				if at >= 0 {
					oracle = slices.Delete(oracle, at, at+1)
					drops++
				}
				continue
			case op == 1:
				if got, want := m.Contains(id), at >= 0; got != want {
					t.Fatalf("Contains(%s) = %v, want %v", id, got, want)
				}
				continue
			}
			session(t, m, id)
			if at >= 0 {
				oracle = slices.Delete(oracle, at, at+1)
				hits++
			} else {
				misses++
				if len(oracle) == maxSessions {
					oracle = slices.Delete(oracle, 0, 1)
					evictions++
				}
			}
			oracle = append(oracle, id)
			if got := m.Retained(); !slices.Equal(got, oracle) {
				t.Fatalf("cap %d: Retained() = %q, want %q", maxSessions, got, oracle)
			}
		}
		got := m.Stats()
		want := manager.Stats{Sessions: len(oracle), MaxSessions: maxSessions, Hits: hits, Misses: misses, Evictions: evictions, Drops: drops}
		if got.BytesByDevice = nil; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("Stats() = %+v, want %+v", got, want)
		}
	}
}

func TestIdsCompareByteForByteAndNoneIsDefault(t *testing.T) {
	m := newManager(t, 64)
	if session(t, m, "") != session(t, m, manager.DefaultID) {
		t.Errorf("Session(\"\") is not the default session")
	}
	for _, id := range []string{"Default", " default", "default\x00", " ", "0", "é", "e\u0301", "\xff"} {
		s := session(t, m, id)
		if s == session(t, m, "") || s.ID() != id {
			t.Errorf("Session(%q) = the session of %q", id, s.ID())
		}
	}
	if m.Len() != 9 || !m.Contains("") {
		t.Errorf("Len() = %d, want 9", m.Len())
	}
}

func TestEvictionTakesTheTableEntryOnly(t *testing.T) {
	m := newManager(t, 1)
	held := session(t, m, "held")
	calls.Set(held, 7)
	ring := put(t, held, "ring", 3)
	session(t, m, "other")
	if m.Contains("held") || !ring.Resident() || calls.Get(held) != 7 || held.Bytes().Total != 3 {
		t.Errorf("evicted: contains %v, ring resident %v, attribute %d, %d bytes, want false, true, 7, 3", m.Contains("held"), ring.Resident(), calls.Get(held), held.Bytes().Total)
	}
	again := session(t, m, "held")
	if again == held || calls.Get(again) != 0 || len(again.Names()) != 0 {
		t.Errorf("an evicted session asked for again is not fresh")
	}
	calls.Set(again, 1)
	if got := calls.Get(held); got != 7 {
		t.Errorf("the holder of the evicted session reads %d after the new one was written, want 7", got)
	}
	if got := m.Stats().TotalBytes; got != 0 {
		t.Errorf("Stats().TotalBytes = %d, want none of the evicted session", got)
	}
}

func TestARefusedAdmissionChangesNothing(t *testing.T) {
	m, err := manager.New(manager.Options{MaxSessions: 2, RefuseNew: true})
	if err != nil {
		t.Fatal(err)
	}
	session(t, m, "a")
	session(t, m, "b")
	before := m.Stats()
	if s, err := m.Session("c"); !errors.Is(err, fault.ErrAdmissionRefused) || s != nil {
		t.Errorf("Session(c) at the cap = %v, %v, want ErrAdmissionRefused", s, err)
	}
	if after := m.Stats(); fmt.Sprint(after) != fmt.Sprint(before) || !slices.Equal(m.Retained(), []string{"a", "b"}) {
		t.Errorf("after a refusal Stats() = %+v, retained %q, want %+v", after, m.Retained(), before)
	}
	session(t, m, "a")
	m.Drop("b")
	session(t, m, "c")
	if raised, err := m.RaiseCap(3); !raised || err != nil {
		t.Errorf("RaiseCap(3) = %v, %v, want true", raised, err)
	}
	session(t, m, "d")
	if got, want := m.Retained(), []string{"a", "c", "d"}; !slices.Equal(got, want) {
		t.Errorf("Retained() = %q, want %q", got, want)
	}
}

func TestContinuingALostSessionIsRefused(t *testing.T) {
	m := newManager(t, 2)
	if _, err := m.Continue("a"); !errors.Is(err, fault.ErrSessionLost) || m.Contains("a") || m.Stats().Misses != 0 {
		t.Errorf("Continue(a) of nothing = %v, contains %v, want ErrSessionLost and no trace", err, m.Contains("a"))
	}
	a := session(t, m, "a")
	session(t, m, "b")
	if s, err := m.Continue("a"); s != a || err != nil {
		t.Errorf("Continue(a) = %v, %v, want the session", s, err)
	}
	session(t, m, "c")
	if got, want := m.Retained(), []string{"a", "c"}; !slices.Equal(got, want) {
		t.Errorf("Retained() = %q, want %q: continuing is use", got, want)
	}
}

func TestDroppingWipesTheHolder(t *testing.T) {
	m := newManager(t, 2)
	held := session(t, m, "a")
	calls.Set(held, 7)
	ring := put(t, held, "ring", 3)
	if !m.Drop("a") || m.Drop("a") || m.Contains("a") {
		t.Errorf("Drop(a) twice: want true, false, and not retained")
	}
	if ring.Resident() || calls.IsSet(held) || held.Bytes().Total != 0 || !slices.Equal(held.Names(), []string{"ring"}) {
		t.Errorf("dropped: resident %v, set %v, %d bytes, names %q, want the name and nothing in it", ring.Resident(), calls.IsSet(held), held.Bytes().Total, held.Names())
	}
	if got := m.Stats(); got.Drops != 1 || got.Evictions != 0 {
		t.Errorf("Stats() = %+v, want 1 drop, 0 evictions", got)
	}
}

func TestTheCapIsRaisedAndNeverLowered(t *testing.T) {
	m := newManager(t, 2)
	for _, c := range []struct {
		n      int
		raised bool
		err    error
		want   int
	}{{2, false, nil, 2}, {1, false, nil, 2}, {0, false, fault.ErrInvalidArgument, 2}, {-5, false, fault.ErrInvalidArgument, 2}, {4, true, nil, 4}, {3, false, nil, 4}} {
		raised, err := m.RaiseCap(c.n)
		if got := m.Stats().MaxSessions; raised != c.raised || !errors.Is(err, c.err) || got != c.want {
			t.Errorf("RaiseCap(%d) = %v, %v, cap %d, want %v, %v, %d", c.n, raised, err, got, c.raised, c.err, c.want)
		}
	}
	for _, id := range ids(5) {
		session(t, m, id)
	}
	if m.Len() != 4 {
		t.Errorf("Len() = %d after 5 sessions at a raised cap of 4", m.Len())
	}
}

func TestAByteBudgetIsRecordedAndEvictsNothing(t *testing.T) {
	budget := int64(1)
	m, err := manager.New(manager.Options{MaxSessions: 4, ByteBudget: &budget})
	if err != nil {
		t.Fatal(err)
	}
	budget = 99
	if got, set := m.ByteBudget(); got != 1 || !set {
		t.Errorf("ByteBudget() = %d, %v, want the 1 that was given", got, set)
	}
	if _, set := newManager(t, 1).ByteBudget(); set {
		t.Errorf("ByteBudget() of a manager without one is set")
	}
	for _, id := range ids(4) {
		put(t, session(t, m, id), "ring", 1000)
	}
	if got := m.Stats(); got.Sessions != 4 || got.TotalBytes != 4000 || got.Evictions != 0 {
		t.Errorf("Stats() = %+v, want 4 sessions with 4000 bytes over the budget", got)
	}
}

func TestConcurrentCallersOfOneIdGetOneSession(t *testing.T) {
	const callers, each = 8, 500
	m := newManager(t, 4)
	var wg sync.WaitGroup
	got := make([]*manager.Session, callers)
	for i := range callers {
		wg.Go(func() {
			got[i], _ = m.Session("one")
			for j := range each {
				if _, err := m.Session(fmt.Sprint((i + j) % 8)); err != nil {
					t.Error(err)
				}
				if j%50 == 0 {
					if n := m.Stats().Sessions; n > 4 {
						t.Errorf("Stats().Sessions = %d, want at most the cap of 4", n)
					}
				}
			}
		})
	}
	wg.Wait()
	s := m.Stats()
	if s.Hits+s.Misses != callers*(each+1) || s.Misses-s.Evictions != int64(m.Len()) {
		t.Errorf("Stats() = %+v with %d retained, want exact counters", s, m.Len())
	}
	one := newManager(t, 4)
	for i := range callers {
		wg.Go(func() { got[i], _ = one.Session("one") })
	}
	wg.Wait()
	if slices.ContainsFunc(got, func(s *manager.Session) bool { return s != got[0] }) || one.Stats().Misses != 1 {
		t.Errorf("concurrent callers of one id got %v, %d misses, want one session", got, one.Stats().Misses)
	}
}

func TestWhatHappensToSessionsIsLoggedAtDebugLevel(t *testing.T) {
	var log strings.Builder
	m, err := manager.New(manager.Options{MaxSessions: 1, Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	if err != nil {
		t.Fatal(err)
	}
	session(t, m, "a")
	session(t, m, "b")
	session(t, m, "b") // a hit is nothing that happened to it
	m.Drop("b")
	told := func(log string) (messages []string) {
		for line := range strings.Lines(log) {
			_, message, _ := strings.Cut(strings.TrimSpace(line), "msg=")
			messages = append(messages, message)
		}
		return messages
	}
	want := []string{`"session admitted" session=a`, `"session evicted" session=a for=b`, `"session admitted" session=b`, `"session dropped" session=b`}
	if got := told(log.String()); !slices.Equal(got, want) {
		t.Errorf("the log says %q, want %q", got, want)
	}

	log.Reset()
	m, err = manager.New(manager.Options{MaxSessions: 1, RefuseNew: true, Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	if err != nil {
		t.Fatal(err)
	}
	session(t, m, "a")
	if _, err := m.Session("b"); !errors.Is(err, fault.ErrAdmissionRefused) {
		t.Errorf("Session(b) at the cap = %v, want ErrAdmissionRefused", err)
	}
	want = []string{`"session admitted" session=a`, `"session refused" session=b max_sessions=1`}
	if got := told(log.String()); !slices.Equal(got, want) {
		t.Errorf("the log says %q, want %q", got, want)
	}
}

func TestPeekingIsNoUse(t *testing.T) {
	m := newManager(t, 2)
	a := session(t, m, "a")
	session(t, m, "b")
	before := m.Stats()
	if got, retained := m.Peek("a"); got != a || !retained {
		t.Errorf("Peek(a) = %p, %v, want the session %p", got, retained, a)
	}
	if got, retained := m.Peek(""); got != nil || retained {
		t.Errorf("Peek of what is not retained = %p, %v, want nil, false", got, retained)
	}
	if after := m.Stats(); after.Hits != before.Hits || after.Misses != before.Misses || m.Retained()[0] != "a" {
		t.Errorf("after Peek: %+v and %q, want %+v with a still the first to go", after, m.Retained(), before)
	}
}

func TestAHitAllocatesNothing(t *testing.T) {
	m := newManager(t, 4)
	session(t, m, "a")
	if allocs := testing.AllocsPerRun(100, func() { session(t, m, "a") }); allocs != 0 {
		t.Errorf("Session of a retained id allocates %v times, want 0", allocs)
	}
}

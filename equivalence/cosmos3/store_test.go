package cosmos3_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/statespec/statespec/equivalence/cosmos3"
	"github.com/statespec/statespec/reference/config"
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/manager"
)

// stores returns one store of each path, capped alike.
func stores(t *testing.T, limit int) map[string]cosmos3.Store {
	t.Helper()
	m := must[*manager.Manager](t)(manager.New(manager.Options{MaxSessions: limit}))
	return map[string]cosmos3.Store{
		cosmos3.BespokePath: must[*cosmos3.BespokeStore](t)(cosmos3.NewBespokeStore(cosmos3.Options{Cap: limit})),
		cosmos3.ManagedPath: must[*cosmos3.ManagedStore](t)(cosmos3.NewManagedStore(m, cosmos3.Options{})),
	}
}

func open(t *testing.T, s cosmos3.Store, id string) cosmos3.State {
	t.Helper()
	return must[cosmos3.State](t)(s.Open(id))
}

func TestTheResolvedConfigPicksThePath(t *testing.T) {
	for enabled, want := range map[bool]string{false: cosmos3.BespokePath, true: cosmos3.ManagedPath} {
		m := must[*manager.Manager](t)(manager.New(manager.Options{MaxSessions: 3}))
		s := must[cosmos3.Store](t)(cosmos3.Choose(config.Resolution{Enabled: enabled, MaxSessions: 2}, m, cosmos3.Options{}))
		state := open(t, s, "a")
		if s.Path() != want || state.Path() != want {
			t.Errorf("Choose(enabled %v) = a store of path %q with states of %q, want %q", enabled, s.Path(), state.Path(), want)
		}
		if got := m.Contains("a"); got != enabled {
			t.Errorf("Choose(enabled %v): the manager has the session = %v, want %v", enabled, got, enabled)
		}
	}
	own := must[cosmos3.Store](t)(cosmos3.Choose(config.Resolution{Enabled: true, MaxSessions: 2}, nil, cosmos3.Options{}))
	for _, id := range []string{"a", "b", "c"} {
		open(t, own, id)
	}
	if got, want := own.Retained(), []string{"b", "c"}; !slices.Equal(got, want) {
		t.Errorf("Retained() of a store with the resolved cap of 2 = %q, want %q", got, want)
	}
}

func TestAStoreThatCannotWorkIsRefused(t *testing.T) {
	_, err := cosmos3.NewBespokeStore(cosmos3.Options{Cap: -1})
	wantRefusal(t, "NewBespokeStore() with a negative cap", err, fault.ErrInvalidArgument)
	_, err = cosmos3.NewManagedStore(nil, cosmos3.Options{})
	wantRefusal(t, "NewManagedStore() over no manager", err, fault.ErrInvalidArgument)
	_, err = cosmos3.Choose(config.Resolution{Enabled: true}, nil, cosmos3.Options{})
	wantRefusal(t, "Choose() of a cap of 0", err, fault.ErrInvalidArgument)
}

func TestBespokeKeepsEverySessionUnlessCapped(t *testing.T) {
	s := must[*cosmos3.BespokeStore](t)(cosmos3.NewBespokeStore(cosmos3.Options{}))
	for i := range 201 {
		open(t, s, fmt.Sprint(i))
	}
	if got := len(s.Retained()); got != 201 {
		t.Errorf("sessions retained without a cap = %d, want 201", got)
	}
}

func TestAManagerThatRefusesNewSessionsRefusesTheOpen(t *testing.T) {
	m := must[*manager.Manager](t)(manager.New(manager.Options{MaxSessions: 1, RefuseNew: true}))
	s := must[*cosmos3.ManagedStore](t)(cosmos3.NewManagedStore(m, cosmos3.Options{}))
	open(t, s, "a")
	got, err := s.Open("b")
	wantRefusal(t, "Open of a session over the cap", err, fault.ErrAdmissionRefused)
	if got != nil {
		t.Errorf("Open of a session over the cap = %v, want no state", got)
	}
}

func TestSessionsDoNotSeeEachOther(t *testing.T) {
	for path, s := range stores(t, 4) {
		a, b := open(t, s, "a"), open(t, s, "b")
		want := conditioning(t, 2, 100)
		do(t, a.Capture(cosmos3.Positive, want))
		wantBits(t, path+": Load of another session", load(t, b, cosmos3.Positive), cosmos3.Conditioning{})
		do(t, b.Capture(cosmos3.Positive, conditioning(t, 3, 500)))
		do(t, b.Reset())
		wantBits(t, path+": Load after the other's reset", load(t, a, cosmos3.Positive), want)
	}
}

func TestAHeldStateOutlivesItsEvictionAndIsNotTheNewOne(t *testing.T) {
	for path, s := range stores(t, 1) {
		held := open(t, s, "a")
		want := conditioning(t, 2, 100)
		do(t, held.Capture(cosmos3.Positive, want))
		open(t, s, "b")
		wantBits(t, path+": Load of the evicted session's holder", load(t, held, cosmos3.Positive), want)
		again := open(t, s, "a")
		wantBits(t, path+": Load of the session that came back", load(t, again, cosmos3.Positive), cosmos3.Conditioning{})
		do(t, held.Capture(cosmos3.Negative, want))
		if captured(t, again, cosmos3.Negative) {
			t.Errorf("%s: the new session sees what the old one's holder captured, want it not to", path)
		}
	}
}

func TestAnEmptyIDIsTheDefaultSession(t *testing.T) {
	for path, s := range stores(t, 2) {
		want := conditioning(t, 1, 100)
		do(t, open(t, s, "").Capture(cosmos3.Positive, want))
		wantBits(t, path+`: Load of "default"`, load(t, open(t, s, "default"), cosmos3.Positive), want)
	}
}

func TestAnEndedSessionIsClearedForItsHoldersOnBothPaths(t *testing.T) {
	for path, s := range stores(t, 2) {
		state := open(t, s, "a")
		do(t, state.Capture(cosmos3.Positive, conditioning(t, 2, 100)))
		do(t, s.End("a"))
		do(t, s.End("nobody"))
		if got := s.Retained(); len(got) != 0 {
			t.Errorf("%s: Retained() after End = %q, want none", path, got)
		}
		if got := must[int64](t)(state.Bytes(cosmos3.Positive)); got != 0 {
			t.Errorf("%s: bytes of a holder after End = %d, want 0", path, got)
		}
		wantBits(t, path+": Load of a holder after End", load(t, state, cosmos3.Positive), cosmos3.Conditioning{})
	}
}

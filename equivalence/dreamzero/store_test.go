package dreamzero_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/config"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/tensor"
)

// stores returns one store of each path, capped alike.
func stores(t *testing.T, limit int) map[string]dreamzero.Store {
	t.Helper()
	o := dreamzero.Options{Window: dreamzero.DefaultWindow, Cap: limit}
	m := must[*manager.Manager](t)(manager.New(manager.Options{MaxSessions: limit}))
	return map[string]dreamzero.Store{
		dreamzero.BespokePath: must[*dreamzero.BespokeStore](t)(dreamzero.NewBespokeStore(o)),
		dreamzero.ManagedPath: must[*dreamzero.ManagedStore](t)(dreamzero.NewManagedStore(m, o)),
	}
}

func TestTheResolvedConfigPicksThePath(t *testing.T) {
	o := dreamzero.Options{Window: dreamzero.DefaultWindow}
	for enabled, want := range map[bool]string{false: dreamzero.BespokePath, true: dreamzero.ManagedPath} {
		m := must[*manager.Manager](t)(manager.New(manager.Options{MaxSessions: 3}))
		s := must[dreamzero.Store](t)(dreamzero.Choose(config.Resolution{Enabled: enabled, MaxSessions: 2}, m, o))
		state := must[dreamzero.State](t)(s.Open("a"))
		if s.Path() != want || state.Path() != want {
			t.Errorf("Choose(enabled %v) = a store of path %q with states of %q, want %q", enabled, s.Path(), state.Path(), want)
		}
		if got := m.Contains("a"); got != enabled {
			t.Errorf("Choose(enabled %v): the manager has the session = %v, want %v", enabled, got, enabled)
		}
	}
	own := must[dreamzero.Store](t)(dreamzero.Choose(config.Resolution{Enabled: true, MaxSessions: 2}, nil, o))
	for _, id := range []string{"a", "b", "c"} {
		must[dreamzero.State](t)(own.Open(id))
	}
	if got, want := own.Retained(), []string{"b", "c"}; !slices.Equal(got, want) {
		t.Errorf("Retained() of a store with the resolved cap of 2 = %q, want %q", got, want)
	}
}

func TestBespokeKeepsEverySessionUnlessCapped(t *testing.T) {
	s := must[*dreamzero.BespokeStore](t)(dreamzero.NewBespokeStore(dreamzero.Options{Window: 2}))
	for i := range 201 {
		must[dreamzero.State](t)(s.Open(fmt.Sprint(i)))
	}
	if got := len(s.Retained()); got != 201 {
		t.Errorf("sessions retained without a cap = %d, want 201", got)
	}
	_, err := dreamzero.NewBespokeStore(dreamzero.Options{Window: 2, Cap: -1})
	wantRefusal(t, "NewBespokeStore() with a negative cap", err, fault.ErrInvalidArgument)
}

func TestAnEmptyIDIsTheDefaultSession(t *testing.T) {
	for path, s := range stores(t, 2) {
		do(t, must[dreamzero.State](t)(s.Open("")).Set(dreamzero.CallCount, 5))
		if got := must[any](t)(must[dreamzero.State](t)(s.Open("default")).Get(dreamzero.CallCount)); got != 5 {
			t.Errorf("%s: call count of \"default\" = %v, want the 5 of \"\"", path, got)
		}
	}
}

// Sessions over the cap come and go in random order; holders outlive their
// place in the table. Both paths must retain the same and answer the same.
func TestInterleavedSessionsAnswerAlikeOnBothPathsThroughEvictions(t *testing.T) {
	const limit, ids = 3, 6
	paths := stores(t, limit)
	bespoke, managed := paths[dreamzero.BespokePath], paths[dreamzero.ManagedPath]
	random := rand.New(rand.NewPCG(1, 2))
	var held [ids][2]dreamzero.State
	for step := range 600 {
		i := random.IntN(ids)
		if held[i][0] == nil || random.IntN(3) == 0 {
			held[i] = [2]dreamzero.State{must[dreamzero.State](t)(bespoke.Open(fmt.Sprint(i))), must[dreamzero.State](t)(managed.Open(fmt.Sprint(i)))}
		}
		if random.IntN(40) == 0 {
			do(t, bespoke.End(fmt.Sprint(i)))
			do(t, managed.End(fmt.Sprint(i)))
		}
		if got, want := managed.Retained(), bespoke.Retained(); !slices.Equal(got, want) {
			t.Fatalf("step %d: managed retains %q, want %q as bespoke", step, got, want)
		}
		roll := random.IntN(9)
		a, errA := someCall(t, held[i][0], roll, uint64(step))
		b, errB := someCall(t, held[i][1], roll, uint64(step))
		if (errA == nil) != (errB == nil) {
			t.Fatalf("step %d: call %d = error %v managed, error %v bespoke", step, roll, errB, errA)
		}
		wantSame(t, fmt.Sprintf("step %d: call %d", step, roll), b, a)
	}
}

// someCall makes one of nine calls.
func someCall(t *testing.T, s dreamzero.State, which int, seed uint64) (*tensor.Tensor, error) {
	switch which {
	case 0, 1:
		return s.AccumulateFrames(filled(t, dtype.UInt8, seed, 6, 8, 3))
	case 2:
		return nil, s.AppendVideoLatents(filled(t, dtype.BFloat16, seed, 1, 2, 3, 4, 5))
	case 3:
		return s.ConcatenatedVideoLatents()
	case 4:
		return nil, s.SeedEncoder(filled(t, dtype.BFloat16, seed, 1, 4, 1, 5, 7))
	case 5, 6:
		return nil, s.AppendEncoderChunk(filled(t, dtype.BFloat16, seed, 1, 4, 1, 5, 7))
	case 7:
		return s.ObserveLatents(1 + int(seed%2))
	}
	return nil, s.WindowReset()
}

func TestAnEndedSessionIsClearedForItsHoldersOnBothPaths(t *testing.T) {
	for path, s := range stores(t, 2) {
		state := must[dreamzero.State](t)(s.Open("a"))
		fillAll(t, state)
		do(t, s.End("a"))
		do(t, s.End("nobody"))
		if got := s.Retained(); len(got) != 0 {
			t.Errorf("%s: Retained() after End = %q, want none", path, got)
		}
		for _, name := range slices.Concat(dreamzero.Buffers(), dreamzero.Carried()) {
			if got := must[int64](t)(state.Bytes(name)); got != 0 {
				t.Errorf("%s: Bytes(%s) of a holder after End = %d, want 0", path, name, got)
			}
		}
	}
}

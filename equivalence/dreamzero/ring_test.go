package dreamzero_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/tensor"
)

func TestTheRingAnswersWhatTheWholeHistoryAnswers(t *testing.T) {
	weights, err := dreamzero.GenerateWeights(6, 11)
	do(t, err)
	pointwise, err := dreamzero.NewPointwise(weights, 2)
	do(t, err)
	for _, quantiser := range []dreamzero.Quantiser{dreamzero.Identity{}, pointwise} {
		for _, dt := range []dtype.DType{dtype.BFloat16, dtype.Float32} {
			for _, window := range []int{1, 2, 3, 4, 7} {
				random := rand.New(rand.NewPCG(uint64(window), 1))
				history := dreamzero.NewBespoke(quantiser)
				ring, err := dreamzero.NewManaged(session(t, "s"), window, quantiser)
				do(t, err)
				for step := range 40 {
					chunk := filled(t, dt, uint64(step), 2, 6, 1+random.IntN(5), 3, 5)
					for _, s := range []dreamzero.State{history, ring} {
						if step == 0 || step == 20 {
							do(t, s.SeedEncoder(chunk))
						} else {
							do(t, s.AppendEncoderChunk(chunk))
						}
					}
					for n := 1; n <= window; n++ {
						got := must[*tensor.Tensor](t)(ring.ObserveLatents(n))
						wantSame(t, "ObserveLatents", got, must[*tensor.Tensor](t)(history.ObserveLatents(n)))
					}
				}
			}
		}
	}
}

func TestAShortWindowIsPaddedInFrontWithTheNewestFrame(t *testing.T) {
	older, newest := filled(t, dtype.Float32, 1, 1, 1, 1, 5, 7), filled(t, dtype.Float32, 2, 1, 1, 1, 5, 7)
	want := must[*tensor.Tensor](t)(tensor.Cat(2, newest, newest, older, newest))
	for _, s := range []dreamzero.State{dreamzero.NewBespoke(nil), managed(t, 4)} {
		do(t, s.SeedEncoder(older))
		do(t, s.AppendEncoderChunk(newest))
		wantSame(t, s.Path()+" ObserveLatents(4)", must[*tensor.Tensor](t)(s.ObserveLatents(4)), want)
	}
}

func TestReadingPastTheRingIsRefusedAndBespokePads(t *testing.T) {
	chunk := filled(t, dtype.Float32, 1, 1, 4, 5, 5, 7)
	history, ring := dreamzero.NewBespoke(nil), managed(t, 2)
	for _, s := range []dreamzero.State{history, ring} {
		do(t, s.SeedEncoder(chunk))
	}
	if got := ring.EncoderFrames(); got != 2 {
		t.Errorf("EncoderFrames() after a seed of 5 in a ring of 2 = %d, want 2", got)
	}
	_, err := ring.ObserveLatents(3)
	wantRefusal(t, "ObserveLatents(3) of a ring of 2", err, fault.ErrOverRead)
	if got := must[*tensor.Tensor](t)(history.ObserveLatents(7)); got.Dim(2) != 7 || history.EncoderFrames() != 5 {
		t.Errorf("bespoke ObserveLatents(7) = %v of %d frames, want 7 of 5", got, history.EncoderFrames())
	}
}

func TestAChunkOfNoFramesPushesNothingOut(t *testing.T) {
	s := managed(t, 2)
	do(t, s.SeedEncoder(filled(t, dtype.Float32, 1, 1, 4, 2, 5, 7)))
	want := must[*tensor.Tensor](t)(s.ObserveLatents(2))
	for range 3 {
		do(t, s.AppendEncoderChunk(filled(t, dtype.Float32, 2, 1, 4, 0, 5, 7)))
	}
	wantSame(t, "ObserveLatents(2)", must[*tensor.Tensor](t)(s.ObserveLatents(2)), want)
}

func TestTheManagedEncoderHoldsAsManyBytesAtEveryLength(t *testing.T) {
	const latentFrame = 32 * 44 * 80 * 2 // 0.2148 MiB as the document has it
	s, history := managed(t, 2), dreamzero.NewBespoke(nil)
	chunk := filled(t, dtype.BFloat16, 1, 1, 32, 1, 44, 80)
	do(t, s.SeedEncoder(chunk))
	do(t, history.SeedEncoder(chunk))
	for length := 2; length <= 100; length++ {
		do(t, s.AppendEncoderChunk(chunk))
		if length <= 20 {
			do(t, history.AppendEncoderChunk(chunk))
		}
		if got := must[int64](t)(s.Bytes(dreamzero.EncoderOut)); got != 2*latentFrame {
			t.Fatalf("Bytes(%s) at %d frames = %d, want %d", dreamzero.EncoderOut, length, got, 2*latentFrame)
		}
	}
	if got := must[int64](t)(history.Bytes(dreamzero.EncoderOut)); got != 20*latentFrame {
		t.Errorf("bespoke Bytes(%s) at 20 frames = %d, want %d", dreamzero.EncoderOut, got, 20*latentFrame)
	}
}

func TestAWindowThatIsNotPositiveIsRefused(t *testing.T) {
	for _, window := range []int{0, -1} {
		_, err := dreamzero.NewManaged(session(t, "s"), window, nil)
		wantRefusal(t, "NewManaged() with no window", err, fault.ErrInvalidArgument)
		_, err = dreamzero.NewBespokeStore(dreamzero.Options{Window: window})
		wantRefusal(t, "NewBespokeStore() with no window", err, fault.ErrInvalidArgument)
	}
}

func TestASecondAdapterWithAnotherWindowIsRefused(t *testing.T) {
	s := session(t, "s")
	first := must[*dreamzero.Managed](t)(dreamzero.NewManaged(s, 2, nil))
	refused := func(when string) {
		t.Helper()
		for _, window := range []int{1, 4} {
			_, err := dreamzero.NewManaged(s, window, nil)
			wantRefusal(t, "NewManaged() with another window "+when, err, dreamzero.ErrOtherWindow)
		}
	}
	refused("on an empty stream")
	do(t, first.SeedEncoder(filled(t, dtype.Float32, 1, 1, 4, 2, 5, 7)))
	refused("on a seeded stream")
	do(t, first.SessionReset())
	refused("after the adapter's session reset")

	// A reset of the session itself leaves nothing that a window could belong
	// to. The adapter that comes first decides; the other is refused at use.
	do(t, s.Reset())
	other := must[*dreamzero.Managed](t)(dreamzero.NewManaged(s, 4, nil))
	do(t, other.SeedEncoder(filled(t, dtype.Float32, 1, 1, 4, 2, 5, 7)))
	_, err := first.ObserveLatents(2)
	wantRefusal(t, "ObserveLatents(2) of the adapter that came second", err, dreamzero.ErrOtherWindow)
}

// A refused opening leaves the manager as it was: it is no use of the session.
func TestAnOpeningThatIsRefusedCountsAsNone(t *testing.T) {
	m := must[*manager.Manager](t)(manager.New(manager.Options{MaxSessions: 3}))
	open := func(window int, id string) error {
		store := must[*dreamzero.ManagedStore](t)(dreamzero.NewManagedStore(m, dreamzero.Options{Window: window}))
		_, err := store.Open(id)
		return err
	}
	do(t, open(2, "a"))
	do(t, open(2, "b"))
	taken := must[*manager.Session](t)(m.Session("c"))
	do(t, taken.Put(dreamzero.EncoderOut, object.NewEncodeOnce("another's")))
	other, err := taken.Object(dreamzero.EncoderOut)
	do(t, err)
	do(t, other.Commit(filled(t, dtype.Float32, 1, 4)))

	before, order := m.Stats(), m.Retained()
	wantRefusal(t, "Open(a) with another window", open(4, "a"), dreamzero.ErrOtherWindow)
	wantRefusal(t, "Open(c) whose ring is another object", open(2, "c"), fault.ErrTypeMismatch)
	if after := m.Stats(); after.Hits != before.Hits || after.Misses != before.Misses || !slices.Equal(m.Retained(), order) {
		t.Errorf("after two refused openings: %+v and %q, want %+v and %q", after, m.Retained(), before, order)
	}

	do(t, open(2, "a"))
	if after := m.Stats(); after.Hits != before.Hits+1 || m.Retained()[2] != "a" {
		t.Errorf("after an opening: %d hits and %q, want %d and a last", after.Hits, m.Retained(), before.Hits+1)
	}
}

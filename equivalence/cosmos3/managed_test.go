package cosmos3_test

import (
	"slices"
	"testing"

	"github.com/statespec/statespec/equivalence/cosmos3"
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/object"
)

func TestEachManagedValueSitsInItsBucket(t *testing.T) {
	s := managed(t)
	do(t, s.Capture(cosmos3.Positive, conditioning(t, 2, 100)))
	do(t, s.SetLayers(cosmos3.Negative, layers(t, 1, 500)))
	if got, want := s.Session().Names(), []string{"und_kv.negative.0", "und_kv.positive.0", "und_kv.positive.1"}; !slices.Equal(got, want) {
		t.Errorf("objects of the session = %q, want %q", got, want)
	}
	if got, want := s.Session().AttrNames(), []string{"gen_rope_freqs.positive", "und_kv_layers.negative", "und_kv_layers.positive"}; !slices.Equal(got, want) {
		t.Errorf("attributes of the session = %q, want %q", got, want)
	}
	total := must[int64](t)(s.Bytes(cosmos3.Positive)) + must[int64](t)(s.Bytes(cosmos3.Negative))
	if got := s.Session().Bytes().Total; got != total || total != 3*96+16 {
		t.Errorf("bytes of the session = %d, of its branches %d, want %d: three layers and the frequencies", got, total, 3*96+16)
	}
}

func TestEvictingEveryObjectLeavesTheFrequenciesAndAsksForACapture(t *testing.T) {
	s := managed(t)
	first := conditioning(t, 2, 100)
	do(t, s.Capture(cosmos3.Positive, first))
	for _, name := range s.Session().Names() {
		must[int64](t)(must[object.StateObject](t)(s.Session().Object(name)).Evict())
	}
	wantBits(t, "Load after evicting", load(t, s, cosmos3.Positive), cosmos3.Conditioning{Frequencies: first.Frequencies})
	again := conditioning(t, 2, 500)
	do(t, s.Capture(cosmos3.Positive, again))
	wantBits(t, "Load after a new capture", load(t, s, cosmos3.Positive), again)
}

func TestASecondAdapterSeesWhatTheFirstWrote(t *testing.T) {
	s := managed(t)
	want := conditioning(t, 2, 100)
	do(t, s.Capture(cosmos3.Positive, want))
	second := must[*cosmos3.Managed](t)(cosmos3.NewManaged(s.Session()))
	wantBits(t, "Load of a second adapter", load(t, second, cosmos3.Positive), want)
}

func TestAResetLeavesTheValuesOfOthersInTheSession(t *testing.T) {
	s := managed(t)
	do(t, s.Capture(cosmos3.Positive, conditioning(t, 2, 100)))
	other := object.NewLatentBuffer("other")
	do(t, other.Allocate(object.Bound{}))
	do(t, s.Session().Put("other", other))
	s.Session().SetAttr("call_count", 3)
	do(t, s.Reset())
	if got, want := s.Session().AttrNames(), []string{"call_count"}; !slices.Equal(got, want) || !other.Resident() {
		t.Errorf("after a reset the attributes = %q, another's buffer resident = %v, want %q and true", got, other.Resident(), want)
	}
}

// Whatever else a session holds under the adapter's names, the answer is an
// error and not a wrong branch.
func TestWhatAnotherPutUnderTheNamesOfLayersIsNoBranch(t *testing.T) {
	s := managed(t)
	do(t, s.Capture(cosmos3.Positive, conditioning(t, 2, 100)))
	buffer := object.NewLatentBuffer("b")
	do(t, buffer.Allocate(object.Bound{}))
	do(t, buffer.Commit(layers(t, 1, 900)[0].Keys))
	do(t, s.Session().Put("und_kv.positive.1", buffer))
	if got, err := s.Load(cosmos3.Positive); err == nil {
		t.Errorf("Load() with a latent buffer as a layer = %s, want an error", bits(got))
	}
	set := layers(t, 2, 500)
	do(t, s.SetLayers(cosmos3.Positive, set))
	if got := load(t, s, cosmos3.Positive).Layers; bits(cosmos3.Conditioning{Layers: got}) != bits(cosmos3.Conditioning{Layers: set}) {
		t.Errorf("layers after setting them over a latent buffer = %v, want those set", got)
	}

	s.Session().SetAttr("und_kv_layers.positive", "two")
	_, err := s.Load(cosmos3.Positive)
	wantRefusal(t, "Load() with a text for the number of layers", err, fault.ErrTypeMismatch)
	do(t, s.SetLayers(cosmos3.Positive, set))
	s.Session().SetAttr("gen_rope_freqs.positive", "none")
	_, err = s.Load(cosmos3.Positive)
	wantRefusal(t, "Load() with a text for the frequencies", err, fault.ErrTypeMismatch)
}

func TestAnAdapterOverNoSessionIsRefused(t *testing.T) {
	_, err := cosmos3.NewManaged(nil)
	wantRefusal(t, "NewManaged(nil)", err, fault.ErrInvalidArgument)
}

// A second adapter that looks while the first captures sees no branch, or a
// whole one.
func TestABranchIsCapturedWhenAllOfItIsThere(t *testing.T) {
	s := managed(t)
	looking := must[*cosmos3.Managed](t)(cosmos3.NewManaged(s.Session()))
	const depth = 500
	handed := conditioning(t, depth, 100)
	written := make(chan struct{})
	var failed error
	go func() {
		defer close(written)
		failed = s.Capture(cosmos3.Positive, handed)
	}()
	for done := false; !done; {
		select {
		case <-written:
			done = true
		default:
			done = captured(t, looking, cosmos3.Positive)
		}
	}
	if got := load(t, looking, cosmos3.Positive); len(got.Layers) != depth || len(got.Frequencies) != 2 {
		t.Errorf("Load() as soon as the branch is captured = %d layers and %d frequencies, want %d and 2", len(got.Layers), len(got.Frequencies), depth)
	}
	<-written
	do(t, failed)
}

func TestTheManagerMayCountWhileAStateIsWritten(t *testing.T) {
	m := must[*manager.Manager](t)(manager.New(manager.Options{MaxSessions: 2}))
	s := open(t, must[*cosmos3.ManagedStore](t)(cosmos3.NewManagedStore(m, cosmos3.Options{})), "a")
	written := make(chan struct{})
	go func() {
		defer close(written)
		for seed := range uint64(50) {
			for _, err := range []error{s.Capture(cosmos3.Positive, conditioning(t, 3, seed)), s.SetLayers(cosmos3.Negative, layers(t, 2, seed)), s.Reset()} {
				if err != nil {
					t.Error(err)
				}
			}
		}
	}()
	const most = 5*96 + 16
	for done := false; !done; {
		select {
		case <-written:
			done = true
		default:
		}
		if got := m.Stats().TotalBytes; got < 0 || got > most {
			t.Fatalf("bytes while a state is written = %d, want 0 to %d", got, most)
		}
	}
	if got := m.Stats().TotalBytes; got != 0 {
		t.Errorf("bytes after a reset = %d, want 0", got)
	}
}

package rollout

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/config"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/tensor"
)

// resolved is a decision for a path with the usual cap.
func resolved(path string) config.Resolution {
	return config.Resolution{Enabled: path == dreamzero.ManagedPath, MaxSessions: config.DefaultMaxSessions}
}

// A trace is what is compared of a rollout: a digest of each quantity at each
// step, and what tests look at.
type trace struct {
	observed, chunk, frame, maps []uint64
	steps                        []Step // without tensors
	videos                       []uint64
}

func traced(t testing.TB, path string, o Options) trace {
	t.Helper()
	r := must[*Rollout](t)(New(resolved(path), o))
	if r.Path() != path {
		t.Fatalf("Path() = %s, want %s", r.Path(), path)
	}
	var tr trace
	bits := func(x *tensor.Tensor) uint64 { return xxh3.Hash(x.AppendBytes(nil)) }
	err := r.Run(t.Context(), func(s *Step) error {
		tr.observed = append(tr.observed, bits(s.Observed))
		tr.chunk = append(tr.chunk, bits(s.Chunk))
		tr.frame = append(tr.frame, bits(s.Frame))
		tr.maps = append(tr.maps, s.Digests[:]...)
		light := *s
		light.Observed, light.Chunk, light.Frame, light.FeatureMap = nil, nil, nil, nil
		tr.steps = append(tr.steps, light)
		return nil
	})
	if err != nil {
		t.Fatalf("%s: Run() = %v", path, err)
	}
	err = r.Videos(func(v Video) error {
		tr.videos = append(tr.videos, xxh3.HashString(v.Session), bits(v.Latents))
		return nil
	})
	if err != nil {
		t.Fatalf("%s: Videos() = %v", path, err)
	}
	return tr
}

// differing returns the steps at which two lists, of so many a step, differ.
func differing(a, b []uint64, each int) []int {
	var steps []int
	for i := 0; i < len(a); i += each {
		if !slices.Equal(a[i:i+each], b[i:i+each]) {
			steps = append(steps, i/each)
		}
	}
	return steps
}

// wantEqual compares all that has to be equal on both paths.
func wantEqual(t *testing.T, what string, got, want trace) {
	t.Helper()
	if len(got.steps) != len(want.steps) {
		t.Fatalf("%s: %d steps, want %d", what, len(got.steps), len(want.steps))
	}
	for name, c := range map[string][]int{
		"latents observed":      differing(got.observed, want.observed, 1),
		"video chunk":           differing(got.chunk, want.chunk, 1),
		"stitched frame":        differing(got.frame, want.frame, 1),
		"feature map":           differing(got.maps, want.maps, Entries),
		"concatenated videos":   differing(got.videos, want.videos, 2),
		"reasons, and counters": slices.Collect(otherCounters(got.steps, want.steps)),
	} {
		if len(c) > 0 {
			t.Errorf("%s: %s differ at %d steps, first at %d; want none", what, name, len(c), c[0])
		}
	}
	if len(got.videos) != len(want.videos) {
		t.Errorf("%s: %d videos, want %d", what, len(got.videos)/2, len(want.videos)/2)
	}
}

func otherCounters(a, b []Step) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range a {
			if (a[i].Reason != b[i].Reason || a[i].Counters != b[i].Counters || a[i].Action != b[i].Action) && !yield(i) {
				return
			}
		}
	}
}

func TestBothPathsGiveTheSameBits(t *testing.T) {
	for _, o := range []Options{
		{Profile: Tiny, DType: dtype.BFloat16}, {Profile: Tiny, DType: dtype.Float32},
		{Profile: Small, DType: dtype.BFloat16}, {Profile: slim(Small), DType: dtype.Float32},
	} {
		o.Seed = 1
		wantEqual(t, o.Profile.Name+" in "+o.DType.String(), traced(t, dreamzero.ManagedPath, o), traced(t, dreamzero.BespokePath, o))
	}
}

func TestTheNumberOfWorkersDecidesNoBit(t *testing.T) {
	for _, o := range []Options{
		{Profile: Tiny, DType: dtype.BFloat16}, {Profile: slim(Small), DType: dtype.Float32, Fault: OrderBySize}, {Profile: slim(Small), DType: dtype.BFloat16, Fault: SplitRounded},
	} {
		o.Seed, o.Workers = 1, 1
		one := traced(t, dreamzero.BespokePath, o)
		o.Workers = 7
		wantEqual(t, o.Profile.Name+" with fault "+string(o.Fault)+" on 7 workers", traced(t, dreamzero.BespokePath, o), one)
	}
}

func TestAnotherSeedIsAnotherRollout(t *testing.T) {
	o := Options{Profile: Tiny, Seed: 1, Steps: 12, DType: dtype.BFloat16}
	one := traced(t, dreamzero.ManagedPath, o)
	o.Seed = 2
	two := traced(t, dreamzero.ManagedPath, o)
	if got := differing(one.observed, two.observed, 1); len(got) != 12 {
		t.Errorf("latents of two seeds differ at %d of 12 steps, want 12", len(got))
	}
}

// slim is a profile with the smallest encoder's channels, where those do not matter.
func slim(p Profile) Profile {
	p.Base = Tiny.Base
	return p
}

// The count follows from the size alone: 15 latent frames are there from step
// 56 on, and 90 less 56 are 34.
func TestTheFaultsShowFromStep56On(t *testing.T) {
	for _, c := range []struct {
		fault Fault
		dt    dtype.DType
		want  int
	}{
		{NoFault, dtype.Float32, 0}, {NoFault, dtype.BFloat16, 0},
		{OrderBySize, dtype.Float32, 34}, {OrderBySize, dtype.BFloat16, 0},
		{SplitRounded, dtype.BFloat16, 34}, {SplitRounded, dtype.Float32, 34},
	} {
		o := Options{Profile: slim(Small), Seed: 1, Steps: 90, DType: c.dt, Fault: c.fault}
		got := differing(traced(t, dreamzero.ManagedPath, o).observed, traced(t, dreamzero.BespokePath, o).observed, 1)
		if len(got) != c.want || len(got) > 0 && got[0] != 56 {
			t.Errorf("fault %q in %v: latents differ at %d of 90 steps, %v; want %d, first at 56", c.fault, c.dt, len(got), got, c.want)
		}
	}
}

func TestResetsComeAsTheReasonsSay(t *testing.T) {
	steps := traced(t, dreamzero.ManagedPath, Options{Profile: slim(Small), Seed: 1, DType: dtype.BFloat16}).steps
	for i, s := range steps {
		var want dreamzero.Reason
		switch {
		case i == 0 || i == Small.PromptSteps:
			want = dreamzero.SessionReason
		case i%12 == 0: // 24 latent frames of two a step
			want = dreamzero.InferenceReason
		}
		frames := int64(bodyFrames)
		if want != dreamzero.NoReset {
			frames = 1
		}
		if s.Reason != want || s.Counters.Frames != frames {
			t.Errorf("step %d: reset %q and %d frames, want %q and %d", i, s.Reason, s.Counters.Frames, want, frames)
		}
	}
}

func TestTinyMeetsEveryResetAndEviction(t *testing.T) {
	steps := traced(t, dreamzero.ManagedPath, Options{Profile: Tiny, Seed: 1, DType: dtype.BFloat16}).steps
	seen := map[string]int{}
	for _, s := range steps {
		switch {
		case s.Reason == dreamzero.InferenceReason:
			seen["window"]++
		case s.Reason == dreamzero.NoReset:
		case s.Counters.SessionStep == 0:
			seen["new"]++
		case s.Counters.SessionStep%int64(Tiny.PromptSteps) == 0:
			seen["prompt"]++
		case s.Counters.SessionStep%int64(Tiny.RestartSteps) == int64(Tiny.RestartSteps)-1:
			seen["restart"]++
		default:
			seen["lost"]++ // by eviction, or ended
		}
		if s.Counters.Retained > config.DefaultMaxSessions {
			t.Fatalf("step %d: %d sessions retained, want at most %d", s.Index, s.Counters.Retained, config.DefaultMaxSessions)
		}
	}
	if seen["new"] != Tiny.Sessions {
		t.Errorf("%d sessions began, want %d", seen["new"], Tiny.Sessions)
	}
	for _, kind := range []string{"window", "prompt", "restart", "lost"} {
		if seen[kind] < 3 {
			t.Errorf("resets of kind %s: %d of %v, want at least 3", kind, seen[kind], seen)
		}
	}
}

func TestWhatAStateHoldsIsWhatTheDocumentSays(t *testing.T) {
	p := slim(Small)
	p.PromptSteps, p.Steps = 0, 104
	latent := int64(1)
	for _, d := range p.LatentFrameShape() {
		latent *= int64(d)
	}
	latent *= 2
	for _, path := range []string{dreamzero.BespokePath, dreamzero.ManagedPath} {
		for i, s := range traced(t, path, Options{Profile: p, Seed: 1, DType: dtype.BFloat16}).steps {
			encoded := int64(1 + i/4)
			stream, mapped := encoded*latent, int64(p.FeatureMapBytes(int(encoded)))
			if path == dreamzero.ManagedPath { // ring and sets are whole from the start
				stream, mapped = LatentFrames*latent, int64(p.FeatureMapBytes(2))
			}
			picture := int64(p.Height() * p.Width() * ColourChannels)
			for name, want := range map[string]int64{
				dreamzero.FeatureMap:    mapped,
				dreamzero.EncoderOut:    stream,
				dreamzero.PendingFrames: int64(i%4) * picture,
				dreamzero.VideoLatents:  int64(i+1) * LatentFrames * latent / 2,
			} {
				if got := s.Held.ByName[name]; got != want {
					t.Fatalf("%s, step %d: %s holds %d bytes, want %d", path, i, name, got, want)
				}
			}
			if s.Held.PendingPeak > 4*picture {
				t.Fatalf("%s, step %d: pending frames held %d bytes, want at most %d", path, i, s.Held.PendingPeak, 4*picture)
			}
			if got := sum(s.Held.ByName); got != s.Held.Total {
				t.Fatalf("%s, step %d: total %d, want %d, the sum", path, i, s.Held.Total, got)
			}
		}
	}
}

func sum(m map[string]int64) (total int64) {
	for v := range maps.Values(m) {
		total += v
	}
	return total
}

func TestAPoolNeedsOneSetMoreThanThereAreSessions(t *testing.T) {
	five := Tiny
	five.Sessions = 5
	r := must[*Rollout](t)(New(config.Resolution{Enabled: true, MaxSessions: 5}, Options{Profile: five, Seed: 1, DType: dtype.BFloat16}))
	if err := r.Run(t.Context(), func(*Step) error { return nil }); err != nil {
		t.Fatal(err)
	}
	p := r.stream.maps.(*pool)
	if p.made != 6 || len(p.lent)+len(p.spare) != 6 {
		t.Errorf("pool for 5 sessions made %d sets, %d lent and %d spare; want 6 in all", p.made, len(p.lent), len(p.spare))
	}
}

// What is in a set before it is written must not matter.
func TestAStaleSetChangesNothing(t *testing.T) {
	o := Options{Profile: Tiny, Seed: 1, Steps: 80, DType: dtype.BFloat16}
	want := traced(t, dreamzero.ManagedPath, o)
	r := must[*Rollout](t)(New(resolved(dreamzero.ManagedPath), o))
	r.stream.maps = poisoning{r.stream.maps}
	var got []uint64
	if err := r.Run(t.Context(), func(s *Step) error { got = append(got, s.Digests[:]...); return nil }); err != nil {
		t.Fatal(err)
	}
	if steps := differing(got, want.maps, Entries); len(steps) > 0 {
		t.Errorf("with stale bytes in every set the feature map differs at %d steps, first at %d; want none", len(steps), steps[0])
	}
}

// poisoning fills each set with the bits of no number before it is written.
type poisoning struct{ mapSource }

func (p poisoning) next(after FeatureMap) (FeatureMap, error) {
	m, err := p.mapSource.next(after)
	for _, t := range m {
		b := t.Storage().Bytes()
		for i := range b {
			b[i] = 0xff
		}
	}
	return m, err
}

func TestARolloutThatCannotBeIsRefused(t *testing.T) {
	good := Options{Profile: Tiny, Seed: 1, DType: dtype.BFloat16}
	for name, change := range map[string]func(*Options){
		"no profile":      func(o *Options) { o.Profile = Profile{} },
		"negative steps":  func(o *Options) { o.Steps = -1 },
		"endless steps":   func(o *Options) { o.Steps = MaxSteps + 1 },
		"another dtype":   func(o *Options) { o.DType = dtype.Float64 },
		"an odd fault":    func(o *Options) { o.Fault = "sometimes" },
		"minus a worker":  func(o *Options) { o.Workers = -1 },
		"no base channel": func(o *Options) { o.Profile.Base = 0 },
	} {
		o := good
		change(&o)
		if _, err := New(resolved(dreamzero.BespokePath), o); err == nil {
			t.Errorf("New() with %s = no error, want one", name)
		}
	}
	if _, err := New(config.Resolution{}, good); err != nil {
		t.Errorf("New() on the bespoke path without a cap = %v, want no error", err)
	}
}

func TestARolloutEndsWithItsContextOrItsCaller(t *testing.T) {
	r := must[*Rollout](t)(New(resolved(dreamzero.BespokePath), Options{Profile: Tiny, Seed: 1, DType: dtype.BFloat16}))
	ctx, stop := context.WithCancel(t.Context())
	n := 0
	err := r.Run(ctx, func(*Step) error {
		if n++; n == 3 {
			stop()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || n != 3 {
		t.Errorf("Run() stopped at step 3 = %v after %d steps, want it cancelled after 3", err, n)
	}
	full := errors.New("disk full")
	if err := r.Run(t.Context(), func(*Step) error { return full }); !errors.Is(err, full) {
		t.Errorf("Run() whose caller fails = %v, want %v", err, full)
	}
}

func BenchmarkRollout(b *testing.B) {
	for _, path := range []string{dreamzero.BespokePath, dreamzero.ManagedPath} {
		b.Run("profile=small/path="+path, func(b *testing.B) {
			for b.Loop() {
				traced(b, path, Options{Profile: Small, Seed: 1, DType: dtype.BFloat16})
			}
		})
	}
}

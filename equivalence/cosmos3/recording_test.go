package cosmos3_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/statespec/statespec/equivalence/cosmos3"
	"github.com/statespec/statespec/fixtures/upstream"
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/tensor"
)

// A replay is one recorded run on one of our paths.
type replay struct {
	at      string // where it is, for failures
	store   cosmos3.Store
	manager *manager.Manager // nil on the bespoke path
	held    map[string]cosmos3.State
	tally   *tally
}

// A tally counts what was compared, and how.
type tally struct{ adapters, digests, refusals, others int }

func newReplay(t *testing.T, path string, number int, run *upstream.ConditioningRun, count *tally) *replay {
	t.Helper()
	r := &replay{at: fmt.Sprintf("%s, run %d", path, number), held: map[string]cosmos3.State{}, tally: count}
	if path == cosmos3.BespokePath {
		r.store = must[*cosmos3.BespokeStore](t)(cosmos3.NewBespokeStore(cosmos3.Options{Cap: run.MaxSessions}))
		return r
	}
	r.manager = must[*manager.Manager](t)(manager.New(manager.Options{MaxSessions: run.MaxSessions}))
	r.store = must[*cosmos3.ManagedStore](t)(cosmos3.NewManagedStore(r.manager, cosmos3.Options{}))
	return r
}

func (r *replay) play(t *testing.T, run *upstream.ConditioningRun) {
	t.Helper()
	start := r.at
	for j := range run.Calls {
		c := &run.Calls[j]
		r.at = fmt.Sprintf("%s, call %d on %s", start, j, c.ID)
		if c.Do == "adapter" {
			r.adapter(t, c)
		} else {
			r.call(t, c)
		}
	}
}

func (r *replay) adapter(t *testing.T, c *upstream.ConditioningCall) {
	t.Helper()
	r.held[c.ID] = must[cosmos3.State](t)(r.store.Open(c.ID))
	if got := r.store.Retained(); !slices.Equal(got, c.Retained) {
		t.Fatalf("%s: retained, oldest first = %q, want %q", r.at, got, c.Retained)
	}
	r.tally.adapters++
}

func (r *replay) call(t *testing.T, c *upstream.ConditioningCall) {
	t.Helper()
	got, err := answer(t, r.held[c.ID], c)
	want := *c.Outcome
	switch {
	case want.Refused():
		kind, known := refusalKinds[[2]string{c.Do, want.Error}]
		if !known || !errors.Is(err, kind) {
			t.Fatalf("%s: %s = %s, error %v, want a refusal: %v", r.at, c.Do, got, err, kind)
		}
		r.tally.refusals++
	case err != nil:
		t.Fatalf("%s: %s = error %v, want %s", r.at, c.Do, err, recorded(want.OK))
	case got != recorded(want.OK):
		t.Fatalf("%s: %s = %s, want %s", r.at, c.Do, got, recorded(want.OK))
	case want.OK.Loaded != nil && (want.OK.Loaded.Layers != nil || want.OK.Loaded.Frequencies != nil):
		r.tally.digests++
	default:
		r.tally.others++
	}
	if total := r.bytes(t); total != *c.Bytes {
		t.Fatalf("%s: bytes of the retained sessions after %s = %d, want %d", r.at, c.Do, total, *c.Bytes)
	}
}

// refusalKinds are our words for the exceptions of the recording.
var refusalKinds = map[[2]string]error{
	{"capture", "RuntimeError"}: fault.ErrInvalidArgument, // no frequencies
	{"load", "RuntimeError"}:    fault.ErrNotResident,     // a branch of which layers are gone
}

// bytes are what the retained sessions hold: by the manager's statistics, or
// counted state by state.
func (r *replay) bytes(t *testing.T) (total int64) {
	t.Helper()
	if r.manager != nil {
		return r.manager.Stats().TotalBytes
	}
	for _, id := range r.store.Retained() {
		for _, b := range cosmos3.Branches() {
			total += must[int64](t)(r.held[id].Bytes(b))
		}
	}
	return total
}

// answer carries out a recorded call and writes its output as recorded writes
// one of the recording.
func answer(t *testing.T, s cosmos3.State, c *upstream.ConditioningCall) (string, error) {
	t.Helper()
	branch := cosmos3.Positive
	if c.Negative != nil && *c.Negative {
		branch = cosmos3.Negative
	}
	switch c.Do {
	case "capture":
		handed := cosmos3.Conditioning{Layers: layers(t, c.Layers, c.Seed)}
		if *c.Frequencies {
			handed.Frequencies = frequencies(t, c.Seed)
		}
		return "nothing", s.Capture(branch, handed)
	case "set_branch":
		return "nothing", s.SetLayers(branch, layers(t, c.Layers, c.Seed))
	case "load":
		loaded, err := s.Load(branch)
		return told(loaded), err
	case "initialized":
		captured, err := s.Captured(branch)
		return fmt.Sprint(captured), err
	case "evict_layer":
		freed, found, err := s.EvictLayer(branch, *c.Layer)
		if !found {
			return "nothing", err
		}
		return fmt.Sprint(freed, " bytes"), err
	case "reset":
		return "nothing", s.Reset()
	}
	t.Fatalf("the recording has a call %q that this test does not know", c.Do)
	return "", nil
}

func told(c cosmos3.Conditioning) string {
	var kv [][]upstream.Digest
	for _, l := range c.Layers {
		kv = append(kv, []upstream.Digest{digest(l.Keys), digest(l.Values)})
	}
	var freqs []upstream.Digest
	for _, f := range c.Frequencies {
		freqs = append(freqs, digest(f))
	}
	return fmt.Sprintf("layers %v, frequencies %v", kv, freqs)
}

func digest(x *tensor.Tensor) upstream.Digest {
	return upstream.Digest{SHA256: sum(x), Shape: x.Shape(), DType: x.DType().String()}
}

func recorded(c upstream.Conditioning) string {
	switch {
	case c.Loaded != nil:
		return fmt.Sprintf("layers %v, frequencies %v", c.Loaded.Layers, c.Loaded.Frequencies)
	case c.Flag != nil:
		return fmt.Sprint(*c.Flag)
	case c.Freed != nil:
		return fmt.Sprint(*c.Freed, " bytes")
	}
	return "nothing"
}

// No call differs from the recording, so there is no table of those that may.
// The log says how much was compared.
func TestEveryRecordedCallHasTheRecordedAnswerOnBothPaths(t *testing.T) {
	runs := must[[]upstream.ConditioningRun](t)(upstream.Cosmos3())
	for _, path := range []string{cosmos3.BespokePath, cosmos3.ManagedPath} {
		count := &tally{}
		for i := range runs {
			newReplay(t, path, i, &runs[i], count).play(t, &runs[i])
		}
		if total := count.adapters + count.digests + count.refusals + count.others; total != 720 {
			t.Errorf("%s: replayed %d calls, want the 720 of the recording", path, total)
		}
		t.Logf("%s: %d adapters by the retained order; %d loads by digests, %d calls by refusal, %d by flag, bytes freed or nothing; bytes held after each",
			path, count.adapters, count.digests, count.refusals, count.others)
	}
}

package cosmos3_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/statespec/statespec/equivalence/cosmos3"
	"github.com/statespec/statespec/reference/fault"
)

// Generated calls on more sessions than either path retains, by holders that
// outlive evictions. Both paths must retain the same and answer the same.
func TestGeneratedCallsAnswerAlikeOnBothPaths(t *testing.T) {
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 13))
		paths := stores(t, 1+int(seed%4))
		bespoke, managed := paths[cosmos3.BespokePath], paths[cosmos3.ManagedPath]
		held := map[string][2]cosmos3.State{}
		for step := range 400 {
			at := fmt.Sprintf("seed %d step %d", seed, step)
			id := fmt.Sprint(random.IntN(6))
			if held[id][0] == nil || random.IntN(4) == 0 {
				held[id] = [2]cosmos3.State{open(t, bespoke, id), open(t, managed, id)}
			}
			if random.IntN(60) == 0 {
				do(t, bespoke.End(id))
				do(t, managed.End(id))
			}
			if got, want := managed.Retained(), bespoke.Retained(); !slices.Equal(got, want) {
				t.Fatalf("%s: managed retains %q, want %q as bespoke", at, got, want)
			}
			c := someCall(random)
			want, got := c.on(t, held[id][0], uint64(step)), c.on(t, held[id][1], uint64(step))
			if got != want {
				t.Fatalf("%s: %+v = %s managed, want %s as bespoke", at, c, got, want)
			}
			if got, want := looks(t, held[id][1]), looks(t, held[id][0]); got != want {
				t.Fatalf("%s: after %+v the managed state is %s, want %s as bespoke", at, c, got, want)
			}
		}
	}
}

// A call is one of a state's, with what it needs.
type call struct {
	do     string
	branch cosmos3.Branch
	depth  int // of capture and set; the layer of evict
	odd    int // which of the odd inputs, none when it is past them
}

func someCall(random *rand.Rand) call {
	weighted := []string{"capture", "capture", "capture", "set", "load", "load", "evict", "evict", "reset"}
	return call{
		do:     weighted[random.IntN(len(weighted))],
		branch: cosmos3.Branches()[random.IntN(2)],
		depth:  random.IntN(5),
		odd:    random.IntN(4 * (len(oddLayers) + len(oddFrequencies))),
	}
}

// on makes the call, and says what it answered.
func (c call) on(t *testing.T, s cosmos3.State, seed uint64) string {
	t.Helper()
	switch c.do {
	case "capture":
		return answered("", s.Capture(c.branch, c.handed(t, seed)))
	case "set":
		return answered("", s.SetLayers(c.branch, c.handed(t, seed).Layers))
	case "load":
		loaded, err := s.Load(c.branch)
		return answered(bits(loaded), err)
	case "evict":
		freed, found, err := s.EvictLayer(c.branch, c.depth)
		return answered(fmt.Sprint(freed, found), err)
	}
	return answered("", s.Reset())
}

// handed is what the call hands in, odd now and then.
func (c call) handed(t *testing.T, seed uint64) cosmos3.Conditioning {
	t.Helper()
	made := conditioning(t, max(3, c.depth), seed)
	switch odd := c.odd - len(oddLayers); {
	case odd < 0:
		made.Layers = oddLayers[c.odd].change(t, made.Layers)
	case odd < len(oddFrequencies):
		made.Frequencies = oddFrequencies[odd].make(t)
	default:
		made.Layers = made.Layers[:max(1, c.depth)]
	}
	return made
}

// answered writes an answer, or the kinds and the sentence of a refusal.
func answered(out string, err error) string {
	if refusal, ok := errors.AsType[*fault.Error](err); ok {
		return fmt.Sprintf("refused %v: %v", refusal.Kinds, err)
	}
	if err != nil {
		return "error " + err.Error()
	}
	return out
}

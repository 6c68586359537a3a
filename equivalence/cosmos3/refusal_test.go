package cosmos3_test

import (
	"fmt"
	"testing"

	"github.com/statespec/statespec/equivalence/cosmos3"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/tensor"
)

// oddLayers are layers that no branch takes.
var oddLayers = []struct {
	name   string
	kind   error
	change func(t *testing.T, good []cosmos3.Layer) []cosmos3.Layer
}{
	{"no layer", fault.ErrInvalidArgument, func(*testing.T, []cosmos3.Layer) []cosmos3.Layer { return nil }},
	{"a last layer without keys", fault.ErrInvalidArgument, func(_ *testing.T, ls []cosmos3.Layer) []cosmos3.Layer {
		ls[2].Keys = nil
		return ls
	}},
	{"a last layer without values", fault.ErrInvalidArgument, func(_ *testing.T, ls []cosmos3.Layer) []cosmos3.Layer {
		ls[2].Values = nil
		return ls
	}},
	{"keys of another shape than values", fault.ErrShapeMismatch, func(t *testing.T, ls []cosmos3.Layer) []cosmos3.Layer {
		ls[2].Keys = filled(t, dtype.Float32, 1, 1, 4, 3)
		return ls
	}},
	{"keys of another dtype than values", fault.ErrTypeMismatch, func(t *testing.T, ls []cosmos3.Layer) []cosmos3.Layer {
		ls[2].Keys = filled(t, dtype.BFloat16, 1, 1, 3, 4)
		return ls
	}},
	{"values on a device", fault.ErrNotAddressable, func(t *testing.T, ls []cosmos3.Layer) []cosmos3.Layer {
		ls[2].Values = foreign(t)
		return ls
	}},
}

// oddFrequencies are frequencies that no capture takes.
var oddFrequencies = []struct {
	name string
	kind error
	make func(t *testing.T) []*tensor.Tensor
}{
	{"no frequencies", fault.ErrInvalidArgument, func(*testing.T) []*tensor.Tensor { return nil }},
	{"nil among the frequencies", fault.ErrInvalidArgument, func(t *testing.T) []*tensor.Tensor { return append(frequencies(t, 1), nil) }},
	{"frequencies on a device", fault.ErrNotAddressable, func(t *testing.T) []*tensor.Tensor { return []*tensor.Tensor{foreign(t)} }},
}

func foreign(t *testing.T) *tensor.Tensor {
	t.Helper()
	return must[*tensor.Tensor](t)(tensor.Of(tensor.NewForeignStorage("cuda:0", 4096, 1<<20), dtype.Float32, []int{1, 3, 4}, []int{12, 4, 1}, 0))
}

// situations are what the positive branch can be when a call is refused.
var situations = map[string]func(t *testing.T, s cosmos3.State){
	"empty": func(*testing.T, cosmos3.State) {},
	"captured": func(t *testing.T, s cosmos3.State) {
		do(t, s.Capture(cosmos3.Positive, conditioning(t, 4, 100)))
	},
	"set without frequencies": func(t *testing.T, s cosmos3.State) {
		do(t, s.SetLayers(cosmos3.Positive, layers(t, 2, 100)))
	},
	"without its first layer": func(t *testing.T, s cosmos3.State) {
		do(t, s.Capture(cosmos3.Positive, conditioning(t, 4, 100)))
		evict(t, s, cosmos3.Positive, 0)
	},
	"without its last layer": func(t *testing.T, s cosmos3.State) {
		do(t, s.Capture(cosmos3.Positive, conditioning(t, 4, 100)))
		evict(t, s, cosmos3.Positive, 3)
	},
}

// evict evicts a layer that is there.
func evict(t *testing.T, s cosmos3.State, b cosmos3.Branch, layer int) {
	t.Helper()
	if freed, found, err := s.EvictLayer(b, layer); freed == 0 || !found || err != nil {
		t.Fatalf("EvictLayer(%s, %d) = %d, %v, error %v, want a layer's bytes", b, layer, freed, found, err)
	}
}

// looks is all that can be seen of a state.
func looks(t *testing.T, s cosmos3.State) (out string) {
	t.Helper()
	for _, b := range cosmos3.Branches() {
		loaded, err := s.Load(b)
		out += fmt.Sprintf("%s: captured %v, %d bytes, %s, error %v\n", b, captured(t, s, b), must[int64](t)(s.Bytes(b)), bits(loaded), err)
	}
	return out
}

// refuseAll makes every call that is refused, captures only where the branch
// takes one.
func refuseAll(t *testing.T, s cosmos3.State, situation string) {
	t.Helper()
	takesCapture := !captured(t, s, cosmos3.Positive)
	for _, o := range oddLayers {
		odd := o.change(t, layers(t, 3, 900))
		wantRefusal(t, "SetLayers("+o.name+"), the branch "+situation, s.SetLayers(cosmos3.Positive, odd), o.kind)
		if takesCapture {
			c := cosmos3.Conditioning{Layers: odd, Frequencies: frequencies(t, 900)}
			wantRefusal(t, "Capture("+o.name+"), the branch "+situation, s.Capture(cosmos3.Positive, c), o.kind)
		}
	}
	for _, o := range oddFrequencies {
		if takesCapture {
			c := cosmos3.Conditioning{Layers: layers(t, 3, 900), Frequencies: o.make(t)}
			wantRefusal(t, "Capture("+o.name+"), the branch "+situation, s.Capture(cosmos3.Positive, c), o.kind)
		}
	}
}

func TestRefusedCallsChangeNothing(t *testing.T) {
	for situation, become := range situations {
		onBothPaths(t, func(t *testing.T, s cosmos3.State) {
			become(t, s)
			do(t, s.Capture(cosmos3.Negative, conditioning(t, 2, 300)))
			before := looks(t, s)
			refuseAll(t, s, situation)
			if after := looks(t, s); after != before {
				t.Errorf("the branch %s, after refusals = %s, want %s", situation, after, before)
			}
		})
	}
}

func TestABranchThatGuidanceDoesNotHaveIsRefusedByEveryCall(t *testing.T) {
	onBothPaths(t, func(t *testing.T, s cosmos3.State) {
		const b = cosmos3.Branch("neutral")
		_, err := s.Captured(b)
		wantRefusal(t, "Captured", err, fault.ErrInvalidArgument)
		wantRefusal(t, "Capture", s.Capture(b, conditioning(t, 1, 1)), fault.ErrInvalidArgument)
		wantRefusal(t, "SetLayers", s.SetLayers(b, layers(t, 1, 1)), fault.ErrInvalidArgument)
		_, err = s.Load(b)
		wantRefusal(t, "Load", err, fault.ErrInvalidArgument)
		_, _, err = s.EvictLayer(b, 0)
		wantRefusal(t, "EvictLayer", err, fault.ErrInvalidArgument)
		_, err = s.Bytes(b)
		wantRefusal(t, "Bytes", err, fault.ErrInvalidArgument)
	})
}

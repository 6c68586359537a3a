package cosmos3_test

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/statespec/statespec/equivalence/cosmos3"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/tensor"
)

func load(t testing.TB, s cosmos3.State, b cosmos3.Branch) cosmos3.Conditioning {
	t.Helper()
	return must[cosmos3.Conditioning](t)(s.Load(b))
}

func captured(t testing.TB, s cosmos3.State, b cosmos3.Branch) bool {
	t.Helper()
	return must[bool](t)(s.Captured(b))
}

func TestABranchThatWasNotCapturedLoadsAsNothing(t *testing.T) {
	onBothPaths(t, func(t *testing.T, s cosmos3.State) {
		for _, b := range cosmos3.Branches() {
			if captured(t, s, b) {
				t.Errorf("Captured(%s) of a new state = true, want false", b)
			}
			wantBits(t, "Load of a new state", load(t, s, b), cosmos3.Conditioning{})
		}
	})
}

func TestACapturedBranchIsReadBackBitForBit(t *testing.T) {
	var odd []byte // payloads, signed zeros, subnormals, infinities
	for _, bits := range []uint32{0x7fc12345, 0xff801234, 0x80000000, 0x00000001, 0x80400000, 0x7f800000} {
		odd = binary.LittleEndian.AppendUint32(odd, bits)
	}
	onBothPaths(t, func(t *testing.T, s cosmos3.State) {
		x := must[*tensor.Tensor](t)(tensor.FromBytes(dtype.Float32, odd, 2, 3))
		turned := must[*tensor.Tensor](t)(x.Transpose(0, 1))
		wide := filled(t, dtype.BFloat16, 9, 1, 8, 2, 4)
		want := cosmos3.Conditioning{
			Layers:      []cosmos3.Layer{{Keys: x, Values: x}, {Keys: turned, Values: must[*tensor.Tensor](t)(x.Reshape(3, 2))}, {Keys: wide, Values: wide}},
			Frequencies: []*tensor.Tensor{turned},
		}
		do(t, s.Capture(cosmos3.Negative, want))
		wantBits(t, "Load", load(t, s, cosmos3.Negative), want)
	})
}

func TestASecondCaptureChangesNothingWhateverItBrings(t *testing.T) {
	onBothPaths(t, func(t *testing.T, s cosmos3.State) {
		want := conditioning(t, 3, 100)
		do(t, s.Capture(cosmos3.Positive, want))
		for name, second := range map[string]cosmos3.Conditioning{
			"the same": want, "another": conditioning(t, 3, 900), "a shorter one": conditioning(t, 1, 900),
			"a deeper one": conditioning(t, 5, 900), "one without frequencies": {Layers: layers(t, 3, 900)}, "nothing": {},
		} {
			do(t, s.Capture(cosmos3.Positive, second))
			wantBits(t, "Load after capturing "+name, load(t, s, cosmos3.Positive), want)
		}
	})
}

func TestACaptureOfABranchWhoseLayersWereSetChangesNothing(t *testing.T) {
	onBothPaths(t, func(t *testing.T, s cosmos3.State) {
		set := layers(t, 2, 100)
		do(t, s.SetLayers(cosmos3.Positive, set))
		do(t, s.Capture(cosmos3.Positive, conditioning(t, 3, 900)))
		wantBits(t, "Load", load(t, s, cosmos3.Positive), cosmos3.Conditioning{Layers: set})
	})
}

func TestBranchesOfDifferentDepthDoNotSeeEachOther(t *testing.T) {
	onBothPaths(t, func(t *testing.T, s cosmos3.State) {
		positive, negative := conditioning(t, 4, 100), conditioning(t, 2, 500)
		do(t, s.Capture(cosmos3.Positive, positive))
		wantBits(t, "Load of the other branch", load(t, s, cosmos3.Negative), cosmos3.Conditioning{})
		do(t, s.Capture(cosmos3.Negative, negative))
		wantBits(t, "Load(positive)", load(t, s, cosmos3.Positive), positive)
		wantBits(t, "Load(negative)", load(t, s, cosmos3.Negative), negative)

		do(t, s.SetLayers(cosmos3.Negative, layers(t, 6, 700)))
		wantBits(t, "Load(positive) after setting the other", load(t, s, cosmos3.Positive), positive)
		evict(t, s, cosmos3.Negative, 0)
		wantBits(t, "Load(positive) after evicting of the other", load(t, s, cosmos3.Positive), positive)
	})
}

// Whichever layer goes, the branch is an error or not captured, and never one
// of fewer layers.
func TestAPartialBranchIsAnErrorOrNotCaptured(t *testing.T) {
	onBothPaths(t, func(t *testing.T, s cosmos3.State) {
		whole := conditioning(t, 3, 100)
		for gone := range 3 {
			do(t, s.Reset())
			do(t, s.Capture(cosmos3.Positive, whole))
			if freed, found, err := s.EvictLayer(cosmos3.Positive, gone); freed != 96 || !found || err != nil {
				t.Fatalf("EvictLayer(%d) = %d, %v, error %v, want 96 bytes", gone, freed, found, err)
			}
			if got := captured(t, s, cosmos3.Positive); got != (gone > 0) {
				t.Errorf("Captured() without layer %d = %v, want %v", gone, got, gone > 0)
			}
			got, err := s.Load(cosmos3.Positive)
			if gone > 0 {
				wantRefusal(t, fmt.Sprintf("Load() without layer %d", gone), err, fault.ErrNotResident)
				got = cosmos3.Conditioning{Frequencies: whole.Frequencies}
			}
			wantBits(t, fmt.Sprintf("Load() without layer %d", gone), got, cosmos3.Conditioning{Frequencies: whole.Frequencies})
			if freed, found, err := s.EvictLayer(cosmos3.Positive, gone); freed != 0 || !found || err != nil {
				t.Errorf("EvictLayer(%d) again = %d, %v, error %v, want 0 bytes", gone, freed, found, err)
			}
		}
	})
}

func TestABranchWithoutItsFirstLayerIsCapturedAgain(t *testing.T) {
	onBothPaths(t, func(t *testing.T, s cosmos3.State) {
		do(t, s.Capture(cosmos3.Positive, conditioning(t, 4, 100)))
		evict(t, s, cosmos3.Positive, 0)
		again := conditioning(t, 2, 500)
		do(t, s.Capture(cosmos3.Positive, again))
		wantBits(t, "Load", load(t, s, cosmos3.Positive), again)
	})
}

func TestSettingLayersReplacesAllThatWereThereAndKeepsTheFrequencies(t *testing.T) {
	onBothPaths(t, func(t *testing.T, s cosmos3.State) {
		first := conditioning(t, 4, 100)
		do(t, s.Capture(cosmos3.Positive, first))
		set := layers(t, 2, 500)
		do(t, s.SetLayers(cosmos3.Positive, set))
		wantBits(t, "Load", load(t, s, cosmos3.Positive), cosmos3.Conditioning{Layers: set, Frequencies: first.Frequencies})
		if got := must[int64](t)(s.Bytes(cosmos3.Positive)); got != 2*96+16 {
			t.Errorf("Bytes() = %d, want %d: two layers and the frequencies", got, 2*96+16)
		}
		if freed, found, err := s.EvictLayer(cosmos3.Positive, 3); freed != 0 || !found || err != nil {
			t.Errorf("EvictLayer(3) of what was replaced = %d, %v, error %v, want 0 bytes", freed, found, err)
		}
		wantBits(t, "Load", load(t, s, cosmos3.Positive), cosmos3.Conditioning{Layers: set, Frequencies: first.Frequencies})
	})
}

func TestALayerThatNeverWasIsNotFound(t *testing.T) {
	onBothPaths(t, func(t *testing.T, s cosmos3.State) {
		do(t, s.Capture(cosmos3.Positive, conditioning(t, 2, 100)))
		for _, layer := range []int{-1, 2, 1 << 40} {
			if freed, found, err := s.EvictLayer(cosmos3.Positive, layer); freed != 0 || found || err != nil {
				t.Errorf("EvictLayer(%d) = %d, %v, error %v, want not found", layer, freed, found, err)
			}
		}
		if _, found, _ := s.EvictLayer(cosmos3.Negative, 0); found {
			t.Errorf("EvictLayer(negative, 0) = found, want not found")
		}
	})
}

func TestAResetClearsBothBranchesAndLeavesNoBytes(t *testing.T) {
	onBothPaths(t, func(t *testing.T, s cosmos3.State) {
		for _, b := range cosmos3.Branches() {
			do(t, s.Capture(b, conditioning(t, 3, 100)))
		}
		do(t, s.Reset())
		for _, b := range cosmos3.Branches() {
			if got := must[int64](t)(s.Bytes(b)); got != 0 || captured(t, s, b) {
				t.Errorf("after a reset the %s branch has %d bytes, captured %v, want nothing", b, got, captured(t, s, b))
			}
			wantBits(t, "Load after a reset", load(t, s, b), cosmos3.Conditioning{})
		}
		again := conditioning(t, 1, 700)
		do(t, s.Capture(cosmos3.Positive, again))
		wantBits(t, "Load after a new capture", load(t, s, cosmos3.Positive), again)
	})
}

func TestACallerMayReuseTheBuffersThatItHandedIn(t *testing.T) {
	onBothPaths(t, func(t *testing.T, s cosmos3.State) {
		captured, set := conditioning(t, 2, 100), layers(t, 2, 500)
		do(t, s.Capture(cosmos3.Positive, captured))
		do(t, s.SetLayers(cosmos3.Negative, set))
		before := [2]string{bits(load(t, s, cosmos3.Positive)), bits(load(t, s, cosmos3.Negative))}
		for _, l := range append(captured.Layers, set...) {
			refill(l.Keys)
			refill(l.Values)
		}
		for _, f := range captured.Frequencies {
			refill(f)
		}
		if got := [2]string{bits(load(t, s, cosmos3.Positive)), bits(load(t, s, cosmos3.Negative))}; got != before {
			t.Errorf("both branches after a refill of the caller's tensors = %v, want %v", got, before)
		}
	})
}

func refill(x *tensor.Tensor) {
	for i := range x.Storage().Bytes() {
		x.Storage().Bytes()[i] ^= 0x5a
	}
}

func TestWhatWasLoadedIsTheStatesAndItsListsAreTheCallers(t *testing.T) {
	onBothPaths(t, func(t *testing.T, s cosmos3.State) {
		do(t, s.Capture(cosmos3.Positive, conditioning(t, 2, 100)))
		want := bits(load(t, s, cosmos3.Positive))
		mine := load(t, s, cosmos3.Positive)
		mine.Layers[0], mine.Frequencies[0] = mine.Layers[1], nil
		if got := bits(load(t, s, cosmos3.Positive)); got != want {
			t.Errorf("Load after a change of the lists = %s, want %s", got, want)
		}
		written := load(t, s, cosmos3.Positive)
		for _, x := range []*tensor.Tensor{written.Layers[1].Values, written.Frequencies[1]} {
			do(t, x.CopyFrom(filled(t, x.DType(), 77, x.Shape()...)))
		}
		wantBits(t, "Load after writing to what was loaded", load(t, s, cosmos3.Positive), written)
	})
}

func TestABranchMayBeSetToWhatWasLoadedOfIt(t *testing.T) {
	onBothPaths(t, func(t *testing.T, s cosmos3.State) {
		want := conditioning(t, 3, 100)
		do(t, s.Capture(cosmos3.Positive, want))
		do(t, s.SetLayers(cosmos3.Positive, load(t, s, cosmos3.Positive).Layers))
		wantBits(t, "Load", load(t, s, cosmos3.Positive), want)
	})
}

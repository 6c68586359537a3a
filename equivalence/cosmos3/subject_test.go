package cosmos3_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"testing"

	"github.com/statespec/statespec/equivalence/cosmos3"
	"github.com/statespec/statespec/fixtures/fill"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/tensor"
)

// filled makes a tensor from a seed.
func filled(t testing.TB, dt dtype.DType, seed uint64, shape ...int) *tensor.Tensor {
	t.Helper()
	n := 1
	for _, d := range shape {
		n *= d
	}
	return must[*tensor.Tensor](t)(tensor.FromBytes(dt, fill.Bytes(dt.String(), seed, n), shape...))
}

// layers makes layers from a seed as the recording does.
func layers(t testing.TB, n int, seed uint64) []cosmos3.Layer {
	t.Helper()
	all := make([]cosmos3.Layer, n)
	for i := range all {
		at := seed + 2*uint64(i)
		all[i] = cosmos3.Layer{Keys: filled(t, dtype.Float32, at, 1, 3, 4), Values: filled(t, dtype.Float32, at+1, 1, 3, 4)}
	}
	return all
}

// frequencies makes those of a seed as the recording does.
func frequencies(t testing.TB, seed uint64) []*tensor.Tensor {
	t.Helper()
	return []*tensor.Tensor{filled(t, dtype.Float32, seed+50, 2), filled(t, dtype.Float32, seed+51, 2)}
}

func conditioning(t testing.TB, n int, seed uint64) cosmos3.Conditioning {
	t.Helper()
	return cosmos3.Conditioning{Layers: layers(t, n, seed), Frequencies: frequencies(t, seed)}
}

// bits are conditioning written out: every tensor by dtype, shape and digest.
func bits(c cosmos3.Conditioning) string {
	out := fmt.Sprintf("%d layers", len(c.Layers))
	for _, l := range c.Layers {
		out += ", " + bitsOf(l.Keys) + " " + bitsOf(l.Values)
	}
	out += fmt.Sprintf("; %d frequencies", len(c.Frequencies))
	for _, f := range c.Frequencies {
		out += ", " + bitsOf(f)
	}
	return out
}

func bitsOf(t *tensor.Tensor) string {
	return fmt.Sprintf("%v%v %s", t.DType(), t.Shape(), sum(t))
}

// sum is a tensor's digest, as the recordings have it.
func sum(t *tensor.Tensor) string {
	digest := sha256.Sum256(t.AppendBytes(nil))
	return hex.EncodeToString(digest[:])
}

func managed(t testing.TB) *cosmos3.Managed {
	t.Helper()
	return must[*cosmos3.Managed](t)(cosmos3.NewManaged(manager.NewSession("s")))
}

// onBothPaths runs a test on an empty state of each path.
func onBothPaths(t *testing.T, test func(t *testing.T, s cosmos3.State)) {
	t.Run("bespoke", func(t *testing.T) { test(t, cosmos3.NewBespoke()) })
	t.Run("managed", func(t *testing.T) { test(t, managed(t)) })
}

// must is for what a test takes for granted.
func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func do(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantRefusal(t *testing.T, call string, err, kind error) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Errorf("%s = error %v, want a refusal: %v", call, err, kind)
	}
}

func wantBits(t *testing.T, call string, got, want cosmos3.Conditioning) {
	t.Helper()
	if bits(got) != bits(want) {
		t.Errorf("%s = %s, want %s", call, bits(got), bits(want))
	}
}

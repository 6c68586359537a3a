package dreamzero_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"testing"

	"github.com/statespec/statespec/equivalence/dreamzero"
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
	made, err := tensor.FromBytes(dt, fill.Bytes(dt.String(), seed, n), shape...)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// tokens makes an int64 tensor of one axis.
func tokens(t testing.TB, ids ...int64) *tensor.Tensor {
	t.Helper()
	return int64s(t, ids, len(ids))
}

func int64s(t testing.TB, values []int64, shape ...int) *tensor.Tensor {
	t.Helper()
	var b []byte
	for _, v := range values {
		for i := range 8 {
			b = append(b, byte(v>>(8*i)))
		}
	}
	made, err := tensor.FromBytes(dtype.Int64, b, shape...)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func session(t testing.TB, id string) *manager.Session {
	t.Helper()
	m, err := manager.New(manager.Options{MaxSessions: 4})
	if err != nil {
		t.Fatal(err)
	}
	s, err := m.Session(id)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func managed(t testing.TB, window int) *dreamzero.Managed {
	t.Helper()
	m, err := dreamzero.NewManaged(session(t, "s"), window, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// onBothPaths runs a test on an empty state of each path, the encoder window 2.
func onBothPaths(t *testing.T, test func(t *testing.T, s dreamzero.State)) {
	t.Run("bespoke", func(t *testing.T) { test(t, dreamzero.NewBespoke(nil)) })
	t.Run("managed", func(t *testing.T) { test(t, managed(t, 2)) })
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

func wantSame(t *testing.T, call string, got, want *tensor.Tensor) {
	t.Helper()
	switch {
	case (got == nil) != (want == nil):
		t.Errorf("%s = %v, want %v", call, got, want)
	case got == nil:
	case got.DType() != want.DType() || !got.SameShape(want):
		t.Errorf("%s = %v, want %v", call, got, want)
	case !bytes.Equal(got.AppendBytes(nil), want.AppendBytes(nil)):
		t.Errorf("%s = %v of other bits than wanted", call, got)
	}
}

func digest(t *tensor.Tensor) string {
	sum := sha256.Sum256(t.AppendBytes(nil))
	return hex.EncodeToString(sum[:])
}

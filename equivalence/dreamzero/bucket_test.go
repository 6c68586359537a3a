package dreamzero_test

import (
	"slices"
	"testing"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/tensor"
)

// fillAll gives a state every value that it can hold.
func fillAll(t *testing.T, s dreamzero.State) {
	t.Helper()
	must[*tensor.Tensor](t)(s.AccumulateFrames(filled(t, dtype.UInt8, 1, 6, 8, 3)))
	do(t, s.AppendVideoLatents(filled(t, dtype.BFloat16, 2, 1, 2, 3, 4, 5)))
	do(t, s.SeedEncoder(filled(t, dtype.BFloat16, 3, 1, 4, 1, 5, 7)))
	for i, name := range dreamzero.Carried()[:6] {
		do(t, s.Set(name, []any{filled(t, dtype.UInt8, uint64(i), 10+i), nil}))
	}
	do(t, s.Set(dreamzero.CurrentStartFrame, 7))
}

func TestEachManagedValueSitsInTheBucketOfTheTable(t *testing.T) {
	s := managed(t, 2)
	fillAll(t, s)
	if got, want := s.Session().Names(), slices.Sorted(slices.Values(dreamzero.Buffers())); !slices.Equal(got, want) {
		t.Errorf("objects of the session = %q, want %q", got, want)
	}
	if got, want := s.Session().AttrNames(), slices.Sorted(slices.Values(dreamzero.Carried())); !slices.Equal(got, want) {
		t.Errorf("attributes of the session = %q, want %q", got, want)
	}
	total := int64(0)
	for _, name := range slices.Concat(dreamzero.Buffers(), dreamzero.Carried()) {
		total += must[int64](t)(s.Bytes(name))
	}
	if got := s.Session().Bytes().Total; got != total {
		t.Errorf("bytes of the session = %d, want %d, the sum of its documented values", got, total)
	}
}

func TestEvictingEveryObjectLeavesTheAttributes(t *testing.T) {
	s := managed(t, 2)
	fillAll(t, s)
	for _, name := range s.Session().Names() {
		obj, err := s.Session().Object(name)
		do(t, err)
		must[int64](t)(obj.Evict())
	}
	for _, name := range dreamzero.Buffers() {
		if got := must[int64](t)(s.Bytes(name)); got != 0 {
			t.Errorf("Bytes(%s) after evicting = %d, want 0", name, got)
		}
	}
	for i, name := range dreamzero.Carried()[:6] {
		if got := must[int64](t)(s.Bytes(name)); got != int64(10+i) {
			t.Errorf("Bytes(%s) after evicting the objects = %d, want %d", name, got, 10+i)
		}
	}
	if got := must[any](t)(s.Get(dreamzero.CurrentStartFrame)); got != 7 {
		t.Errorf("Get(%s) = %v, want 7", dreamzero.CurrentStartFrame, got)
	}

	// What was lost is missing, not invented; the adapter goes on from there.
	_, err := s.ObserveLatents(1)
	wantRefusal(t, "ObserveLatents(1) after evicting", err, fault.ErrNotReady)
	if got := must[*tensor.Tensor](t)(s.ConcatenatedVideoLatents()); got != nil {
		t.Errorf("ConcatenatedVideoLatents() after evicting = %v, want nil", got)
	}
	frame := filled(t, dtype.UInt8, 9, 1, 6, 8, 3)
	want := must[*tensor.Tensor](t)(tensor.Cat(0, frame, frame, frame, frame))
	wantSame(t, "AccumulateFrames() after evicting", must[*tensor.Tensor](t)(s.AccumulateFrames(frame)), want)
}

func TestASecondAdapterSeesWhatTheFirstWrote(t *testing.T) {
	first := managed(t, 2)
	second := must[*dreamzero.Managed](t)(dreamzero.NewManaged(first.Session(), 2, nil))
	fillAll(t, first)
	for _, name := range slices.Concat(dreamzero.Buffers(), dreamzero.Carried()) {
		if got, want := must[int64](t)(second.Bytes(name)), must[int64](t)(first.Bytes(name)); got != want {
			t.Errorf("Bytes(%s) of the second adapter = %d, want %d", name, got, want)
		}
	}
	wantSame(t, "ObserveLatents(1)", must[*tensor.Tensor](t)(second.ObserveLatents(1)), must[*tensor.Tensor](t)(first.ObserveLatents(1)))
}

func TestAnAttributeOfAnotherTypeIsAnErrorNotADefault(t *testing.T) {
	s := managed(t, 2)
	s.Session().SetAttr(dreamzero.CallCount, "three")
	_, err := s.AccumulateFrames(filled(t, dtype.UInt8, 1, 6, 8, 3))
	wantRefusal(t, "AccumulateFrames() over a text as call count", err, fault.ErrTypeMismatch)
	_, err = s.Get(dreamzero.CallCount)
	wantRefusal(t, "Get(call_count) of a text", err, fault.ErrTypeMismatch)
}

package object_test

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/statespec/statespec/reference/account"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/tensor"
)

var (
	_ object.StateObject = (*object.LatentBuffer)(nil)
	_ object.StateObject = (*object.EncodeOnce)(nil)
	_ account.Steady     = (*object.LatentBuffer)(nil)
	_ account.Steady     = (*object.EncodeOnce)(nil)
)

// payload is bytes in the shape (1, C, T, W): frames along axis 2, in each
// every byte is the frame's number plus the channel's times 100.
func payload(t testing.TB, channels, width int, frames ...byte) *tensor.Tensor {
	t.Helper()
	var b []byte
	for c := range channels {
		for _, f := range frames {
			for range width {
				b = append(b, f+byte(100*c))
			}
		}
	}
	v, err := tensor.FromBytes(dtype.UInt8, b, 1, channels, len(frames), width)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func buffer(t testing.TB, bound object.Bound, opts ...object.Option) *object.LatentBuffer {
	t.Helper()
	b := object.NewLatentBuffer("buf", opts...)
	if err := b.Allocate(bound); err != nil {
		t.Fatal(err)
	}
	return b
}

func commit(t testing.TB, o object.StateObject, payloads ...*tensor.Tensor) {
	t.Helper()
	if err := o.Commit(payloads...); err != nil {
		t.Fatal(err)
	}
}

// frames returns the frame numbers of what an object shows: those of channel 0.
func frames(t testing.TB, o object.StateObject, opts object.ViewOptions) (got []byte) {
	t.Helper()
	vs, err := o.View(opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range vs {
		for i := range v.Dim(2) {
			at, err := v.Select(2, i)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, at.AppendBytes(nil)[0])
		}
	}
	return got
}

func wantFrames(t testing.TB, o object.StateObject, want ...byte) {
	t.Helper()
	if got := frames(t, o, object.ViewOptions{}); !slices.Equal(got, want) {
		t.Errorf("View() shows frames %v, want %v", got, want)
	}
}

func bytesOf(o object.StateObject) int64 { return o.BytesByDevice()[tensor.CPU] }

func kinds() map[string]func(...object.Option) object.StateObject {
	return map[string]func(...object.Option) object.StateObject{
		"latent buffer": func(o ...object.Option) object.StateObject { return object.NewLatentBuffer("o", o...) },
		"encode once":   func(o ...object.Option) object.StateObject { return object.NewEncodeOnce("o", o...) },
	}
}

func TestEveryKindAnswersTheWholeLifecycle(t *testing.T) {
	for kind, made := range kinds() {
		o := made()
		if o.Resident() || o.Len() != 0 || len(o.BytesByDevice()) != 0 {
			t.Errorf("%s: a new object is resident or holds something", kind)
		}
		if n, err := o.Evict(); n != 0 || err != nil {
			t.Errorf("%s: Evict() unallocated = %d, %v, want 0", kind, n, err)
		}
		if err := errors.Join(o.Reset(), o.Discard()); err != nil {
			t.Errorf("%s: Reset, Discard unallocated = %v", kind, err)
		}
		if _, err := o.View(object.ViewOptions{}); !errors.Is(err, fault.ErrNotAllocated) {
			t.Errorf("%s: View() unallocated = %v, want ErrNotAllocated", kind, err)
		}
		if err := o.Allocate(object.Bound{}); err != nil {
			t.Fatal(err)
		}
		commit(t, o, payload(t, 1, 4, 1))
		commit(t, o, payload(t, 1, 4, 2, 3))
		if got := frames(t, o, object.ViewOptions{}); !slices.Equal(got[len(got)-2:], []byte{2, 3}) {
			t.Errorf("%s: View() ends in %v, want 2 3", kind, got)
		}
		held := bytesOf(o)
		if n, err := o.Evict(); n != held || held == 0 || err != nil || o.Resident() || bytesOf(o) != 0 {
			t.Errorf("%s: Evict() = %d, %v, then resident %v and %d bytes, want %d, false, 0", kind, n, err, o.Resident(), bytesOf(o), held)
		}
		if _, err := o.View(object.ViewOptions{}); !errors.Is(err, fault.ErrNotResident) || !errors.Is(err, fault.ErrNotAllocated) {
			t.Errorf("%s: View() evicted = %v, want ErrNotResident and ErrNotAllocated", kind, err)
		}
	}
}

func TestABoundThatMeansNothingIsRefusedAndChangesNothing(t *testing.T) {
	for kind, made := range kinds() {
		o := made()
		if err := o.Allocate(object.Bound{Unit: object.Payloads, N: 2}); err != nil {
			t.Fatal(err)
		}
		commit(t, o, payload(t, 1, 4, 7))
		for _, b := range []object.Bound{{Unit: object.Payloads, N: -1}, {N: 3}, {N: -3}, {Unit: object.Frames, N: 1, Axis: -1}, {Unit: 9}} {
			if err := o.Allocate(b); !errors.Is(err, fault.ErrInvalidArgument) {
				t.Errorf("%s: Allocate(%v) = %v, want ErrInvalidArgument", kind, b, err)
			}
		}
		wantFrames(t, o, 7)
	}
}

func TestAllocatingAgainStartsOverEmptyAndKeepsWhatIsStaged(t *testing.T) {
	for kind, made := range kinds() {
		o := made()
		if err := o.Allocate(object.Bound{}); err != nil {
			t.Fatal(err)
		}
		commit(t, o, payload(t, 1, 4, 1))
		if err := o.Stage(payload(t, 1, 8, 2)); err != nil {
			t.Fatal(err)
		}
		if err := o.Allocate(object.Bound{Unit: object.Payloads, N: 1}); err != nil {
			t.Fatal(err)
		}
		if o.Len() != 0 || bytesOf(o) != 8 {
			t.Errorf("%s: allocated again: Len %d, %d bytes, want 0 and the 8 staged", kind, o.Len(), bytesOf(o))
		}
		commit(t, o)
		wantFrames(t, o, 2)
	}
}

func TestStagingIsApartUntilItIsPromoted(t *testing.T) {
	for kind, made := range kinds() {
		o := made()
		if err := o.Allocate(object.Bound{}); err != nil {
			t.Fatal(err)
		}
		commit(t, o, payload(t, 1, 4, 1))
		stage := func(f byte) {
			if err := o.Stage(payload(t, 1, 6, f)); err != nil {
				t.Fatal(err)
			}
		}
		stage(2)
		wantFrames(t, o, 1)
		if got := frames(t, o, object.ViewOptions{Staged: true}); got[len(got)-1] != 2 || bytesOf(o) != 10 {
			t.Errorf("%s: View(Staged) = %v with %d bytes, want 2 at the end, 10 bytes", kind, got, bytesOf(o))
		}
		if err := o.Discard(); err != nil {
			t.Fatal(err)
		}
		commit(t, o)
		wantFrames(t, o, 1)
		stage(3)
		if n, err := o.Evict(); n != 4 || err != nil || bytesOf(o) != 6 {
			t.Errorf("%s: Evict() = %d, %v, leaving %d bytes, want 4 freed and the 6 staged left", kind, n, err, bytesOf(o))
		}
		if err := errors.Join(o.Allocate(object.Bound{}), o.Commit()); err != nil {
			t.Fatal(err)
		}
		wantFrames(t, o, 3)
		stage(4)
		if err := o.Reset(); err != nil || bytesOf(o) != 0 || o.Resident() {
			t.Errorf("%s: Reset() = %v, leaving %d bytes, resident %v, want nothing", kind, err, bytesOf(o), o.Resident())
		}
	}
}

func TestPayloadsAreCopiedUnlessReferencesAreKept(t *testing.T) {
	for kind, made := range kinds() {
		for _, c := range []struct {
			opts  []object.Option
			shows byte
			bytes int64
		}{{nil, 5, 4}, {[]object.Option{object.KeepReferences()}, 9, 40}} {
			o := made(c.opts...)
			if err := o.Allocate(object.Bound{}); err != nil {
				t.Fatal(err)
			}
			clip := payload(t, 1, 4, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
			slice, err := clip.Narrow(2, 5, 1)
			if err != nil {
				t.Fatal(err)
			}
			commit(t, o, slice)
			for i := range clip.Storage().Bytes() {
				clip.Storage().Bytes()[i] = 9
			}
			wantFrames(t, o, c.shows)
			if got := bytesOf(o); got != c.bytes {
				t.Errorf("%s, %d options: a slice of 4 of 40 bytes counts %d, want %d", kind, len(c.opts), got, c.bytes)
			}
		}
	}
}

func TestRecomputableIsWhileTheSourceIsResident(t *testing.T) {
	for kind, made := range kinds() {
		source := buffer(t, object.Bound{})
		o := made(object.WithSource(source))
		if !o.Recomputable() || made().Recomputable() {
			t.Errorf("%s: Recomputable() = %v with a resident source, %v without one, want true, false", kind, o.Recomputable(), made().Recomputable())
		}
		if _, err := source.Evict(); err != nil || o.Recomputable() {
			t.Errorf("%s: Recomputable() = true after its source was evicted", kind)
		}
	}
}

func TestNilAndUnreachablePayloadsAreRefused(t *testing.T) {
	far, err := tensor.Of(tensor.NewForeignStorage("cuda:0", 1<<40, 64), dtype.UInt8, []int{1, 1, 1, 4}, []int{4, 4, 4, 1}, 0)
	if err != nil {
		t.Fatal(err)
	}
	for kind, made := range kinds() {
		o := made()
		if err := o.Allocate(object.Bound{}); err != nil {
			t.Fatal(err)
		}
		if err := o.Commit(payload(t, 1, 4, 1), nil); !errors.Is(err, fault.ErrInvalidArgument) || o.Len() != 0 {
			t.Errorf("%s: Commit(payload, nil) = %v, keeping %d, want ErrInvalidArgument and none", kind, err, o.Len())
		}
		if err := o.Stage(nil); !errors.Is(err, fault.ErrInvalidArgument) {
			t.Errorf("%s: Stage(nil) = %v, want ErrInvalidArgument", kind, err)
		}
		if err := o.Commit(far); !errors.Is(err, fault.ErrNotAddressable) {
			t.Errorf("%s: Commit of device memory = %v, want ErrNotAddressable", kind, err)
		}
		by := made(object.KeepReferences())
		if err := errors.Join(by.Allocate(object.Bound{}), by.Commit(far)); err != nil || by.BytesByDevice()["cuda:0"] != 64 {
			t.Errorf("%s: Commit of device memory by reference = %v, %v, want 64 bytes on cuda:0", kind, err, by.BytesByDevice())
		}
	}
}

func TestEncodeOnceKeepsTheNewest(t *testing.T) {
	e := object.NewEncodeOnce("clip_feas")
	if err := e.Stage(payload(t, 1, 4, 1)); err != nil || e.Resident() {
		t.Errorf("Stage() unallocated = %v, resident %v, want nil, false", err, e.Resident())
	}
	commit(t, e, payload(t, 1, 4, 2), payload(t, 1, 4, 3))
	wantFrames(t, e, 3)
	if err := e.Allocate(object.Bound{}); err != nil {
		t.Fatal(err)
	}
	if _, err := e.View(object.ViewOptions{}); !errors.Is(err, fault.ErrNotReady) || e.Resident() {
		t.Errorf("View() before the first commit = %v, resident %v, want ErrNotReady, false", err, e.Resident())
	}
	for _, b := range []object.Bound{{Unit: object.Payloads}, {Unit: object.Frames, N: 1}} {
		if err := e.Allocate(b); !errors.Is(err, fault.ErrInvalidArgument) {
			t.Errorf("Allocate(%v) = %v, want ErrInvalidArgument", b, err)
		}
	}
}

func TestObjectsAreSafeForConcurrentUse(t *testing.T) {
	for _, made := range kinds() {
		o := made()
		if err := o.Allocate(object.Bound{}); err != nil {
			t.Fatal(err)
		}
		p := payload(t, 1, 4, 1)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for i := range 200 {
					err := errors.Join(o.Commit(p), o.Stage(p), o.Commit(), o.Discard())
					_, viewErr := o.View(object.ViewOptions{Staged: true})
					if i == 100 {
						_, evictErr := o.Evict()
						err = errors.Join(evictErr, o.Allocate(object.Bound{}))
					}
					if err != nil && !errors.Is(err, fault.ErrNotAllocated) || viewErr != nil && !errors.Is(viewErr, fault.ErrNotAllocated) && !errors.Is(viewErr, fault.ErrNotReady) {
						t.Errorf("concurrent use = %v, %v", err, viewErr)
					}
					account.Measure(o)
				}
			})
		}
		wg.Wait()
	}
}

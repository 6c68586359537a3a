package object_test

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/tensor"
)

func ring(t testing.TB, n int) *object.LatentBuffer {
	return buffer(t, object.Bound{Unit: object.Frames, N: n, Axis: 2})
}

func TestABufferBoundedAtPayloadsKeepsTheLastCommitted(t *testing.T) {
	for n, want := range map[int][]byte{0: nil, 1: {4, 5}, 2: {3, 4, 5}, 3: {1, 2, 3, 4, 5}, 9: {1, 2, 3, 4, 5}} {
		b := buffer(t, object.Bound{Unit: object.Payloads, N: n})
		commit(t, b, payload(t, 1, 4, 1, 2))
		commit(t, b, payload(t, 1, 4, 3), payload(t, 1, 4, 4, 5))
		wantFrames(t, b, want...)
		if !b.Resident() {
			t.Errorf("bounded at %d payloads: not resident", n)
		}
	}
}

func TestWhatACallerDoesToAViewsListIsItsOwnAffair(t *testing.T) {
	b := buffer(t, object.Bound{})
	commit(t, b, payload(t, 1, 4, 1), payload(t, 1, 4, 2))
	view, err := b.View(object.ViewOptions{})
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(view)
	view[0] = nil
	wantFrames(t, b, 1, 2)
}

func TestAnUnallocatedBufferRefusesReadsAndWrites(t *testing.T) {
	b := object.NewLatentBuffer("buf")
	_, lastErr := b.Last(1)
	for call, err := range map[string]error{
		"Append": b.Append(payload(t, 1, 4, 1)), "Commit": b.Commit(), "Commit of two": b.Commit(nil, nil), "Stage": b.Stage(payload(t, 1, 4, 1)),
		"Last": lastErr, "Extend": b.Extend(source(nil, payload(t, 1, 4, 1))),
	} {
		if !errors.Is(err, fault.ErrNotAllocated) || !strings.Contains(err.Error(), `"buf"`) {
			t.Errorf("%s unallocated = %v, want ErrNotAllocated that names the buffer", call, err)
		}
	}
}

// source yields payloads and then fails, if it is to.
func source(failure error, payloads ...*tensor.Tensor) iter.Seq2[*tensor.Tensor, error] {
	return func(yield func(*tensor.Tensor, error) bool) {
		for _, p := range payloads {
			if !yield(p, nil) {
				return
			}
		}
		if failure != nil {
			yield(nil, failure)
		}
	}
}

func TestExtendKeepsThePrefixOfASourceThatFails(t *testing.T) {
	b := buffer(t, object.Bound{Unit: object.Payloads, N: 2})
	err := b.Extend(source(io.ErrUnexpectedEOF, payload(t, 1, 4, 1), payload(t, 1, 4, 2), payload(t, 1, 4, 3)))
	if !errors.Is(err, fault.ErrSource) || !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), "after 3 payloads") {
		t.Errorf("Extend of a failing source = %v, want ErrSource, its cause, after 3 payloads", err)
	}
	wantFrames(t, b, 2, 3)
	r := ring(t, 3)
	if err := r.Extend(source(nil, payload(t, 1, 4, 1), payload(t, 1, 5, 2), payload(t, 1, 4, 3))); !errors.Is(err, fault.ErrShapeMismatch) {
		t.Errorf("Extend with a payload of another shape = %v, want ErrShapeMismatch", err)
	}
	wantFrames(t, r, 1)
}

// A ring of any length shows, after any chunks, what the whole history would.
func TestARingReadsAsTheUnboundedHistoryDoes(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1, 2, 3, 4, 5, 7, 16} {
		r, history := ring(t, n), []byte{}
		for range 100 {
			var chunk []byte
			for range rng.IntN(2*n+2) - 1 {
				chunk = append(chunk, byte(len(history)+len(chunk))%100)
			}
			p := payload(t, 2, 3, chunk...)
			history = append(history, chunk...)
			if err := r.Append(p); err != nil {
				t.Fatal(err)
			}
			kept := history[max(0, len(history)-n):]
			wantFrames(t, r, kept...)
			if r.Len() != len(kept) {
				t.Fatalf("ring of %d: Len() = %d, want %d", n, r.Len(), len(kept))
			}
			for k := 1; k <= len(kept); k++ {
				got, err := r.Last(k)
				if err != nil {
					t.Fatal(err)
				}
				want := payload(t, 2, 3, kept[len(kept)-k:]...)
				if !got.SameShape(want) || !bytes.Equal(got.AppendBytes(nil), want.AppendBytes(nil)) {
					t.Fatalf("ring of %d after %d frames: Last(%d) = %v, want %v", n, len(history), k, got.AppendBytes(nil), want.AppendBytes(nil))
				}
			}
		}
	}
}

func TestARingRefusesWindowsThatItCannotHold(t *testing.T) {
	r := ring(t, 2)
	commit(t, r, payload(t, 1, 4, 1))
	for n, want := range map[int]error{-1: fault.ErrInvalidArgument, 0: fault.ErrInvalidArgument, 1: nil, 2: fault.ErrNotReady, 3: fault.ErrOverRead} {
		if _, err := r.Last(n); !errors.Is(err, want) {
			t.Errorf("Last(%d) of a ring of 2 with 1 = %v, want %v", n, err, want)
		}
	}
	if _, err := r.Last(3); err == nil || err.Error() != `view last 3 of "buf": ring retains 2` {
		t.Errorf("Last(3) says %q, want what was asked and what is there", err)
	}
	if _, err := buffer(t, object.Bound{}).Last(1); !errors.Is(err, fault.ErrInvalidArgument) {
		t.Errorf("Last(1) of an unbounded buffer = %v, want ErrInvalidArgument", err)
	}
}

func TestAFrameOfAnotherKindIsRefusedAndTheRingUnchanged(t *testing.T) {
	r := ring(t, 3)
	commit(t, r, payload(t, 2, 4, 1, 2))
	other, err := tensor.New(dtype.Int8, 1, 2, 1, 4)
	if err != nil {
		t.Fatal(err)
	}
	flat, err := tensor.New(dtype.UInt8, 2, 4)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		payload *tensor.Tensor
		want    error
	}{
		"channels": {payload(t, 1, 4, 9), fault.ErrShapeMismatch},
		"width":    {payload(t, 2, 5, 9), fault.ErrShapeMismatch},
		"rank":     {flat, fault.ErrShapeMismatch},
		"dtype":    {other, fault.ErrTypeMismatch},
		"empty":    {payload(t, 2, 5), fault.ErrShapeMismatch},
		"nil":      {nil, fault.ErrInvalidArgument},
	} {
		for call, err := range map[string]error{"Append": r.Append(c.payload), "Stage": r.Stage(c.payload), "Commit of two": r.Commit(payload(t, 2, 4, 8), c.payload)} {
			if !errors.Is(err, c.want) {
				t.Errorf("%s, %s = %v, want %v", call, name, err, c.want)
			}
		}
	}
	wantFrames(t, r, 1, 2)
	fresh := ring(t, 3)
	if err := fresh.Commit(payload(t, 2, 4, 8), payload(t, 2, 5, 8)); !errors.Is(err, fault.ErrShapeMismatch) || fresh.Len() != 0 {
		t.Errorf("Commit of two shapes to a new ring = %v, keeping %d, want ErrShapeMismatch and none", err, fresh.Len())
	}
}

func TestARingsMemoryIsConstantAndItsOwn(t *testing.T) {
	for n, want := range map[int]int64{2: 2 * 8, 4: 4 * 8, 5: 10 * 8} {
		r := ring(t, n)
		clip := payload(t, 2, 4, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
		for i := range 1000 {
			slice, err := clip.Narrow(2, i%10, 1)
			if err != nil {
				t.Fatal(err)
			}
			commit(t, r, slice)
			if got := bytesOf(r); got != want {
				t.Fatalf("ring of %d after %d frames: %d bytes, want %d", n, i+1, got, want)
			}
		}
		st := func() *tensor.Storage {
			v, err := r.Last(n)
			if err != nil {
				t.Fatal(err)
			}
			return v.Storage()
		}
		before := st()
		commit(t, r, payload(t, 2, 4, 1))
		if st() != before || before == clip.Storage() {
			t.Errorf("ring of %d: another storage after a push, or the payload's", n)
		}
	}
}

func TestARingOfNothingIsResidentAndRetainsNothing(t *testing.T) {
	r := ring(t, 0)
	commit(t, r, payload(t, 1, 4, 1, 2))
	if _, err := r.Last(1); !r.Resident() || r.Len() != 0 || bytesOf(r) != 0 || !errors.Is(err, fault.ErrOverRead) {
		t.Errorf("ring of 0: resident %v, %d frames, %d bytes, Last(1) = %v", r.Resident(), r.Len(), bytesOf(r), err)
	}
}

func TestARingTooLargeForAnyMemoryIsRefusedAtTheFirstFrame(t *testing.T) {
	r := ring(t, 1<<62)
	if err := r.Append(payload(t, 1, 4, 1)); !errors.Is(err, fault.ErrInvalidArgument) || r.Len() != 0 {
		t.Errorf("Append to a ring of 2^62 = %v, want ErrInvalidArgument", err)
	}
}

func TestARingTakesAViewOfItselfAndStagedFrames(t *testing.T) {
	for _, n := range []int{3, 6} {
		r := ring(t, n)
		commit(t, r, payload(t, 1, 4, 1, 2, 3))
		own, err := r.Last(2)
		if err != nil {
			t.Fatal(err)
		}
		commit(t, r, own)
		want := []byte{1, 2, 3, 2, 3}
		wantFrames(t, r, want[max(0, 5-n):]...)
		if err := errors.Join(r.Stage(payload(t, 1, 4, 8)), r.Stage(payload(t, 1, 4, 9)), r.Commit()); err != nil {
			t.Fatal(err)
		}
		want = append(want, 8, 9)
		wantFrames(t, r, want[7-n:]...)
	}
}

func TestPushAndLastAllocateNothingInSteadyState(t *testing.T) {
	for _, n := range []int{1, 2, 4, 5, 64} {
		r, p := ring(t, n), payload(t, 2, 4, 1)
		step := func() {
			if err := r.Append(p); err != nil {
				t.Fatal(err)
			}
			if _, err := r.Last(min(n, r.Len())); err != nil {
				t.Fatal(err)
			}
		}
		for range 4 * n {
			step()
		}
		if allocs := testing.AllocsPerRun(200, step); allocs != 0 {
			t.Errorf("ring of %d: push and Last allocate %v times, want 0", n, allocs)
		}
	}
}

func TestTheWindowIsContiguousWhenNothingIsBeforeTheTimeAxis(t *testing.T) {
	for _, n := range []int{2, 5} {
		r := ring(t, n)
		for f := range byte(3 * n) {
			commit(t, r, payload(t, 1, 4, f))
		}
		if v, err := r.Last(n); err != nil || !v.IsContiguous() {
			t.Errorf("Last(%d) of (1, 1, T, 4) = %v, %v, want it contiguous", n, v, err)
		}
	}
}

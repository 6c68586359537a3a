package object_test

import (
	"testing"

	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/tensor"
)

// held is a ring of n, full of frames 1 to n, and its last frames as a view.
func held(t *testing.T, n, last int) (*object.LatentBuffer, *tensor.Tensor) {
	t.Helper()
	r := ring(t, n)
	for f := range n {
		commit(t, r, payload(t, 1, 2, byte(f+1)))
	}
	v, err := r.Last(last)
	if err != nil {
		t.Fatal(err)
	}
	return r, v
}

func narrowed(t *testing.T, v *tensor.Tensor, start, n int) *tensor.Tensor {
	t.Helper()
	v, err := v.Narrow(2, start, n)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Rings of three shift their frames, rings of six write each twice.
var ringSizes = []int{3, 6}

// wantOldestAgain asks for frames 3 to n, and then 1 and 2 once more.
func wantOldestAgain(t *testing.T, r *object.LatentBuffer, n int) {
	t.Helper()
	var want []byte
	for f := 2; f < n+2; f++ {
		want = append(want, byte(f%n+1))
	}
	wantFrames(t, r, want...)
}

func TestARingTakesFramesThatWrapItsOwnMemory(t *testing.T) {
	for _, n := range ringSizes {
		r, all := held(t, n, n)
		raw, ok := all.Bytes()
		if !ok {
			t.Fatalf("the window of a ring of %d is not contiguous", n)
		}
		again, err := tensor.Of(tensor.WrapBytes(raw), all.DType(), all.Shape(), all.Strides(), 0)
		if err != nil {
			t.Fatal(err)
		}
		commit(t, r, narrowed(t, again, 0, 2)) // frames 1 and 2
		wantOldestAgain(t, r, n)
	}
}

func TestACommitOfSeveralViewsOfTheRingTakesThemAsTheyAre(t *testing.T) {
	for _, n := range ringSizes {
		r, all := held(t, n, n)
		commit(t, r, narrowed(t, all, 0, 1), narrowed(t, all, 1, 1)) // frames 1 and 2
		wantOldestAgain(t, r, n)
	}
}

// Of payloads that push one another out at once only the last are copied.
func TestACommitCopiesNoPayloadThatItDrops(t *testing.T) {
	const many = 100
	payloads := make([]*tensor.Tensor, many)
	for i := range payloads {
		payloads[i] = payload(t, 1, 4, byte(i))
	}
	for _, n := range []int{0, 2} {
		b := buffer(t, object.Bound{Unit: object.Payloads, N: n})
		commit(t, b, payloads...)
		allocs := testing.AllocsPerRun(10, func() { commit(t, b, payloads...) })
		if most := float64(n * 10); allocs > most {
			t.Errorf("a commit of %d payloads to a buffer of %d allocates %v times, want at most %v", many, n, allocs, most)
		}
		wantFrames(t, b, []byte{98, 99}[2-n:]...)
	}
}

//go:build cuda

package cuda_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/statespec/statespec/gpu/cuda"
)

// Bytes are judged by our own count, which says what the CUDA driver's own does wherever
// that one is exact and of this process alone.
func TestAllocatedIsWhatTheCUDADriverCounts(t *testing.T) {
	d := open(t)
	if !cuda.Simulated() {
		t.Skip("a real CUDA driver counts all processes, and in granules")
	}
	sim(t, "info=exact")
	random := rand.New(rand.NewPCG(1, 1))
	var held []*cuda.Memory
	agree := func(after string) {
		t.Helper()
		bytes, count := d.Allocated()
		free, total, err := d.Info()
		if r := report(t); err != nil || total-free != bytes || r.LiveBytes != bytes || r.LiveAllocs != int64(count) {
			t.Fatalf("after %s we count %d bytes in %d allocations, and the CUDA driver %d in %d (%d in use, %v)", after, bytes, count, r.LiveBytes, r.LiveAllocs, total-free, err)
		}
	}
	for range 300 {
		switch i := random.IntN(4); {
		case i == 0 && len(held) > 0:
			at := random.IntN(len(held))
			ok(t, held[at].Release())
			held = slices.Delete(held, at, at+1)
			agree("a release")
		case i == 1 && len(held) > 0:
			held = held[:len(held)-1] // unreachable
			ok(t, d.Reclaim())
			agree("a collection")
		default:
			held = append(held, memory(t, d, random.IntN(5000)))
			agree("an allocation")
		}
	}
	if len(held) < 10 {
		t.Errorf("%d allocations are held at the end, want some", len(held))
	}
	for _, m := range held {
		ok(t, m.Release())
	}
	agree("the last release")
}

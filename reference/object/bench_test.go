package object_test

import (
	"fmt"
	"testing"

	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/tensor"
)

// One latent frame at the shipped size: 225,280 bytes.
var latentFrame = []int{1, 32, 1, 44, 80}

// The control of the ring is the least that a push can cost: one frame copied
// into a slot.
func BenchmarkRing(b *testing.B) {
	frame, err := tensor.New(dtype.BFloat16, latentFrame...)
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{2, 4, 16, 64} {
		b.Run(fmt.Sprintf("frames=%d/impl=statespec", n), func(b *testing.B) {
			ring := object.NewLatentBuffer("vae_encoder_out")
			if err := ring.Allocate(object.Bound{Unit: object.Frames, N: n, Axis: 2}); err != nil {
				b.Fatal(err)
			}
			for range 4 * n { // every window's header has been made
				step(b, ring, frame, min(n, ring.Len()+1))
			}
			b.SetBytes(int64(frame.NumBytes()))
			b.ReportAllocs()
			for b.Loop() {
				step(b, ring, frame, n)
			}
		})
		b.Run(fmt.Sprintf("frames=%d/impl=control", n), func(b *testing.B) {
			src, _ := frame.Bytes()
			slots := make([]byte, n*len(src))
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				at := i % n * len(src)
				copy(slots[at:at+len(src)], src)
			}
		})
	}
}

func step(b *testing.B, ring *object.LatentBuffer, frame *tensor.Tensor, n int) {
	if err := ring.Append(frame); err != nil {
		b.Fatal(err)
	}
	v, err := ring.Last(n)
	if err != nil || v.Dim(2) != n {
		b.Fatalf("Last(%d) = %v, %v", n, v, err)
	}
}

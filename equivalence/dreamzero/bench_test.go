package dreamzero_test

import (
	"fmt"
	"testing"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/tensor"
)

// BenchmarkEncoderStep appends one latent frame of shipped size and reads the
// window, after so many frames. The managed path must not grow with them.
func BenchmarkEncoderStep(b *testing.B) {
	chunk := filled(b, dtype.BFloat16, 1, 1, 32, 1, 44, 80)
	for _, frames := range []int{3, 100, 400, 10_000} {
		b.Run(fmt.Sprintf("path=managed/frames=%d", frames), func(b *testing.B) {
			s := must[*dreamzero.Managed](b)(dreamzero.NewManaged(session(b, "s"), 2, nil))
			do(b, s.SeedEncoder(chunk))
			for range frames - 1 {
				do(b, s.AppendEncoderChunk(chunk))
			}
			b.ReportAllocs()
			for b.Loop() {
				do(b, s.AppendEncoderChunk(chunk))
				must[*tensor.Tensor](b)(s.ObserveLatents(2))
			}
		})
	}
}

func BenchmarkAccumulateFrames(b *testing.B) {
	frame := filled(b, dtype.UInt8, 1, 352, 640, 3)
	for _, s := range []dreamzero.State{dreamzero.NewBespoke(nil), must[*dreamzero.Managed](b)(dreamzero.NewManaged(session(b, "s"), 2, nil))} {
		b.Run("path="+s.Path(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				must[*tensor.Tensor](b)(s.AccumulateFrames(frame))
			}
		})
	}
	b.Run("impl=control", func(b *testing.B) { // one copy of what a call returns
		from, to := make([]byte, 4*352*640*3), make([]byte, 4*352*640*3)
		for b.Loop() {
			copy(to, from)
		}
	})
}

func BenchmarkQuantise(b *testing.B) {
	for _, dt := range []dtype.DType{dtype.BFloat16, dtype.Float32} {
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("dtype=%v/threads=%d", dt, threads), func(b *testing.B) {
				q, x := pointwise(b, 32, threads), filled(b, dt, 1, 1, 32, 2, 44, 80)
				for b.Loop() {
					must[*tensor.Tensor](b)(q.Quantise(x))
				}
			})
		}
	}
}

package dreamzero_test

import (
	"fmt"
	"testing"

	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/tensor"
)

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

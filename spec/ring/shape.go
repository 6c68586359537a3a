package ring

import (
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// others makes frames that do not fit those of chunk: taller, narrower, of other
// channels, and two of as many elements.
func others(s *op.Client) (vs []spec.Value) {
	for _, shape := range [][]int{{1, 4, 1, 5, 2}, {1, 4, 1, 3, 1}, {1, 6, 1, 3, 2}, {1, 4, 1, 2, 3}, {1, 6, 1, 2, 2}} {
		vs = append(vs, Must(s.Make(spec.Tensor("bfloat16", 9, shape...))))
	}
	return vs
}

// shapes is what a ring takes in.
func shapes(open Open) {
	const n = 2
	table(open, "refuses a frame of another shape, and is as it was", "RNG-10", func(s *op.Client, ring maker) {
		for _, other := range others(s) {
			r := ring(s, n)
			fill(s, r, 1, n+1)
			before := Bits(Must(r.last(n)))
			shape := Bits(other).Shape
			Expect(Refused(r.push(other))).To(BeTrue(), "a frame of %v was refused by a ring of frames of %v", shape, before.Shape)
			Expect(r.last(n)).To(HaveBits(before), "the last %d, after a frame of %v was refused", n, shape)
		}
	})

	table(open, "says that the frame is of another shape", "RNG-10.kind", func(s *op.Client, ring maker) {
		for _, other := range others(s) {
			r := ring(s, n)
			fill(s, r, 1, n+1)
			err := r.push(other)
			if !Refused(err) {
				CannotTell("a frame of another shape was not refused")
			}
			Expect(err).To(BeRefusedAs(spec.ShapeMismatch), "a frame of %v", Bits(other).Shape)
		}
	})
}

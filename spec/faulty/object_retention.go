package faulty

import (
	"bytes"
	"slices"

	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
)

// longAgo is so many commits.
const longAgo = 16

// retentions are faults of how much of what was committed a buffer keeps.
func retentions() []Fault {
	return []Fault{
		{
			Name: "bounds an unbounded buffer", Breaks: []string{"OBJ-03"},
			Parts: allocatesAt(func(b object.Bound) object.Bound {
				if b.Unit == object.Unbounded {
					return object.Bound{Unit: object.Payloads, N: 64}
				}
				return b
			}),
		}, {
			Name: "leaves out a payload that equals one of long ago", Breaks: []string{"OBJ-03"},
			Parts: buffers(func(b *alteredBuffer) {
				b.commit = func(ps ...*tensor.Tensor) error {
					held := b.payloads()
					ago := held[:max(0, len(held)-longAgo)]
					same := func(t *tensor.Tensor) bool { return equal(t, ps[0]) }
					if len(ps) == 1 && b.unit() == object.Unbounded && slices.ContainsFunc(ago, same) {
						return nil
					}
					return b.own.Commit(ps...)
				}
			}),
		}, {
			Name: "counts frames where a bound is in payloads", Breaks: []string{"OBJ-04"},
			Parts: trims(func(held []*tensor.Tensor, n int) []*tensor.Tensor {
				frames := 0
				for i, t := range slices.Backward(held) {
					if frames += t.Dim(0); frames > n {
						return held[min(i+1, len(held)-1):]
					}
				}
				return held
			}),
		}, {
			Name: "keeps one payload more than its bound", Breaks: []string{"OBJ-04", "OBJ-12"},
			Parts: allocatesAt(func(b object.Bound) object.Bound {
				if b.Unit == object.Payloads && b.N > 1 {
					b.N++
				}
				return b
			}),
		}, {
			Name: "keeps one payload less than its bound", Breaks: []string{"OBJ-04", "OBJ-12"},
			Parts: allocatesAt(func(b object.Bound) object.Bound {
				if b.Unit == object.Payloads && b.N > 1 {
					b.N--
				}
				return b
			}),
		}, {
			Name: "keeps the first payloads and drops the new ones", Breaks: []string{"OBJ-04", "OBJ-11", "OBJ-12"},
			Follows: []string{"OBJ-16"}, // it takes a promotion for a commit of nothing
			Parts: buffers(func(b *alteredBuffer) {
				b.commit = func(ps ...*tensor.Tensor) error {
					if bound, _ := b.own.Bound(); bound.Unit == object.Payloads {
						ps = ps[:min(len(ps), bound.N-b.own.Len())]
						if len(ps) == 0 {
							return nil
						}
					}
					return b.own.Commit(ps...)
				}
			}),
		}, {
			Name: "empties itself when its bound is reached", Breaks: []string{"OBJ-04"},
			Parts: buffers(func(b *alteredBuffer) {
				b.commit = func(ps ...*tensor.Tensor) error {
					if bound, _ := b.own.Bound(); bound.Unit == object.Payloads && bound.N > 1 && len(ps) == 1 && b.own.Len() == bound.N {
						b.own.Allocate(bound)
					}
					return b.own.Commit(ps...)
				}
			}),
		}, {
			Name: "shows its slots where it should show their order", Breaks: []string{"OBJ-04", "OBJ-12"},
			Parts: buffers(func(b *alteredBuffer) {
				taken := 0
				b.allocate = func(bound object.Bound) error { taken = 0; return b.own.Allocate(bound) }
				b.commit = func(ps ...*tensor.Tensor) error { taken += len(ps); return b.own.Commit(ps...) }
				b.view = func(o object.ViewOptions) ([]*tensor.Tensor, error) {
					held, err := b.own.View(o)
					if bound, _ := b.own.Bound(); bound.Unit == object.Payloads && len(held) == bound.N && bound.N > 0 {
						turned := bound.N - taken%bound.N // the slot of the newest is the next to be taken
						held = slices.Concat(held[turned%bound.N:], held[:turned%bound.N])
					}
					return held, err
				}
			}),
		},
	}
}

func equal(a, b *tensor.Tensor) bool {
	return a.DType() == b.DType() && a.SameShape(b) && bytes.Equal(a.AppendBytes(nil), b.AppendBytes(nil))
}

// allocatesAt is a subject whose buffers take another bound than they are given.
func allocatesAt(other func(object.Bound) object.Bound) func() subject.Parts {
	return buffers(func(b *alteredBuffer) {
		b.allocate = func(bound object.Bound) error { return b.own.Allocate(other(bound)) }
	})
}

// trims is a subject whose buffers, bounded in payloads, let go of more than
// the reference does: of what is held at a bound of n, the rule says what stays.
func trims(rule func(held []*tensor.Tensor, n int) []*tensor.Tensor) func() subject.Parts {
	return buffers(func(b *alteredBuffer) {
		b.commit = func(ps ...*tensor.Tensor) error {
			if err := b.own.Commit(ps...); err != nil {
				return err
			}
			bound, _ := b.own.Bound()
			if bound.Unit != object.Payloads {
				return nil
			}
			held := b.payloads()
			stays := rule(held, bound.N)
			if len(stays) == len(held) {
				return nil
			}
			if err := b.own.Allocate(bound); err != nil {
				return err
			}
			return b.own.Commit(stays...)
		}
	})
}

package faulty

import (
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/tensor"
)

// bounds are faults of bounds that are negative, zero and one.
func bounds() []Fault {
	return []Fault{
		{
			Name: "takes a negative bound for none", Breaks: []string{"OBJ-10"},
			Parts: allocatesAt(func(b object.Bound) object.Bound {
				if b.N < 0 {
					return object.Bound{}
				}
				return b
			}),
		}, {
			Name: "takes a negative number of frames for its amount", Breaks: []string{"OBJ-10"},
			Parts: allocatesAt(func(b object.Bound) object.Bound {
				if b.Unit == object.Frames && b.N < 0 {
					b.N = -b.N
				}
				return b
			}),
		}, {
			Name: "is allocated by a bound that it refuses", Breaks: []string{"OBJ-10"},
			Parts: buffers(func(b *alteredBuffer) {
				b.allocate = func(bound object.Bound) error {
					err := b.own.Allocate(bound)
					if err != nil && !b.own.Resident() {
						b.own.Allocate(object.Bound{})
					}
					return err
				}
			}),
		}, {
			Name: "loses its content to a bound that it refuses", Breaks: []string{"OBJ-10"},
			Parts: buffers(func(b *alteredBuffer) {
				b.allocate = func(bound object.Bound) error {
					first, allocated := b.own.Bound()
					err := b.own.Allocate(bound)
					if err != nil && allocated {
						b.own.Allocate(first)
					}
					return err
				}
			}),
		}, {
			Name: "loses its bound to one that it refuses", Breaks: []string{"OBJ-10"},
			Parts: buffers(func(b *alteredBuffer) {
				b.allocate = func(bound object.Bound) error {
					err := b.own.Allocate(bound)
					if first, allocated := b.own.Bound(); err != nil && allocated && first.Unit == object.Payloads {
						kept := b.payloads()
						b.own.Allocate(object.Bound{})
						b.own.Commit(kept...)
					}
					return err
				}
			}),
		}, {
			Name: "calls a negative bound a shape mismatch", Breaks: []string{"OBJ-10.kind"},
			Parts: buffers(func(b *alteredBuffer) {
				b.allocate = func(bound object.Bound) error {
					if bound.N < 0 {
						return fault.New(fault.ErrShapeMismatch, "allocate %q bounded at %v", b.own.Name(), bound)
					}
					return b.own.Allocate(bound)
				}
			}),
		}, {
			Name: "calls a negative number of frames an over-read", Breaks: []string{"OBJ-10.kind"},
			Parts: buffers(func(b *alteredBuffer) {
				b.allocate = func(bound object.Bound) error {
					if bound.N < 0 && bound.Unit == object.Frames {
						return fault.New(fault.ErrOverRead, "allocate %q bounded at %v", b.own.Name(), bound)
					}
					return b.own.Allocate(bound)
				}
			}),
		}, {
			Name: "keeps two payloads at a bound of one", Breaks: []string{"OBJ-11"},
			Parts: allocatesAt(func(b object.Bound) object.Bound {
				if b.Unit == object.Payloads && b.N == 1 {
					b.N = 2
				}
				return b
			}),
		}, {
			Name: "keeps the oldest payload at a bound of one", Breaks: []string{"OBJ-11"},
			Parts: buffers(func(b *alteredBuffer) {
				b.commit = func(ps ...*tensor.Tensor) error {
					if bound, _ := b.own.Bound(); bound.Unit == object.Payloads && bound.N == 1 && b.own.Len() == 1 {
						return nil
					}
					return b.own.Commit(ps...)
				}
			}),
		}, {
			Name: "keeps no payload at a bound of one", Breaks: []string{"OBJ-11"},
			Parts: allocatesAt(func(b object.Bound) object.Bound {
				if b.Unit == object.Payloads && b.N == 1 {
					b.N = 0
				}
				return b
			}),
		}, {
			Name: "takes a bound of zero for none", Breaks: []string{"OBJ-11.zero"},
			Parts: allocatesAt(func(b object.Bound) object.Bound {
				if b.N == 0 {
					return object.Bound{}
				}
				return b
			}),
		}, {
			Name: "keeps one frame at a bound of zero", Breaks: []string{"OBJ-11.zero"},
			Parts: allocatesAt(func(b object.Bound) object.Bound {
				if b.Unit == object.Frames && b.N == 0 {
					b.N = 1
				}
				return b
			}),
		}, {
			Name: "shows nothing at a bound of zero and holds it all", Breaks: []string{"OBJ-11.zero"},
			Parts: buffers(func(b *alteredBuffer) {
				none := false
				b.allocate = func(bound object.Bound) error {
					if none = bound.Unit == object.Payloads && bound.N == 0; none {
						bound = object.Bound{}
					}
					return b.own.Allocate(bound)
				}
				b.view = func(o object.ViewOptions) ([]*tensor.Tensor, error) {
					held, err := b.own.View(o)
					if none {
						held = nil
					}
					return held, err
				}
			}),
		},
	}
}

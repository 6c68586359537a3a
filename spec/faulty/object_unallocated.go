package faulty

import (
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
	"github.com/statespec/statespec/spec"
)

// unallocated are faults of what is asked of an object that is not allocated.
func unallocated() []Fault {
	return []Fault{
		{
			Name: "answers with an empty view before it is allocated", Breaks: []string{"OBJ-07"},
			Parts: buffers(func(b *alteredBuffer) {
				begun := false
				b.allocate = func(bound object.Bound) error { begun = true; return b.own.Allocate(bound) }
				b.view = func(o object.ViewOptions) ([]*tensor.Tensor, error) {
					if !begun {
						return nil, nil
					}
					return b.own.View(o)
				}
			}),
		}, {
			Name: "answers with an empty view after an evict", Breaks: []string{"OBJ-07"},
			Parts: buffers(func(b *alteredBuffer) {
				evicted := false
				b.evict = func() (int64, error) { evicted = b.own.Resident(); return b.own.Evict() }
				b.allocate = func(bound object.Bound) error { evicted = false; return b.own.Allocate(bound) }
				b.reset = func() error { evicted = false; return b.own.Reset() }
				b.view = func(o object.ViewOptions) ([]*tensor.Tensor, error) {
					if evicted {
						return nil, nil
					}
					return b.own.View(o)
				}
			}),
		}, {
			Name: "answers with an empty view after a reset", Breaks: []string{"OBJ-07"},
			Parts: buffers(func(b *alteredBuffer) {
				reset := false
				b.reset = func() error { reset = true; return b.own.Reset() }
				b.allocate = func(bound object.Bound) error { reset = false; return b.own.Allocate(bound) }
				b.view = func(o object.ViewOptions) ([]*tensor.Tensor, error) {
					if reset {
						return nil, nil
					}
					return b.own.View(o)
				}
			}),
		}, {
			Name: "answers with zeros where it was evicted", Breaks: []string{"OBJ-07"},
			Parts: onces(func(o *altered) {
				var like func() (*tensor.Tensor, error) // of zeros, as what was evicted
				o.evict = func() (int64, error) {
					if held, err := o.own.View(object.ViewOptions{}); err == nil {
						dt, shape := held[0].DType(), held[0].Shape()
						like = func() (*tensor.Tensor, error) { return tensor.New(dt, shape...) }
					}
					return o.own.Evict()
				}
				o.allocate = func(b object.Bound) error { like = nil; return o.own.Allocate(b) }
				o.reset = func() error { like = nil; return o.own.Reset() }
				o.view = func(v object.ViewOptions) ([]*tensor.Tensor, error) {
					held, err := o.own.View(v)
					if err == nil || like == nil {
						return held, err
					}
					blank, err := like()
					return []*tensor.Tensor{blank}, err
				}
			}),
		}, {
			Name: "is allocated by what is appended to it", Breaks: []string{"OBJ-07.write"},
			Parts: buffers(func(b *alteredBuffer) {
				b.commit = func(ps ...*tensor.Tensor) error {
					if !b.own.Resident() && len(ps) > 0 {
						b.own.Allocate(object.Bound{})
					}
					return b.own.Commit(ps...)
				}
			}),
		}, {
			Name: "swallows what is appended after an evict", Breaks: []string{"OBJ-07.write"},
			Parts: buffers(func(b *alteredBuffer) {
				evicted := false
				b.evict = func() (int64, error) { evicted = true; return b.own.Evict() }
				b.allocate = func(bound object.Bound) error { evicted = false; return b.own.Allocate(bound) }
				b.reset = func() error { evicted = false; return b.own.Reset() }
				b.commit = func(ps ...*tensor.Tensor) error {
					if evicted && len(ps) > 0 {
						return nil
					}
					return b.own.Commit(ps...)
				}
			}),
		}, {
			Name: "calls a read that is not allocated not ready", Breaks: []string{"OBJ-07.kind"},
			Parts: objectsOf(func(o *altered) {
				o.view = func(v object.ViewOptions) ([]*tensor.Tensor, error) {
					held, err := o.own.View(v)
					if err != nil {
						err = fault.New(fault.ErrNotReady, "view: nothing to show")
					}
					return held, err
				}
			}),
		}, {
			Name: "calls a write that is not allocated an invalid argument", Breaks: []string{"OBJ-07.kind"},
			Parts: buffers(func(b *alteredBuffer) {
				b.commit = func(ps ...*tensor.Tensor) error {
					if !b.own.Resident() {
						return fault.New(fault.ErrInvalidArgument, "append to %q", b.own.Name())
					}
					return b.own.Commit(ps...)
				}
			}),
		}, {
			Name: "fails to report bytes after an evict of nothing", Breaks: []string{"OBJ-08"},
			Parts: func() subject.Parts {
				return subject.Parts{Object: func(_ *subject.Subject, o spec.Object) spec.Object {
					if kindOf(o) == "" {
						return o
					}
					return &dividing{Object: o}
				}}
			},
		},
	}
}

// dividing is an object that cannot report its bytes when it has freed none.
type dividing struct {
	spec.Object
	nothing bool
}

func (d *dividing) Evict() (int64, error) {
	freed, err := d.Object.Evict()
	d.nothing = err == nil && freed == 0
	return freed, err
}

func (d *dividing) State() (spec.ObjectState, error) {
	if d.nothing {
		return spec.ObjectState{}, spec.Refuse(spec.Raised, "division by zero")
	}
	return d.Object.State()
}

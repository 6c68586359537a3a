package faulty

import (
	"sync"

	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
	"github.com/statespec/statespec/spec"
)

// handedOut is a latent buffer that keeps the very list that readers get, while
// it is unbounded.
type handedOut struct {
	*alteredBuffer
	list []any
}

// handsOut is a subject whose unbounded buffers give a reader what the rule
// makes of their list.
func handsOut(rule func(list *[]any) *[]any) func() subject.Parts {
	return func() subject.Parts {
		return subject.Parts{
			StateObject: func(kind spec.ObjectKind, made object.StateObject) object.StateObject {
				out := &handedOut{}
				b, ok := buffersOf(out.alter)(kind, made).(*alteredBuffer)
				if !ok {
					return made
				}
				out.alteredBuffer = b
				return out
			},
			Object: func(s *subject.Subject, o spec.Object) spec.Object { return &lender{o, s, rule} },
		}
	}
}

func (h *handedOut) alter(b *alteredBuffer) {
	b.allocate = func(bound object.Bound) error { h.list = nil; return b.own.Allocate(bound) }
	b.evict = func() (int64, error) { h.list = nil; return b.own.Evict() }
	b.reset = func() error { h.list = nil; return b.own.Reset() }
	listing := func(call func() error) error {
		before := b.own.Len()
		err := call()
		if held, _ := b.own.View(object.ViewOptions{}); b.unit() == object.Unbounded && len(held) > before {
			for _, t := range held[before:] {
				h.list = append(h.list, t)
			}
		}
		return err
	}
	b.commit = func(ps ...*tensor.Tensor) error { return listing(func() error { return b.own.Commit(ps...) }) }
	b.extend = func(from source) error { return listing(func() error { return b.own.Extend(from) }) }
}

// lender stands in front of an object and lends its list.
type lender struct {
	spec.Object
	s    *subject.Subject
	rule func(list *[]any) *[]any
}

func (l *lender) View(v spec.View) (spec.Value, error) {
	own, ok := subject.StateObject(l.Object).(*handedOut)
	if !ok || v.Last != nil || v.Staged || own.unit() != object.Unbounded || !own.Resident() {
		return l.Object.View(v)
	}
	return l.s.Wrap(l.rule(&own.list)), nil
}

// readsIntoOne is a subject whose buffers share one output, which change gives
// them the use of.
func readsIntoOne(change func(b *alteredBuffer, into *output)) func() subject.Parts {
	return func() subject.Parts {
		shared := &output{st: tensor.NewStorage(1 << 9)}
		return subject.Parts{StateObject: buffersOf(func(b *alteredBuffer) { change(b, shared) })}
	}
}

// output is memory that what is read is written into, each time from its start.
type output struct {
	mu sync.Mutex
	st *tensor.Storage
}

// of are tensors as they come, in the output where it has the room.
func (o *output) of(ts ...*tensor.Tensor) []*tensor.Tensor {
	o.mu.Lock()
	defer o.mu.Unlock()
	out, at := make([]*tensor.Tensor, len(ts)), 0
	for i, t := range ts {
		own := t.Clone() // compact: its strides are those in the output
		raw := own.Storage().Bytes()
		if out[i] = t; at+len(raw) > o.st.Len() {
			continue
		}
		copy(o.st.Bytes()[at:], raw)
		if w, err := tensor.Of(o.st, t.DType(), t.Shape(), own.Strides(), at/t.DType().Size()); err == nil {
			out[i] = w
		}
		at += (len(raw) + 15) &^ 15
	}
	return out
}

// wipes is a subject whose buffers show copies, but of what is unbounded their
// own memory, and wipe that when they are evicted.
func wipes() subject.Parts {
	return subject.Parts{
		Hello: func(h *spec.Hello) { h.Views = "always" },
		StateObject: buffersOf(func(b *alteredBuffer) {
			b.view = func(o object.ViewOptions) ([]*tensor.Tensor, error) {
				held, err := b.own.View(o)
				if b.unit() == object.Frames {
					held = copies(held)
				}
				return held, err
			}
			b.last = func(n int) (*tensor.Tensor, error) {
				window, err := b.own.Last(n)
				if err != nil {
					return nil, err
				}
				return window.Clone(), nil
			}
			b.evict = func() (int64, error) {
				held, _ := b.own.View(object.ViewOptions{})
				for _, t := range held {
					clear(t.Storage().Bytes())
				}
				return b.own.Evict()
			}
		}),
	}
}

package ring

import (
	"fmt"
	"sync"

	. "github.com/onsi/ginkgo/v2"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// axis is the time axis of a latent chunk (batch, channel, time, height, width).
const axis = 2

// asked is a ring under question, with the history that it must agree with.
type asked interface {
	// push appends a chunk to the ring.
	push(chunk spec.Value) error

	// last reads the last n frames.
	last(n int) (spec.Value, error)

	// remember appends a chunk to the history, and history reads its last n
	// frames.
	remember(chunk spec.Value)
	history(n int) spec.Reading

	// retained says how many frames the ring holds.
	retained() (int, error)

	// bytes says how many bytes the ring reports.
	bytes() (int64, error)

	// call is the push of a chunk as a call of a race.
	call(chunk spec.Value) op.Call
}

// A maker makes an empty ring of a number of frames.
type maker func(s *op.Client, frames int) asked

// of are the entries of a table that is asked of every kind of ring.
func of() []TableEntry {
	return []TableEntry{
		Entry("of a latent buffer bounded in frames", maker(bufferOf)),
		Entry("of DreamZero's encoder output", maker(streamOf)),
	}
}

// table is a DescribeTable over both kinds of ring.
func table(open Open, text, row string, body func(s *op.Client, ring maker)) {
	DescribeTable(text, Promise(row), func(ctx SpecContext, ring maker) { body(open.Subject(ctx), ring) }, of())
}

// chunk makes frames of a seed, each 1×4×3×2 of a dtype, in storage of its own.
func chunk(s *op.Client, dtype string, seed uint64, frames int) spec.Value {
	GinkgoHelper()
	return Must(s.Make(spec.Tensor(dtype, seed, 1, 4, frames, 3, 2)))
}

// oneByOne is a chunk as frames, each in storage of its own.
func oneByOne(s *op.Client, chunk spec.Value) (vs []spec.Value) {
	GinkgoHelper()
	whole := Bits(chunk)
	for i := range whole.Shape[axis] {
		f := frames(whole, i, i+1)
		vs = append(vs, Must(s.Make(spec.Bits(f.DType, f.Bytes, f.Shape...))))
	}
	return vs
}

// buffer is a latent buffer bounded in frames.
type buffer struct {
	o    spec.Object
	past []spec.Reading
}

func bufferOf(s *op.Client, frames int) asked {
	GinkgoHelper()
	Bounded(s, spec.LatentBuffer, spec.Frames)
	bound := spec.Bound{Unit: spec.Frames, N: frames, Axis: axis}
	o := Must(s.NewObject(spec.ObjectSpec{Kind: spec.LatentBuffer, Bound: bound}))
	Do(o.Allocate(bound))
	return &buffer{o: o}
}

func (b *buffer) push(chunk spec.Value) error { return b.o.Commit(chunk) }

func (b *buffer) remember(chunk spec.Value) { GinkgoHelper(); b.past = append(b.past, Bits(chunk)) }

func (b *buffer) last(n int) (spec.Value, error) { return b.o.View(spec.View{Last: &n}) }

func (b *buffer) history(n int) spec.Reading {
	all := cat(b.past...)
	return frames(all, all.Shape[axis]-n, all.Shape[axis])
}

// retained adds up what a view of all of it shows, in one item or several.
func (b *buffer) retained() (n int, err error) {
	v, err := b.o.View(spec.View{})
	if err != nil || v == nil {
		return 0, err
	}
	r, err := v.Read()
	for _, item := range r.Items {
		if len(item.Shape) > axis {
			n += item.Shape[axis]
		}
	}
	return n, err
}

func (b *buffer) bytes() (int64, error) {
	st, err := b.o.State()
	return st.Total(), err
}

func (b *buffer) call(chunk spec.Value) op.Call { return op.CommitTo(b.o, chunk) }

// stream is DreamZero's encoder output on the managed path, beside the bespoke
// path, whose history has no bound.
type stream struct {
	managed encoder
	bespoke func() encoder // made when there is something to remember
}

func streamOf(s *op.Client, frames int) asked {
	GinkgoHelper()
	return &stream{
		encoderOn(s, spec.Managed, frames, ""),
		sync.OnceValue(func() encoder { GinkgoHelper(); return encoderOn(s, spec.Bespoke, frames, "") }),
	}
}

func (t *stream) push(chunk spec.Value) error { return t.managed.push(chunk) }

func (t *stream) remember(chunk spec.Value) { GinkgoHelper(); Do(t.bespoke().push(chunk)) }

func (t *stream) last(n int) (spec.Value, error) { return t.managed.observe(n) }

func (t *stream) history(n int) spec.Reading {
	GinkgoHelper()
	return Bits(Must(t.bespoke().observe(n)))
}

func (t *stream) retained() (int, error) { return t.managed.integer("encoder_frames", nil) }

func (t *stream) bytes() (int64, error) { return t.managed.bytesOf("vae_encoder_out") }

func (t *stream) call(chunk spec.Value) op.Call {
	return op.TakeStep(t.managed.state, t.managed.step(chunk))
}

// both pushes a chunk to a ring and to its history.
func both(r asked, chunk spec.Value) {
	GinkgoHelper()
	Do(r.push(chunk))
	r.remember(chunk)
}

// fill pushes single frames of bfloat16, of seeds from on.
func fill(s *op.Client, r asked, from uint64, n int) {
	GinkgoHelper()
	for i := range uint64(n) {
		c := chunk(s, "bfloat16", from+i, 1)
		Do(r.push(c))
		LetGo(c)
	}
}

// pushes is what a ring went through, in words.
func pushes(frames int, lengths []int) string {
	return fmt.Sprintf("a ring of %d after chunks of %v frames", frames, lengths)
}

package faulty

import (
	"slices"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
)

// adapted is a subject whose states over the manager are other ones.
func adapted(as func(*dreamzero.Managed) dreamzero.State) func() subject.Parts {
	return func() subject.Parts {
		return subject.Parts{Store: func(own store) store {
			return stated{own, func(_ string, st dreamzero.State) dreamzero.State {
				if m, managed := st.(*dreamzero.Managed); managed {
					return as(m)
				}
				return st
			}}
		}}
	}
}

// resident says whether one of DreamZero's buffers is there and usable.
func resident(m *dreamzero.Managed, name string) bool {
	o, err := m.Session().Object(name)
	return err == nil && o.Resident()
}

// buckets holds faults of values that are in the other bucket than the
// document's table has them in.
func buckets() []Fault {
	return []Fault{
		lost("loses its feature map with the encoder output", dreamzero.EncoderOut, dreamzero.FeatureMap),
		lost("loses its pending frames with the encoder output", dreamzero.EncoderOut, dreamzero.PendingFrames),
		lost("loses the flag of its stream with the encoder output", dreamzero.EncoderOut, dreamzero.StreamInitialized).following("EQV-14.close"),
		lost("loses its counters with the stitched frames", dreamzero.StitchedFrames, dreamzero.CallCount, dreamzero.CurrentStartFrame).following("EQV-14.close"),
		lost("loses its conditioning with the stitched frames", dreamzero.StitchedFrames, dreamzero.ClipFeatures, dreamzero.ImageCondition),
		lost("loses its prompt with the video latents", dreamzero.VideoLatents, dreamzero.Language, dreamzero.PromptEmbeds),
		{
			Name: "keeps its conditioning in a buffer", Breaks: []string{"ATT-06"}, Follows: []string{"ATT-07", "EQV-04", "EQV-06", "EQV-12"},
			Parts: adapted(func(m *dreamzero.Managed) dreamzero.State { return &bufferedValue{m} }),
		}, {
			Name: "keeps video latents in the adapter", Breaks: []string{"ATT-06.objects"},
			Parts: adapted(func(m *dreamzero.Managed) dreamzero.State { return &latentsKept{Managed: m} }),
		}, {
			Name: "keeps encoder output in the adapter", Breaks: []string{"ATT-06.objects"},
			Parts: adapted(func(m *dreamzero.Managed) dreamzero.State { return &outputKept{Managed: m} }),
		}, {
			Name: "keeps the number of encoder frames in the adapter", Breaks: []string{"ATT-06.objects"},
			Parts: adapted(func(m *dreamzero.Managed) dreamzero.State { return &framesCounted{Managed: m} }),
		}, {
			Name: "keeps stitched frames in the adapter", Breaks: []string{"ATT-06.objects"}, Follows: []string{"EQV-14.close"},
			Parts: adapted(func(m *dreamzero.Managed) dreamzero.State { return &stitchedKept{Managed: m} }),
		}, {
			Name: "counts buffers that were evicted", Breaks: []string{"ATT-06.objects"},
			Parts: adapted(func(m *dreamzero.Managed) dreamzero.State {
				return &stillCounted{Managed: m, bytes: map[string]int64{}}
			}),
		},
	}
}

// lost is a subject whose states lose some values when a buffer is evicted.
func lost(name, with string, values ...string) Fault {
	return Fault{Name: name, Breaks: []string{"ATT-06"}, Parts: adapted(func(m *dreamzero.Managed) dreamzero.State {
		return &losingValues{m, with, values}
	})}
}

type losingValues struct {
	*dreamzero.Managed
	with   string
	values []string
}

func (l *losingValues) Get(name string) (any, error) {
	if o, err := l.Session().Object(l.with); err == nil && !o.Resident() && slices.Contains(l.values, name) {
		return nil, nil
	}
	return l.Managed.Get(name)
}

// bufferedValue has its image features in an object of the session.
type bufferedValue struct{ *dreamzero.Managed }

func (b *bufferedValue) buffer() (object.StateObject, error) {
	return b.Session().GetOrCreate(dreamzero.ClipFeatures, func() (object.StateObject, error) {
		o := object.NewLatentBuffer(dreamzero.ClipFeatures)
		return o, o.Allocate(object.Bound{Unit: object.Payloads, N: 1})
	}, nil)
}

func (b *bufferedValue) Set(name string, value any) error {
	t, is := value.(*tensor.Tensor)
	if name != dreamzero.ClipFeatures || !is {
		return b.Managed.Set(name, value)
	}
	o, err := b.buffer()
	if err != nil {
		return err
	}
	return o.Commit(t)
}

func (b *bufferedValue) Get(name string) (any, error) {
	if name != dreamzero.ClipFeatures {
		return b.Managed.Get(name)
	}
	o, err := b.buffer()
	if err != nil {
		return nil, err
	}
	payloads, err := o.View(object.ViewOptions{})
	if err != nil || len(payloads) == 0 {
		return nil, err
	}
	return payloads[0], nil
}

// latentsKept remembers the video latents that it showed.
type latentsKept struct {
	*dreamzero.Managed
	shown *tensor.Tensor
}

func (k *latentsKept) ConcatenatedVideoLatents() (*tensor.Tensor, error) {
	if !resident(k.Managed, dreamzero.VideoLatents) && k.shown != nil {
		return k.shown, nil
	}
	out, err := k.Managed.ConcatenatedVideoLatents()
	k.shown = out
	return out, err
}

// outputKept remembers the latent frames that it showed.
type outputKept struct {
	*dreamzero.Managed
	shown *tensor.Tensor
}

func (k *outputKept) ObserveLatents(n int) (*tensor.Tensor, error) {
	if !resident(k.Managed, dreamzero.EncoderOut) && k.shown != nil {
		return k.shown, nil
	}
	out, err := k.Managed.ObserveLatents(n)
	k.shown = out
	return out, err
}

// framesCounted remembers how many frames its stream had.
type framesCounted struct {
	*dreamzero.Managed
	frames int
}

func (c *framesCounted) AppendEncoderChunk(chunk *tensor.Tensor) error {
	err := c.Managed.AppendEncoderChunk(chunk)
	c.frames = c.Managed.EncoderFrames()
	return err
}

func (c *framesCounted) EncoderFrames() int {
	if !resident(c.Managed, dreamzero.EncoderOut) {
		return c.frames
	}
	return c.Managed.EncoderFrames()
}

// stitchedKept brings its frames back.
type stitchedKept struct {
	*dreamzero.Managed
	last *tensor.Tensor
}

func (k *stitchedKept) AccumulateFrames(frames *tensor.Tensor) (*tensor.Tensor, error) {
	o, err := k.Session().Object(dreamzero.StitchedFrames)
	if ring, is := o.(*object.LatentBuffer); err == nil && is && !ring.Resident() && k.last != nil {
		if err := ring.Allocate(object.Bound{Unit: object.Frames, N: dreamzero.FramesPerChunk}); err != nil {
			return nil, err
		}
		if err := ring.Append(k.last); err != nil {
			return nil, err
		}
	}
	out, err := k.Managed.AccumulateFrames(frames)
	k.last = out
	return out, err
}

// stillCounted reports the bytes that a buffer had.
type stillCounted struct {
	*dreamzero.Managed
	bytes map[string]int64
}

func (c *stillCounted) AppendVideoLatents(latents *tensor.Tensor) error {
	err := c.Managed.AppendVideoLatents(latents)
	c.bytes[dreamzero.VideoLatents], _ = c.Managed.Bytes(dreamzero.VideoLatents)
	return err
}

func (c *stillCounted) Bytes(name string) (int64, error) {
	if n, counted := c.bytes[name]; counted && !resident(c.Managed, name) {
		return n, nil
	}
	return c.Managed.Bytes(name)
}

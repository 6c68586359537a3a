package rollout

import (
	"fmt"

	"github.com/zeebo/xxh3"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/tensor"
)

// A Step is what one forward of one session did and left.
type Step struct {
	Index   int
	Session int
	Reason  dreamzero.Reason // of the reset before it

	Observed *tensor.Tensor // the latents observed, (B, C, T, H, W)
	Chunk    *tensor.Tensor // the video chunk, (B, T, C, H, W) of bfloat16
	Frame    *tensor.Tensor // the newest stitched frame, (H, W, C) of uint8
	Action   [LatentFrames]float32
	Counters Counters

	Digests    [Entries]uint64 // xxh3 of each entry of the feature map; zero before the seed
	FeatureMap FeatureMap      // the state's own

	Held   Bytes // at the end of the step
	Chunks int   // encoded by all sessions so far, seeds included
}

// Counters are the whole numbers of a step.
type Counters struct {
	Session, SessionStep, Prompt         int64
	Reset                                int64 // 0 none, 1 session, 2 window
	Frames                               int64 // that accumulation returned
	Pending                              int64 // frames that wait for a chunk
	CallCount, CurrentStartFrame, Stream int64 // as the state has them; Stream is 1 once it is seeded
	Retained                             int64 // sessions
	Rows, Columns                        int64 // the action in pixels
}

// Bytes are the storage bytes that a session's state holds.
type Bytes struct {
	ByName      map[string]int64 // by the names of package dreamzero, Buffers and Carried
	Total       int64
	PendingPeak int64 // of the pending frames, at the moment that they were most
}

// A forward is one step while it is done.
type forward struct {
	*Rollout
	state  dreamzero.State
	client *client
	memory *memory
	step   *Step
}

// step does one forward.
func (r *Rollout) step(n int) (*Step, error) {
	session := r.options.Profile.serves(n)
	id := SessionID(session)
	state, err := r.open(id)
	if err != nil {
		return nil, err
	}
	f := forward{Rollout: r, state: state, client: r.client(session), memory: r.engine[id], step: &Step{Index: n, Session: session}}
	for _, part := range []func() error{f.reset, f.watch, f.encode, f.generate, f.count, f.measure} {
		if err := part(); err != nil {
			return nil, err
		}
	}
	f.client.steps++
	return f.step, nil
}

// reset asks the state whether one is due, and does it.
func (f *forward) reset() error {
	tokens, err := f.client.tokens(f.options)
	if err != nil {
		return err
	}
	calls, err := get[int](f.state, dreamzero.CallCount)
	if err != nil {
		return err
	}
	brought := bodyFrames
	if calls == 0 || f.client.restarts(f.options.Profile) {
		brought = 1
	}
	if f.step.Reason, err = f.state.ResetReason(tokens, brought, LocalAttention); err != nil {
		return err
	}
	switch f.step.Reason {
	case dreamzero.SessionReason:
		return f.resetSession(tokens)
	case dreamzero.InferenceReason:
		f.memory.before = nil
		f.step.Counters.Reset = 2
		return f.state.WindowReset()
	}
	return nil
}

// resetSession starts the session over, with a prompt.
func (f *forward) resetSession(tokens *tensor.Tensor) error {
	f.step.Counters.Reset = 1
	if err := f.state.SessionReset(); err != nil {
		return err
	}
	f.stream.maps.release(f.memory.lent)
	*f.memory = memory{}
	embedding, err := embed(tokens)
	if err != nil {
		return err
	}
	if err := f.state.Set(dreamzero.Language, tokens); err != nil {
		return err
	}
	return f.state.Set(dreamzero.PromptEmbeds, embedding)
}

// watch looks through the cameras, and at the image once a window.
func (f *forward) watch() error {
	frame, err := stitch(f.options.Profile, f.client.cameras, f.client.steps, f.client.actions)
	if err != nil {
		return err
	}
	clip, err := f.state.AccumulateFrames(frame)
	if err != nil {
		return err
	}
	if f.step.Frame, err = newest(clip); err != nil {
		return err
	}
	f.step.Counters.Frames = int64(clip.Dim(0))
	for i, name := range []string{dreamzero.ClipFeatures, dreamzero.ImageCondition} {
		seen, err := f.state.Get(name)
		if err != nil {
			return err
		}
		if seen != nil {
			continue
		}
		features, err := imageFeatures(f.step.Frame, &f.stream.encoder.centred, 1+i*LatentChannels)
		if err != nil {
			return err
		}
		if err := f.state.Set(name, features); err != nil {
			return err
		}
	}
	return nil
}

// encode hands the newest frame to the encoder.
func (f *forward) encode() error {
	t, err := f.stream.take(f.state, f.step.Frame)
	if err != nil {
		return err
	}
	f.step.Held.PendingPeak = t.pending
	if t.next == nil {
		return nil
	}
	f.memory.lent, f.chunks = t.next, f.chunks+1
	share(f.options.Workers, len(t.next), func() struct{} { return struct{}{} }, func(_ struct{}, i int) {
		bytes, _ := t.next[i].Bytes()
		f.memory.digests[i] = xxh3.Hash(bytes)
	})
	return nil
}

// generate observes, makes a chunk, keeps it, and acts.
func (f *forward) generate() error {
	var err error
	if f.step.Observed, err = f.state.ObserveLatents(LatentFrames); err != nil {
		return err
	}
	conditions := make([]*tensor.Tensor, 0, 3)
	for _, name := range []string{dreamzero.PromptEmbeds, dreamzero.ClipFeatures, dreamzero.ImageCondition} {
		condition, err := get[*tensor.Tensor](f.state, name)
		if err != nil {
			return err
		}
		conditions = append(conditions, condition)
	}
	if f.step.Chunk, err = f.denoiser.chunk(f.step.Observed, f.memory.before, conditions...); err != nil {
		return err
	}
	f.memory.before = f.step.Chunk
	if err := f.state.AppendVideoLatents(f.step.Chunk); err != nil {
		return err
	}
	start, err := get[int](f.state, dreamzero.CurrentStartFrame)
	if err != nil {
		return err
	}
	if err := f.state.Set(dreamzero.CurrentStartFrame, start+LatentFrames); err != nil {
		return err
	}
	if f.step.Action, err = act(f.options.Profile, f.step.Chunk); err != nil {
		return err
	}
	moved := shift(f.step.Action)
	f.client.actions.Rows += moved.Rows
	f.client.actions.Columns += moved.Columns
	f.step.Counters.Rows, f.step.Counters.Columns = int64(moved.Rows), int64(moved.Columns)
	return nil
}

// count notes the whole numbers.
func (f *forward) count() error {
	calls, err := get[int](f.state, dreamzero.CallCount)
	if err != nil {
		return err
	}
	start, err := get[int](f.state, dreamzero.CurrentStartFrame)
	if err != nil {
		return err
	}
	seeded, err := get[bool](f.state, dreamzero.StreamInitialized)
	if err != nil {
		return err
	}
	waiting, err := get[[]*tensor.Tensor](f.state, dreamzero.PendingFrames)
	if err != nil {
		return err
	}
	c := &f.step.Counters
	c.Session, c.SessionStep, c.Prompt = int64(f.step.Session), int64(f.client.steps), int64(f.client.prompt(f.options.Profile))
	c.CallCount, c.CurrentStartFrame, c.Pending = int64(calls), int64(start), int64(len(waiting))
	if seeded {
		c.Stream = 1
	}
	c.Retained = int64(len(f.store.Retained()))
	return nil
}

// measure notes what the state holds.
func (f *forward) measure() error {
	held := &f.step.Held
	held.ByName = make(map[string]int64, len(byteNames()))
	for _, name := range byteNames() {
		n, err := f.state.Bytes(name)
		if err != nil {
			return err
		}
		held.ByName[name] = n
		held.Total += n
	}
	var err error
	f.step.FeatureMap, err = get[FeatureMap](f.state, dreamzero.FeatureMap)
	f.step.Digests, f.step.Chunks = f.memory.digests, f.chunks
	return err
}

// byteNames are the values whose bytes are measured.
func byteNames() []string { return append(dreamzero.Buffers(), dreamzero.Carried()...) }

// get reads a carried value, the zero value when it is not set.
func get[T any](s dreamzero.State, name string) (value T, err error) {
	held, err := s.Get(name)
	if err != nil || held == nil {
		return value, err
	}
	value, ok := held.(T)
	if !ok {
		return value, fmt.Errorf("%s is a %T, want a %T", name, held, value)
	}
	return value, nil
}

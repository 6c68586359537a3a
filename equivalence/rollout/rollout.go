package rollout

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/config"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/tensor"
)

// Options say what a rollout is of. They and the path decide every bit of it.
type Options struct {
	Profile Profile
	Seed    uint64
	Steps   int         // 0: the profile's
	DType   dtype.DType // of the quantiser and its latents: BFloat16 or Float32
	Fault   Fault
	Workers int // goroutines; 0: as many as Go has processors. It decides no bit.
}

// MaxSteps is the most steps of a rollout: days of the shipped one, and more than
// memory is there for.
const MaxSteps = 1_000_000

func (o Options) check() error {
	switch {
	case o.Profile.Sessions < 1:
		return fmt.Errorf("rollout of %d sessions: want at least 1", o.Profile.Sessions)
	case o.Steps < 0 || o.Steps > MaxSteps:
		return fmt.Errorf("rollout of %d steps: want 1 to %d, or 0 for the profile's", o.Steps, MaxSteps)
	case o.Workers < 0:
		return fmt.Errorf("rollout on %d workers: want at least 1, or 0 for all processors", o.Workers)
	case o.DType != dtype.BFloat16 && o.DType != dtype.Float32:
		return fmt.Errorf("rollout in %v: want %v or %v", o.DType, dtype.BFloat16, dtype.Float32)
	}
	_, err := FaultNamed(string(o.Fault))
	return err
}

// A Rollout is one run of the model on one path.
type Rollout struct {
	options  Options
	store    dreamzero.Store
	stream   *StreamEncoder
	denoiser *denoiser

	clients map[int]*client
	engine  map[string]*memory // of the sessions whose state is there
	chunks  int
}

// memory is what belongs to a session's state and lies outside it: the last
// chunk, which stands for the engine's attention cache, and what is known of
// the feature map that the state was last assigned.
type memory struct {
	before  *tensor.Tensor
	lent    FeatureMap
	digests [Entries]uint64
}

// New prepares a rollout on the path that a resolved config decides on. Both
// paths retain as many sessions as the config resolves.
func New(resolved config.Resolution, o Options) (*Rollout, error) {
	if o.Steps == 0 {
		o.Steps = o.Profile.Steps
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	quantiser, err := newQuantiser(o, o.Workers)
	if err != nil {
		return nil, err
	}
	store, err := dreamzero.Choose(resolved, nil, dreamzero.Options{Window: LatentFrames, Quantiser: quantiser, Cap: resolved.MaxSessions})
	if err != nil {
		return nil, err
	}
	stream, err := NewStreamEncoder(o.Profile, o.Seed, o.Workers)
	if err != nil {
		return nil, err
	}
	r := &Rollout{options: o, store: store, stream: stream, denoiser: newDenoiser(o.Profile, o.Seed),
		clients: map[int]*client{}, engine: map[string]*memory{}}
	if store.Path() == dreamzero.ManagedPath {
		stream.Pooled()
	}
	return r, nil
}

// Path returns the path that the rollout takes, as its store says.
func (r *Rollout) Path() string { return r.store.Path() }

// Options returns what it is of, with defaults filled in.
func (r *Rollout) Options() Options { return r.options }

// Run does the steps, one after the other, and hands each to the caller, which
// must not keep its tensors. It ends early with the caller's error or, between
// two steps, with the context's.
func (r *Rollout) Run(ctx context.Context, each func(*Step) error) error {
	for n := range r.options.Steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		step, err := r.step(n)
		if err != nil {
			return fmt.Errorf("step %d, %s: %w", n, SessionID(r.options.Profile.serves(n)), err)
		}
		if err := each(step); err != nil {
			return err
		}
		if every := r.options.Profile.EndEvery; every > 0 && n%every == every-1 {
			if err := r.end(step.Session); err != nil {
				return fmt.Errorf("step %d: end %s: %w", n, SessionID(step.Session), err)
			}
		}
	}
	return nil
}

// A Video is all of a session's chunks, joined.
type Video struct {
	Session string
	Latents *tensor.Tensor // (B, C, T, H, W)
}

// Videos returns what the sessions retained have of video latents. It is for
// the end of a rollout: it opens each of them.
func (r *Rollout) Videos(each func(Video) error) error {
	ids := r.store.Retained()
	slices.Sort(ids)
	for _, id := range ids {
		state, err := r.store.Open(id)
		if err != nil {
			return err
		}
		latents, err := state.ConcatenatedVideoLatents()
		if err != nil {
			return err
		}
		if latents == nil {
			continue
		}
		if err := each(Video{id, latents}); err != nil {
			return err
		}
	}
	return nil
}

// client returns who a session is of.
func (r *Rollout) client(session int) *client {
	if r.clients[session] == nil {
		r.clients[session] = newClient(r.options, session)
	}
	return r.clients[session]
}

// open finds the state of a session, and lets go of what belonged to those
// that made room for it.
func (r *Rollout) open(id string) (dreamzero.State, error) {
	state, err := r.store.Open(id)
	if err != nil {
		return nil, err
	}
	retained := r.store.Retained()
	for other := range r.engine {
		if !slices.Contains(retained, other) {
			r.forget(other)
		}
	}
	if r.engine[id] == nil {
		r.engine[id] = &memory{}
	}
	return state, nil
}

// end calls a session's close hook.
func (r *Rollout) end(session int) error {
	id := SessionID(session)
	if err := r.store.End(id); err != nil {
		return err
	}
	r.forget(id)
	return nil
}

// forget lets go of what belonged to a state that is gone.
func (r *Rollout) forget(id string) {
	if m := r.engine[id]; m != nil {
		r.stream.maps.release(m.lent)
		delete(r.engine, id)
	}
}

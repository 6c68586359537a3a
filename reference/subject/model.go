package subject

import (
	"fmt"
	"runtime"
	"sync"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/tensor"
	"github.com/statespec/statespec/spec"
)

type modelHandle struct {
	spec.MinimalModel
	sub   *Subject
	store dreamzero.Store
}

func (s *Subject) NewModel(m spec.ModelSpec) (spec.Model, error) {
	switch m.Model {
	case "dreamzero":
		return s.dreamZero(m)
	case "cosmos3":
		return s.cosmos3(m)
	}
	return nil, spec.Refuse(spec.Unsupported, "no model %q", m.Model)
}

func (s *Subject) dreamZero(m spec.ModelSpec) (spec.Model, error) {
	q, err := s.quantiser(m.Quant)
	if err != nil {
		return nil, err
	}
	o := dreamzero.Options{Window: dreamzero.DefaultWindow, Quantiser: q}
	if m.Window != nil {
		o.Window = *m.Window
	}
	if m.Cap != nil {
		o.Cap = *m.Cap
	}
	store, err := s.store(m, o)
	if err != nil {
		return nil, told(err)
	}
	if s.parts.Store != nil {
		store = s.parts.Store(store)
	}
	return s.heldModel(&modelHandle{sub: s, store: store}), nil
}

// store is the model's store of states, on the path that was asked for or that
// the configuration comes to.
func (s *Subject) store(m spec.ModelSpec, o dreamzero.Options) (dreamzero.Store, error) {
	var over dreamzero.Sessions
	if m.Manager != nil {
		over = TableOf(m.Manager)
	}
	switch m.Path {
	case spec.Bespoke:
		if s.parts.BespokeStore != nil {
			return s.parts.BespokeStore(o)
		}
		return dreamzero.NewBespokeStore(o)
	case spec.Managed:
		if s.parts.ManagedStore != nil {
			return s.parts.ManagedStore(over, o)
		}
		return dreamzero.NewManagedStore(over, o)
	case "":
		r, err := s.resolved(m.Config)
		if err != nil {
			return nil, err
		}
		if s.parts.Choose != nil {
			return s.parts.Choose(r, over, o)
		}
		return dreamzero.Choose(r, over, o)
	}
	return nil, noPath(m.Path)
}

func noPath(path string) error {
	return spec.Refuse(spec.InvalidArgument, "a path is %q or %q, not %q", spec.Bespoke, spec.Managed, path)
}

func (h *modelHandle) Path() (string, error) { return h.store.Path(), nil }

func (h *modelHandle) Open(ids ...string) (spec.State, error) {
	st, err := h.store.Open(oneID(ids))
	if err != nil {
		return nil, told(err)
	}
	return h.sub.heldState(&stateHandle{sub: h.sub, st: st}), nil
}

// oneID is the id of a session, empty when none was given.
func oneID(ids []string) string {
	if len(ids) == 0 {
		return ""
	}
	return ids[0]
}

func (h *modelHandle) End(id string) error { return told(h.store.End(id)) }

func (h *modelHandle) Release() error { return nil }

// quantiser is the model's, by its name in the port.
func (s *Subject) quantiser(name string) (dreamzero.Quantiser, error) {
	if s.parts.Quantiser != nil {
		return s.parts.Quantiser(name, s.threads)
	}
	return Quantiser(name, s.threads)
}

// Quantiser is the reference's own quantiser of a name, on so many threads; 0 is one
// a CPU.
func Quantiser(name string, threads int) (dreamzero.Quantiser, error) {
	switch name {
	case "", "identity":
		return dreamzero.Identity{}, nil
	case "pointwise":
		return &pointwise{threads: threads}, nil
	}
	return nil, spec.Refuse(spec.Unsupported, "no quantiser %q", name)
}

// QuantiserWeights are the weights of the pointwise quantiser, generated for as many
// channels.
func QuantiserWeights(channels int) (*dreamzero.Weights, error) {
	return dreamzero.GenerateWeights(channels, weightsSeed)
}

// pointwise makes the pointwise quantiser for as many channels as come.
type pointwise struct {
	threads int // 0: one a CPU
	made    sync.Map
}

// weightsSeed is that of the quantiser's generated weights; any would do.
const weightsSeed = 1

func (q *pointwise) Quantise(encoderOut *tensor.Tensor) (*tensor.Tensor, error) {
	if encoderOut.Rank() != 5 {
		return nil, fmt.Errorf("quantise %v: %d axes, want 5", encoderOut, encoderOut.Rank())
	}
	channels := encoderOut.Dim(1)
	if p, ok := q.made.Load(channels); ok {
		return p.(*dreamzero.Pointwise).Quantise(encoderOut)
	}
	w, err := QuantiserWeights(channels)
	if err != nil {
		return nil, err
	}
	threads := q.threads
	if threads == 0 {
		threads = runtime.NumCPU()
	}
	p, err := dreamzero.NewPointwise(w, threads)
	if err != nil {
		return nil, err
	}
	q.made.Store(channels, p)
	return p.Quantise(encoderOut)
}

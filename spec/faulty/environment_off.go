package faulty

import (
	"sync"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
)

// offPath holds faults of a model that nobody turned the manager on for.
func offPath() []Fault {
	return []Fault{
		zeroed("shows frames backwards where the variable says off", func(st dreamzero.State) dreamzero.State { return backwards{st} }),
		zeroed("loses precision where the variable says off", func(st dreamzero.State) dreamzero.State { return coarse{st} }),
		zeroed("keeps the prompt over a reset where the variable says off", func(st dreamzero.State) dreamzero.State { return prompted{st} }),
		zeroed("refuses a short window where the variable says off", func(st dreamzero.State) dreamzero.State { return strict{st} }),
		{
			Name: "warms the manager up while it is off", Breaks: []string{"OFF-02"},
			Parts: whileOff(func(m dreamzero.Sessions, id string) { _, _ = m.Session("warm for " + id) }),
		}, {
			Name: "counts a session that it does not keep while it is off", Breaks: []string{"OFF-02"},
			Parts: whileOff(func(m dreamzero.Sessions, id string) {
				if s, err := m.Session(id); err == nil {
					m.Drop(s.ID())
				}
			}),
		}, {
			Name: "leaves bytes in the manager while it is off", Breaks: []string{"OFF-02"},
			Parts: whileOff(func(m dreamzero.Sessions, id string) {
				if s, err := m.Session("mirror of " + id); err == nil {
					s.SetAttr("frames", make([]byte, 64))
				}
			}),
		}, {
			Name: "uses the first manager of the process while it is off", Breaks: []string{"OFF-02"},
			Parts: usingTheFirst,
		},
	}
}

// stated is a store whose states are other ones.
type stated struct {
	store
	as func(id string, st dreamzero.State) dreamzero.State
}

func (s stated) Open(id string) (dreamzero.State, error) {
	st, err := s.store.Open(id)
	if err != nil {
		return nil, err
	}
	return s.as(id, st), nil
}

// zeroed is a subject whose models are others where the variable says 0.
func zeroed(name string, as func(dreamzero.State) dreamzero.State) Fault {
	return Fault{Name: name, Breaks: []string{"OFF-01"}, Follows: []string{"EQV-08"}, Parts: deciding(func(d *decision, m modelOver) (store, error) {
		st, err := m.choose(d.Resolution)
		if err == nil && d.off() {
			st = stated{st, func(_ string, s dreamzero.State) dreamzero.State { return as(s) }}
		}
		return st, err
	})}
}

// whileOff is a subject whose bespoke path does something to the manager.
func whileOff(do func(m dreamzero.Sessions, id string)) func() subject.Parts {
	return deciding(func(d *decision, m modelOver) (store, error) {
		st, err := m.choose(d.Resolution)
		if err == nil && !d.Enabled && m.manager != nil {
			st = stated{st, func(id string, s dreamzero.State) dreamzero.State { do(m.manager, id); return s }}
		}
		return st, err
	})
}

// usingTheFirst opens a session in the manager that was made first, whatever
// manager a model was given.
func usingTheFirst() subject.Parts {
	var mu sync.Mutex
	var first *manager.Manager
	parts := whileOff(func(_ dreamzero.Sessions, id string) {
		mu.Lock()
		defer mu.Unlock()
		_, _ = first.Session("shadow of " + id)
	})()
	parts.Table = func(o manager.Options) (subject.Table, error) {
		m, err := manager.New(o)
		if err != nil {
			return nil, err
		}
		mu.Lock()
		defer mu.Unlock()
		if first == nil {
			first = m
		}
		return m, nil
	}
	return parts
}

type backwards struct{ dreamzero.State }

func (b backwards) AccumulateFrames(frames *tensor.Tensor) (*tensor.Tensor, error) {
	out, err := b.State.AccumulateFrames(frames)
	if err != nil {
		return nil, err
	}
	var turned []*tensor.Tensor
	for i := out.Dim(0) - 1; i >= 0; i-- {
		frame, err := out.Narrow(0, i, 1)
		if err != nil {
			return nil, err
		}
		turned = append(turned, frame)
	}
	return tensor.Cat(0, turned...)
}

type coarse struct{ dreamzero.State }

func (c coarse) ConcatenatedVideoLatents() (*tensor.Tensor, error) {
	out, err := c.State.ConcatenatedVideoLatents()
	if err != nil || out == nil {
		return nil, err
	}
	out = out.Clone()
	if b := out.Storage().Bytes(); len(b) > 0 {
		b[0] ^= 1 // the last bit of one element
	}
	return out, nil
}

type prompted struct{ dreamzero.State }

func (p prompted) SessionReset() error {
	language, err := p.State.Get(dreamzero.Language)
	if err != nil {
		return err
	}
	if err := p.State.SessionReset(); err != nil {
		return err
	}
	return p.State.Set(dreamzero.Language, language)
}

type strict struct{ dreamzero.State }

func (s strict) ObserveLatents(n int) (*tensor.Tensor, error) {
	if s.State.EncoderFrames() < n {
		return nil, fault.New(fault.ErrNotReady, "observe %d latent frames: not so many are held", n)
	}
	return s.State.ObserveLatents(n)
}

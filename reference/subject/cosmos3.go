package subject

import (
	"github.com/statespec/statespec/equivalence/cosmos3"
	"github.com/statespec/statespec/spec"
)

// cosmos3Model is Cosmos3 behind the port.
type cosmos3Model struct {
	spec.MinimalModel
	sub   *Subject
	store cosmos3.Store
}

func (s *Subject) cosmos3(m spec.ModelSpec) (spec.Model, error) {
	if m.Window != nil || m.Quant != "" {
		return nil, spec.Refuse(spec.InvalidArgument, "cosmos3 has neither a window nor a quantiser")
	}
	store, err := s.cosmos3Store(m)
	if err != nil {
		return nil, told(err)
	}
	if s.parts.Cosmos3 != nil {
		store = s.parts.Cosmos3(store)
	}
	return s.heldModel(&cosmos3Model{sub: s, store: store}), nil
}

// cosmos3Store is the store of states, on the path that was asked for or that
// the configuration comes to.
func (s *Subject) cosmos3Store(m spec.ModelSpec) (cosmos3.Store, error) {
	var o cosmos3.Options
	if m.Cap != nil {
		o.Cap = *m.Cap
	}
	var over cosmos3.Sessions
	if m.Manager != nil {
		over = TableOf(m.Manager)
	}
	switch m.Path {
	case spec.Bespoke:
		return cosmos3.NewBespokeStore(o)
	case spec.Managed:
		return cosmos3.NewManagedStore(over, o)
	case "":
		r, err := s.resolved(m.Config)
		if err != nil {
			return nil, err
		}
		return cosmos3.Choose(r, over, o)
	}
	return nil, noPath(m.Path)
}

func (h *cosmos3Model) Path() (string, error) { return h.store.Path(), nil }

func (h *cosmos3Model) Open(ids ...string) (spec.State, error) {
	st, err := h.store.Open(oneID(ids))
	if err != nil {
		return nil, told(err)
	}
	return h.sub.heldState(&cosmos3State{sub: h.sub, st: st}), nil
}

func (h *cosmos3Model) End(id string) error { return told(h.store.End(id)) }

func (h *cosmos3Model) Release() error { return nil }

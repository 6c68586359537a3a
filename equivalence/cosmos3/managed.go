package cosmos3

import (
	"errors"
	"slices"

	"github.com/statespec/statespec/reference/account"
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/tensor"
)

// Managed is the conditioning as an adapter over a session of the manager: it
// holds the session and nothing of its own, so that a second adapter sees what
// the first wrote.
type Managed struct{ session *manager.Session }

var _ State = (*Managed)(nil)

// NewManaged returns an adapter over a session.
func NewManaged(s *manager.Session) (*Managed, error) {
	if s == nil {
		return nil, fault.New(fault.ErrInvalidArgument, "adapter over a nil session")
	}
	return &Managed{session: s}, nil
}

// Path returns ManagedPath.
func (m *Managed) Path() string { return ManagedPath }

// Session returns the session that holds the state.
func (m *Managed) Session() *manager.Session { return m.session }

// Captured is State's.
func (m *Managed) Captured(b Branch) (bool, error) {
	if err := checkBranch("ask for a capture", b); err != nil {
		return false, err
	}
	depth, _, err := depths[b].Lookup(m.session)
	if err != nil || depth < 1 {
		return false, err
	}
	first, found := m.layer(b, 0)
	return found && first.Resident(), nil
}

// layer returns the object of a layer, false when the session has none.
func (m *Managed) layer(b Branch, layer int) (object.StateObject, bool) {
	obj, err := m.session.Object(layerName(b, layer))
	return obj, err == nil
}

// layers returns the objects of all layers that the branch ever had.
func (m *Managed) layers(b Branch) (all []object.StateObject) {
	for i := 0; ; i++ {
		obj, found := m.layer(b, i)
		if !found {
			return all
		}
		all = append(all, obj)
	}
}

// Capture is State's.
func (m *Managed) Capture(b Branch, c Conditioning) error {
	captured, err := m.Captured(b)
	if captured || err != nil {
		return err
	}
	frequencies, err := copied("capture", b, c.Frequencies)
	if err != nil {
		return err
	}
	layers, err := packed("capture", b, c.Layers)
	if err != nil {
		return err
	}
	ropeFrequencies[b].Set(m.session, frequencies)
	return m.replace(b, layers)
}

// SetLayers is State's.
func (m *Managed) SetLayers(b Branch, layers []Layer) error {
	if err := checkBranch("set layers", b); err != nil {
		return err
	}
	all, err := packed("set", b, layers)
	if err != nil {
		return err
	}
	return m.replace(b, all)
}

// replace puts layers in the stead of those of a branch. The first comes last:
// a branch that is interrupted in the middle is not captured.
func (m *Managed) replace(b Branch, layers []*tensor.Tensor) error {
	for _, obj := range m.layers(b) {
		if _, err := obj.Evict(); err != nil {
			return err
		}
	}
	depths[b].Set(m.session, len(layers))
	for i := len(layers) - 1; i >= 0; i-- {
		if err := m.store(layerName(b, i), layers[i]); err != nil {
			return err
		}
	}
	return nil
}

// store commits a tensor, which is the adapter's own, to the object of a name.
// What is there of another kind is replaced.
func (m *Managed) store(name string, layer *tensor.Tensor) error {
	if obj, err := m.session.Object(name); err == nil {
		if once, ok := obj.(*object.EncodeOnce); ok {
			return once.Commit(layer)
		}
	}
	once := object.NewEncodeOnce(name, object.KeepReferences())
	if err := once.Commit(layer); err != nil {
		return err
	}
	return m.session.Put(name, once)
}

// Load is State's.
func (m *Managed) Load(b Branch) (Conditioning, error) {
	captured, err := m.Captured(b)
	if err != nil {
		return Conditioning{}, err
	}
	frequencies, _, err := ropeFrequencies[b].Lookup(m.session)
	c := Conditioning{Frequencies: slices.Clone(frequencies)}
	if !captured || err != nil {
		return c, err
	}
	depth := depths[b].Get(m.session)
	for i := range depth {
		obj, found := m.layer(b, i)
		if !found || !obj.Resident() {
			return Conditioning{}, partial(b, i, depth)
		}
		layer, err := read(obj)
		if err != nil {
			return Conditioning{}, err
		}
		c.Layers = append(c.Layers, layer)
	}
	return c, nil
}

// read returns the keys and values that an object holds.
func read(obj object.StateObject) (Layer, error) {
	both, err := obj.View(object.ViewOptions{})
	if err != nil {
		return Layer{}, err
	}
	return unpacked(both[0])
}

// EvictLayer is State's.
func (m *Managed) EvictLayer(b Branch, layer int) (freed int64, found bool, err error) {
	if err := checkBranch("evict a layer", b); err != nil {
		return 0, false, err
	}
	obj, found := m.layer(b, layer)
	if !found {
		return 0, false, nil
	}
	freed, err = obj.Evict()
	return freed, true, err
}

// Reset is State's. It clears Cosmos3's values and leaves those of others in
// the session.
func (m *Managed) Reset() error {
	var failed []error
	for _, b := range Branches() {
		for _, obj := range m.layers(b) {
			failed = append(failed, obj.Reset())
		}
		depths[b].Clear(m.session)
		ropeFrequencies[b].Clear(m.session)
	}
	return errors.Join(failed...)
}

// Bytes is State's.
func (m *Managed) Bytes(b Branch) (int64, error) {
	if err := checkBranch("count bytes", b); err != nil {
		return 0, err
	}
	return account.Measure(m.layers(b), ropeFrequencies[b].Get(m.session)).Total, nil
}

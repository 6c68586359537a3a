package cosmos3

import (
	"slices"

	"github.com/statespec/statespec/reference/account"
	"github.com/statespec/statespec/reference/tensor"
)

// Bespoke is the conditioning as a model keeps it by hand: plain fields.
type Bespoke struct{ branches map[Branch]*fields }

// fields are one branch. Layers are keys and values in one tensor, nil where
// they were released; there may be more than the branch has now.
type fields struct {
	layers      []*tensor.Tensor
	depth       int
	frequencies []*tensor.Tensor
}

var _ State = (*Bespoke)(nil)

// NewBespoke returns an empty state.
func NewBespoke() *Bespoke {
	b := &Bespoke{branches: map[Branch]*fields{}}
	for _, branch := range Branches() {
		b.branches[branch] = &fields{}
	}
	return b
}

// Path returns BespokePath.
func (s *Bespoke) Path() string { return BespokePath }

// Captured is State's.
func (s *Bespoke) Captured(b Branch) (bool, error) {
	if err := checkBranch("ask for a capture", b); err != nil {
		return false, err
	}
	return s.branches[b].captured(), nil
}

func (f *fields) captured() bool { return f.depth > 0 && f.layers[0] != nil }

// Capture is State's.
func (s *Bespoke) Capture(b Branch, c Conditioning) error {
	captured, err := s.Captured(b)
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
	s.branches[b].frequencies = frequencies
	s.branches[b].replace(layers)
	return nil
}

// SetLayers is State's.
func (s *Bespoke) SetLayers(b Branch, layers []Layer) error {
	if err := checkBranch("set layers", b); err != nil {
		return err
	}
	all, err := packed("set", b, layers)
	if err != nil {
		return err
	}
	s.branches[b].replace(all)
	return nil
}

// replace puts layers in the stead of those of a branch.
func (f *fields) replace(layers []*tensor.Tensor) {
	clear(f.layers)
	for len(f.layers) < len(layers) {
		f.layers = append(f.layers, nil)
	}
	copy(f.layers, layers)
	f.depth = len(layers)
}

// Load is State's.
func (s *Bespoke) Load(b Branch) (Conditioning, error) {
	captured, err := s.Captured(b)
	if err != nil {
		return Conditioning{}, err
	}
	f := s.branches[b]
	c := Conditioning{Frequencies: slices.Clone(f.frequencies)}
	if !captured {
		return c, nil
	}
	for i, both := range f.layers[:f.depth] {
		if both == nil {
			return Conditioning{}, partial(b, i, f.depth)
		}
		layer, err := unpacked(both)
		if err != nil {
			return Conditioning{}, err
		}
		c.Layers = append(c.Layers, layer)
	}
	return c, nil
}

// EvictLayer is State's.
func (s *Bespoke) EvictLayer(b Branch, layer int) (freed int64, found bool, err error) {
	if err := checkBranch("evict a layer", b); err != nil {
		return 0, false, err
	}
	f := s.branches[b]
	if layer < 0 || layer >= len(f.layers) {
		return 0, false, nil
	}
	freed = account.Measure(f.layers[layer]).Total
	f.layers[layer] = nil
	return freed, true, nil
}

// Reset is State's.
func (s *Bespoke) Reset() error {
	for _, f := range s.branches {
		clear(f.layers)
		f.depth, f.frequencies = 0, nil
	}
	return nil
}

// Bytes is State's.
func (s *Bespoke) Bytes(b Branch) (int64, error) {
	if err := checkBranch("count bytes", b); err != nil {
		return 0, err
	}
	return account.Measure(s.branches[b].layers, s.branches[b].frequencies).Total, nil
}

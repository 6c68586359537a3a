package cosmos3

import (
	"slices"

	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/tensor"
)

// A Branch is a side of classifier-free guidance.
type Branch string

// The branches.
const (
	Positive Branch = "positive"
	Negative Branch = "negative"
)

// Branches returns both.
func Branches() []Branch { return []Branch{Positive, Negative} }

// A Layer is what the attention of one layer reads of the prompt: keys and
// values, of one shape and one dtype.
type Layer struct{ Keys, Values *tensor.Tensor }

// Conditioning is one branch: its layers, the first first, and the RoPE
// frequencies that go with them, tensors as the transformer made them. Either
// is nil where there is none.
type Conditioning struct {
	Layers      []Layer
	Frequencies []*tensor.Tensor
}

// checkBranch refuses a branch that guidance does not have.
func checkBranch(call string, b Branch) error {
	if !slices.Contains(Branches(), b) {
		return fault.New(fault.ErrInvalidArgument, "%s: no branch %q; there are %q", call, string(b), Branches())
	}
	return nil
}

// packed copies layers, each into a tensor of its own: keys and then values
// along a new first axis, so that a layer is one storage.
func packed(call string, b Branch, layers []Layer) ([]*tensor.Tensor, error) {
	if len(layers) == 0 {
		return nil, fault.New(fault.ErrInvalidArgument, "%s the %s branch: it brings no layer", call, b)
	}
	all := make([]*tensor.Tensor, len(layers))
	for i, layer := range layers {
		if err := checkLayer(call, b, i, layer); err != nil {
			return nil, err
		}
		first := append([]int{1}, layer.Keys.Shape()...)
		keys, err := layer.Keys.Expand(first...)
		if err != nil {
			return nil, err
		}
		values, err := layer.Values.Expand(first...)
		if err != nil {
			return nil, err
		}
		if all[i], err = tensor.Cat(0, keys, values); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// unpacked is the layer that packed made a tensor of, as views of it.
func unpacked(both *tensor.Tensor) (l Layer, err error) {
	if l.Keys, err = both.Select(0, 0); err != nil {
		return Layer{}, err
	}
	if l.Values, err = both.Select(0, 1); err != nil {
		return Layer{}, err
	}
	return l, nil
}

func checkLayer(call string, b Branch, i int, l Layer) error {
	for _, t := range []*tensor.Tensor{l.Keys, l.Values} {
		if t == nil {
			return fault.New(fault.ErrInvalidArgument, "%s the %s branch: layer %d lacks its keys or values", call, b, i)
		}
		if !t.Storage().Readable() {
			return fault.New(fault.ErrNotAddressable, "%s the %s branch: layer %d has %v; copy it to the host first", call, b, i, t)
		}
	}
	if l.Keys.DType() != l.Values.DType() {
		return fault.New(fault.ErrTypeMismatch, "%s the %s branch: layer %d has keys %v and values %v", call, b, i, l.Keys, l.Values)
	}
	if !l.Keys.SameShape(l.Values) {
		return fault.New(fault.ErrShapeMismatch, "%s the %s branch: layer %d has keys %v and values %v", call, b, i, l.Keys, l.Values)
	}
	return nil
}

// copied copies frequencies, of which a transformer makes at least one tensor.
func copied(call string, b Branch, frequencies []*tensor.Tensor) ([]*tensor.Tensor, error) {
	if len(frequencies) == 0 {
		return nil, fault.New(fault.ErrInvalidArgument, "%s the %s branch: it brings no RoPE frequencies", call, b)
	}
	all := make([]*tensor.Tensor, len(frequencies))
	for i, t := range frequencies {
		switch {
		case t == nil:
			return nil, fault.New(fault.ErrInvalidArgument, "%s the %s branch: of its %d tensors of RoPE frequencies the one at %d is nil", call, b, len(frequencies), i)
		case !t.Storage().Readable():
			return nil, fault.New(fault.ErrNotAddressable, "%s the %s branch: its RoPE frequencies have %v; copy it to the host first", call, b, t)
		}
		var err error
		if all[i], err = t.Copy(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// partial refuses to read a branch of which layers are gone.
func partial(b Branch, missing, depth int) error {
	return fault.New(fault.ErrNotResident, "load the %s branch: layer %d of its %d is gone; set it again, or reset the session", b, missing, depth)
}

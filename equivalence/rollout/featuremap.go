package rollout

import (
	"fmt"
	"slices"

	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/tensor"
)

// A FeatureMap is the value of vae_enc_feat_map: one tensor an entry, in the
// order of the layout. It is a plain list, as models keep it.
type FeatureMap = []*tensor.Tensor

// newFeatureMap returns a map for so many chunks over storages of its own.
func newFeatureMap(layout []Entry, chunks int) (FeatureMap, error) {
	m := make(FeatureMap, len(layout))
	for i, e := range layout {
		var err error
		if m[i], err = tensor.New(dtype.BFloat16, e.Shape(e.FramesAfter(chunks))...); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// held is a map taken apart for the encoder to read or write. The zero held is
// the map before the seed: no entry has a frame.
type held [Entries]struct {
	bytes  []byte
	frames int
}

// open takes a map of this layout apart. Nil is the map before the seed.
func open(m FeatureMap, layout []Entry) (h held, err error) {
	if m == nil {
		return h, nil
	}
	if len(m) != len(layout) {
		return h, fmt.Errorf("feature map of %d entries: the encoder has %d", len(m), len(layout))
	}
	for i, e := range layout {
		t := m[i]
		frames := 0
		if t != nil && t.Rank() == 5 {
			frames = t.Dim(2)
		}
		if frames < 1 || frames > e.Frames || t.DType() != dtype.BFloat16 || !slices.Equal(t.Shape(), e.Shape(frames)) {
			return h, fmt.Errorf("feature map entry %d, %s: it is %v, want bfloat16%v", i, e.Name, t, e.Shape(e.Frames))
		}
		bytes, compact := t.Bytes()
		if !compact {
			return h, fmt.Errorf("feature map entry %d, %s: %v is not contiguous", i, e.Name, t)
		}
		h[i].bytes, h[i].frames = bytes, frames
	}
	return h, nil
}

package cosmos3

import (
	"fmt"

	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/tensor"
)

// layerName is the state object of a layer.
func layerName(b Branch, layer int) string { return fmt.Sprintf("und_kv.%s.%d", b, layer) }

// The attributes of the managed path, one of each a branch. They are
// descriptors; the values are the session's.
var (
	ropeFrequencies = map[Branch]manager.Attr[[]*tensor.Tensor]{
		Positive: manager.NewAttr[[]*tensor.Tensor]("gen_rope_freqs.positive", nil),
		Negative: manager.NewAttr[[]*tensor.Tensor]("gen_rope_freqs.negative", nil),
	}

	// What is resident does not say how deep a branch is: when its last layers
	// are evicted, they have to be missed.
	depths = map[Branch]manager.Attr[int]{
		Positive: manager.NewAttr("und_kv_layers.positive", 0),
		Negative: manager.NewAttr("und_kv_layers.negative", 0),
	}
)

package subject

import (
	"sync"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/equivalence/rollout"
	"github.com/statespec/statespec/reference/tensor"
	"github.com/statespec/statespec/spec"
)

// NewShipped is a factory of the reference with an encoder of the shipped size,
// which takes about a second for four frames, and up to two gigabytes.
var NewShipped spec.Factory = Assemble(func() Parts { return Parts{Encode: ShippedEncoder()} })

// encoderSeed is that of the encoder's generated weights; any would do.
const encoderSeed = 1

// ShippedEncoder is [Parts.Encode] with the encoder of package rollout. It is made
// when it is first used.
func ShippedEncoder() func(st dreamzero.State, clip *tensor.Tensor) error {
	made := sync.OnceValues(func() (*rollout.StreamEncoder, error) {
		s, err := rollout.NewStreamEncoder(rollout.Shipped, encoderSeed, 0)
		if err != nil {
			return nil, err
		}
		return s.Pooled(), nil
	})
	return func(st dreamzero.State, clip *tensor.Tensor) error {
		encoder, err := made()
		if err != nil {
			return err
		}
		return encoder.Encode(st, clip)
	}
}

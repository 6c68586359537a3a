package faulty

import (
	"encoding/binary"
	"math"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/tensor"
)

// partedBits are faults of values that were to be carried and were calculated
// with.
func partedBits() []Fault {
	return []Fault{
		{
			Name: "makes one NaN of all in the video latents of the managed path", Breaks: []string{"EQV-10"},
			Parts: statesOn(managedPath, func(s *alteredState) { s.add = s.adding(each32(oneNaN)) }),
		}, {
			Name: "makes one NaN of all in the video latents of both paths", Breaks: []string{"EQV-10"},
			Parts: statesOn(bothPaths, func(s *alteredState) { s.add = s.adding(each32(oneNaN)) }),
		}, {
			Name: "loses the sign of zero in stitched frames on the bespoke path", Breaks: []string{"EQV-10"},
			Parts: statesOn(bespokePath, func(s *alteredState) {
				s.accumulate = func(clip *tensor.Tensor) (*tensor.Tensor, error) {
					return s.State.AccumulateFrames(each32(unsignedZero)(clip))
				}
			}),
		}, {
			Name: "flushes subnormals of encoder chunks to zero on the managed path", Breaks: []string{"EQV-10"},
			Parts: statesOn(managedPath, func(s *alteredState) {
				s.seed = func(chunk *tensor.Tensor) error { return s.State.SeedEncoder(each32(flushed)(chunk)) }
			}),
		}, {
			Name: "quiets signalling NaNs of image features on the bespoke path", Breaks: []string{"EQV-10"},
			Parts: statesOn(bespokePath, func(s *alteredState) {
				s.set = func(name string, value any) error {
					if t, is := value.(*tensor.Tensor); is && name == dreamzero.ClipFeatures && hasOdd(t) {
						value = each32(quieted)(t)
					}
					return s.State.Set(name, value)
				}
			}),
		}, {
			Name: "flushes subnormals of the feature map to zero on the managed path", Breaks: []string{"EQV-10"},
			Parts: statesOn(managedPath, func(s *alteredState) {
				s.set = func(name string, value any) error {
					if l, is := value.(*[]any); is && name == dreamzero.FeatureMap {
						for i, entry := range *l {
							if t, is := entry.(*tensor.Tensor); is && hasOdd(t) {
								(*l)[i] = each32(flushed)(t)
							}
						}
					}
					return s.State.Set(name, value)
				}
			}),
		},
	}
}

// each32 changes the elements of float tensors, as their float32 bits; others are
// left. The bits that a bfloat16 lacks are zero, and lost.
func each32(change func(bits uint32) uint32) func(*tensor.Tensor) *tensor.Tensor {
	return func(t *tensor.Tensor) *tensor.Tensor {
		if t == nil || t.DType() != dtype.Float32 && t.DType() != dtype.BFloat16 {
			return t
		}
		t = t.Clone()
		raw, size := t.Storage().Bytes(), t.DType().Size()
		for at := 0; at < len(raw); at += size {
			if size == 4 {
				binary.LittleEndian.PutUint32(raw[at:], change(binary.LittleEndian.Uint32(raw[at:])))
			} else {
				bits := change(uint32(binary.LittleEndian.Uint16(raw[at:])) << 16)
				binary.LittleEndian.PutUint16(raw[at:], uint16(bits>>16))
			}
		}
		return t
	}
}

func oneNaN(bits uint32) uint32 {
	if isNaN(bits) {
		return 0x7fc00000
	}
	return bits
}

func quieted(bits uint32) uint32 {
	if isNaN(bits) {
		return bits | 0x00400000
	}
	return bits
}

func unsignedZero(bits uint32) uint32 {
	if bits == 1<<31 {
		return 0
	}
	return bits
}

func flushed(bits uint32) uint32 {
	if isSubnormal(bits) {
		return bits & (1 << 31)
	}
	return bits
}

func isNaN(bits uint32) bool { f := math.Float32frombits(bits); return f != f }

func isSubnormal(bits uint32) bool { return bits&0x7f800000 == 0 && bits&0x007fffff != 0 }

// hasOdd says whether a tensor has an element that such a change may change: what
// has none is left as it is, itself.
func hasOdd(t *tensor.Tensor) bool {
	odd := false
	each32(func(bits uint32) uint32 {
		odd = odd || isNaN(bits) || isSubnormal(bits)
		return bits
	})(t)
	return odd
}

package equivalence

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/statespec/statespec/spec"
)

// joined is tensors one behind the other along an axis. They are of one dtype
// and, but for that axis, of one shape, and small enough to carry their bytes.
func joined(axis int, parts []spec.Reading) spec.Reading {
	r := parts[0]
	r.Shape, r.Bytes = slices.Clone(r.Shape), nil
	r.Shape[axis] = 0
	outer := 1
	for _, d := range r.Shape[:axis] {
		outer *= d
	}
	for _, p := range parts {
		r.Shape[axis] += p.Shape[axis]
	}
	for i := range outer {
		for _, p := range parts {
			row := len(p.Bytes) / outer
			r.Bytes = append(r.Bytes, p.Bytes[i*row:(i+1)*row]...)
		}
	}
	sum := sha256.Sum256(r.Bytes)
	r.SHA256 = hex.EncodeToString(sum[:])
	return r
}

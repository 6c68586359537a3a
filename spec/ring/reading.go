package ring

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/statespec/statespec/spec"
)

// cat is chunks, one behind the other along the time axis. They are of one dtype
// and, but for that axis, of one shape, and small enough to carry their bytes.
func cat(chunks ...spec.Reading) spec.Reading {
	r := chunks[0]
	r.Shape = slices.Clone(r.Shape)
	r.Shape[axis], r.Bytes = 0, nil
	for _, c := range chunks {
		r.Shape[axis] += c.Shape[axis]
	}
	for i := range outer(r) {
		for _, c := range chunks {
			row := rowBytes(c)
			r.Bytes = append(r.Bytes, c.Bytes[i*row:(i+1)*row]...)
		}
	}
	return digested(r)
}

// frames is what lies from one index of the time axis to another.
func frames(of spec.Reading, from, to int) spec.Reading {
	row := rowBytes(of)
	frame := row / max(of.Shape[axis], 1)
	r := of
	r.Shape = slices.Clone(of.Shape)
	r.Shape[axis], r.Bytes = to-from, nil
	for i := range outer(of) {
		r.Bytes = append(r.Bytes, of.Bytes[i*row+from*frame:i*row+to*frame]...)
	}
	return digested(r)
}

// outer is how many runs of the time axis a tensor has.
func outer(r spec.Reading) int {
	n := 1
	for _, d := range r.Shape[:axis] {
		n *= d
	}
	return n
}

// rowBytes is how long one run of the time axis is.
func rowBytes(r spec.Reading) int { return len(r.Bytes) / outer(r) }

func digested(r spec.Reading) spec.Reading {
	sum := sha256.Sum256(r.Bytes)
	r.SHA256 = hex.EncodeToString(sum[:])
	return r
}

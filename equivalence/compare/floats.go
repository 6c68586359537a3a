package compare

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/statespec/statespec/equivalence/element"
)

const maxFloat = math.MaxFloat64

// offBy keeps the largest difference of two numbers.
func (t *tally) offBy(x, y float64) { t.off = max(t.off, math.Abs(x-y)) }

// float32s is element for the type that most artefacts have: it is what takes the
// time where most elements differ.
func (t *tally) float32s(m uint64, a, b []byte, at int64) {
	const sign, infinity = 1 << 31, 0x7f800000
	off := t.off
	for ; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		x, y := binary.LittleEndian.Uint32(a[4*i:]), binary.LittleEndian.Uint32(b[4*i:])
		mx, my := int64(x&^sign), int64(y&^sign)
		if mx > infinity || my > infinity {
			t.notANumber(element.Bits{Low: uint64(x)}, element.Bits{Low: uint64(y)})
			continue
		}
		off = max(off, math.Abs(float64(math.Float32frombits(x))-float64(math.Float32frombits(y))))
		sx, sy := int64(int32(x)>>31), int64(int32(y)>>31)
		t.distance(apart(mx, sx, my, sy), at+int64(i))
	}
	t.off = off
}

// float16s is the same for float16 and bfloat16.
func (t *tally) float16s(m uint64, a, b []byte, at int64) {
	const sign = 1 << 15
	infinity, bfloat := int64(t.typ.Infinity()), t.typ.Name == "bfloat16"
	for ; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		x, y := binary.LittleEndian.Uint16(a[2*i:]), binary.LittleEndian.Uint16(b[2*i:])
		mx, my := int64(x&^sign), int64(y&^sign)
		if mx > infinity || my > infinity {
			t.notANumber(element.Bits{Low: uint64(x)}, element.Bits{Low: uint64(y)})
			continue
		}
		if bfloat {
			t.offBy(float64(math.Float32frombits(uint32(x)<<16)), float64(math.Float32frombits(uint32(y)<<16)))
		} else {
			vx, _ := t.typ.Value(element.Bits{Low: uint64(x)})
			vy, _ := t.typ.Value(element.Bits{Low: uint64(y)})
			t.offBy(vx, vy)
		}
		sx, sy := int64(int16(x)>>15), int64(int16(y)>>15)
		t.distance(apart(mx, sx, my, sy), at+int64(i))
	}
}

// apart is how far two numbers are from each other, of their magnitudes and of
// signs that are 0 or −1: a magnitude with its sign is a place on one line.
func apart(mx, sx, my, sy int64) uint64 {
	d := (mx ^ sx) - sx - ((my ^ sy) - sy)
	return uint64((d ^ d>>63) - d>>63)
}

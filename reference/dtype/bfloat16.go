package dtype

import "math"

// BFloat16FromFloat32 rounds to the nearest bfloat16, ties to even, on integers
// alone, so that every architecture agrees. A NaN keeps its sign and the upper
// bits of its payload and is made quiet; without that, a NaN whose payload
// lies in the lost half would become an infinity.
func BFloat16FromFloat32(f float32) uint16 {
	bits := math.Float32bits(f)
	if bits&0x7fffffff > 0x7f800000 {
		return uint16(bits>>16) | 0x0040
	}
	return uint16((bits + 0x7fff + bits>>16&1) >> 16)
}

// TruncateBFloat16 drops the lower half, which rounds toward zero. The fill of
// the golden inputs is defined by it; nothing else should use it, since a NaN
// whose payload lies in the lost half becomes an infinity.
func TruncateBFloat16(f float32) uint16 { return uint16(math.Float32bits(f) >> 16) }

// Float32FromBFloat16 widens, which is exact.
func Float32FromBFloat16(b uint16) float32 { return math.Float32frombits(uint32(b) << 16) }

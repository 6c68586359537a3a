package history

import "github.com/statespec/statespec/fixtures/fill"

// OddBytes are n elements of a dtype that arithmetic, or a conversion and back,
// would change: each word of the seed's stream (package fill) gives one element,
// little-endian. Of floats, by the word's lowest three bits: a signalling NaN, a
// quiet NaN with a payload, minus zero, a subnormal, an infinity, or the word
// itself. Of all other dtypes, the word itself; of bool, its lowest bit.
func OddBytes(dtype string, seed uint64, n int) []byte {
	size, stream := ElementSize(dtype), fill.Seeded(seed)
	out := make([]byte, 0, n*size)
	for range n {
		word := stream.Uint64()
		switch f := floats[dtype]; {
		case dtype == "bool":
			word &= 1
		case f != (float{}):
			word = f.odd(word)
		}
		for i := range size {
			out = append(out, byte(word>>(8*i)))
		}
	}
	return out
}

// A float is how the bits of a dtype are shared out.
type float struct{ bits, mantissa uint }

var floats = map[string]float{"float16": {16, 10}, "bfloat16": {16, 7}, "float32": {32, 23}, "float64": {64, 52}}

func (f float) odd(word uint64) uint64 {
	payload := word >> 3 & (1<<(f.mantissa-1) - 1)
	sign := word >> 62 & 1 << (f.bits - 1)
	infinity := uint64(1)<<(f.bits-1) - uint64(1)<<f.mantissa
	switch word & 7 {
	case 0:
		return sign | infinity | payload | 1
	case 1:
		return sign | infinity | 1<<(f.mantissa-1) | payload
	case 2:
		return 1 << (f.bits - 1)
	case 3:
		return sign | payload | 1
	case 4:
		return sign | infinity
	}
	return word >> (64 - f.bits)
}

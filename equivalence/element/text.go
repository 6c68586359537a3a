package element

import (
	"fmt"
	"math"
	"strconv"
)

// Text prints an element's value so that it reads back to the same bits, but for
// the payload of a NaN: "-0", "NaN", "+Inf", "1.25", "true", "(1+2i)".
func (t Type) Text(b Bits) string {
	switch t.Kind {
	case Float:
		return t.float(b.Low)
	case Complex:
		re, im := t.parts(b)
		imaginary := t.float(im)
		if imaginary[0] != '-' && imaginary[0] != '+' {
			imaginary = "+" + imaginary
		}
		return "(" + t.float(re) + imaginary + "i)"
	case Signed:
		shift := 64 - 8*t.Size
		return strconv.FormatInt(int64(b.Low<<shift)>>shift, 10)
	}
	if t.Name == "bool" && b.Low <= 1 {
		return strconv.FormatBool(b.Low == 1)
	}
	return strconv.FormatUint(b.Low, 10)
}

// Hex prints an element's bits, all of them.
func (t Type) Hex(b Bits) string {
	switch {
	case t.Size == 16:
		return fmt.Sprintf("0x%016x%016x", b.High, b.Low)
	default:
		return fmt.Sprintf("0x%0*x", 2*t.Size, b.Low)
	}
}

// Value is an element as float64, exact for every type but the 64-bit integers,
// which are rounded. A complex element has its real part here and its imaginary
// one beside it.
func (t Type) Value(b Bits) (re, im float64) {
	switch t.Kind {
	case Float:
		return t.value(b.Low), 0
	case Complex:
		re, im := t.parts(b)
		return t.value(re), t.value(im)
	case Signed:
		shift := 64 - 8*t.Size
		return float64(int64(b.Low<<shift) >> shift), 0
	}
	return float64(b.Low), 0
}

// float is the shortest text that reads back to the same bits.
func (t Type) float(bits uint64) string {
	size := 32 // wide enough to tell all narrower ones apart
	if t.Lane() == 8 {
		size = 64
	}
	return strconv.FormatFloat(t.value(bits), 'g', -1, size)
}

// value widens one lane, which is exact.
func (t Type) value(bits uint64) float64 {
	negative, magnitude := bits&t.sign() != 0, bits&^t.sign()
	var v float64
	switch infinity := t.sign() - 1<<t.mantissa; {
	case magnitude > t.above:
		v = math.NaN()
	case magnitude == infinity && t.above == infinity:
		v = math.Inf(1)
	case magnitude>>t.mantissa == 0:
		v = math.Ldexp(float64(magnitude), 1-t.bias-t.mantissa)
	default:
		fraction := magnitude&(1<<t.mantissa-1) | 1<<t.mantissa
		v = math.Ldexp(float64(fraction), int(magnitude>>t.mantissa)-t.bias-t.mantissa)
	}
	if negative {
		v = -v
	}
	return v
}

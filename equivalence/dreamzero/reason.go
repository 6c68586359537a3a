package dreamzero

import (
	"encoding/binary"
	"math"

	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/tensor"
)

// A situation is what the reset rule looks at.
type situation struct {
	language          any // nil: no prompt yet
	callCount         int
	currentStartFrame int

	textTokens     *tensor.Tensor // nil: not asked
	numVideoFrames int
	localAttnSize  int
}

// reason applies the rule. The order is observable: a state may be due for
// both resets.
func (s situation) reason() (Reason, error) {
	if s.language == nil {
		return SessionReason, nil
	}
	if s.textTokens != nil {
		same, err := samePrompt(s.language, s.textTokens)
		if err != nil {
			return NoReset, err
		}
		if !same {
			return SessionReason, nil
		}
	}
	if s.numVideoFrames == 1 && s.callCount > 1 {
		return SessionReason, nil
	}
	if s.localAttnSize != -1 && s.currentStartFrame >= s.localAttnSize {
		return InferenceReason, nil
	}
	return NoReset, nil
}

// samePrompt compares the stored prompt with text tokens: shapes and values.
func samePrompt(language any, tokens *tensor.Tensor) (bool, error) {
	prompt, isTensor := language.(*tensor.Tensor)
	if !isTensor {
		return false, fault.New(fault.ErrTypeMismatch, "reset reason: %q is a %T; text tokens compare with a tensor", Language, language)
	}
	for _, t := range []*tensor.Tensor{prompt, tokens} {
		if !t.Storage().Readable() {
			return false, fault.New(fault.ErrNotAddressable, "reset reason: compare %v with %v: copy it to the host first", tokens, prompt)
		}
	}
	if !prompt.SameShape(tokens) {
		return false, nil
	}
	a, err := prompt.ReadBytes(nil)
	if err != nil {
		return false, err
	}
	b, err := tokens.ReadBytes(nil)
	if err != nil {
		return false, err
	}
	sizeA, sizeB := prompt.DType().Size(), tokens.DType().Size()
	for i := range prompt.NumElements() {
		x := decode(prompt.DType(), a[i*sizeA:])
		if !x.equals(decode(tokens.DType(), b[i*sizeB:])) {
			return false, nil
		}
	}
	return true, nil
}

// A number is one element of any dtype, to be compared with one of any other.
// Whole numbers keep all their bits, which a float64 would not.
type number struct {
	whole     bool
	negative  bool
	magnitude uint64
	value     complex128
}

// equals compares as floats do where one is a float: NaN equals nothing.
func (n number) equals(o number) bool {
	if n.whole && o.whole {
		return n.negative == o.negative && n.magnitude == o.magnitude
	}
	return n.value == o.value
}

func decode(dt dtype.DType, b []byte) number {
	le := binary.LittleEndian
	float32At := func(i int) float64 { return float64(math.Float32frombits(le.Uint32(b[i:]))) }
	float64At := func(i int) float64 { return math.Float64frombits(le.Uint64(b[i:])) }
	switch dt {
	case dtype.Bool:
		if b[0] != 0 {
			return unsigned(1)
		}
		return unsigned(0)
	case dtype.UInt8:
		return unsigned(uint64(b[0]))
	case dtype.UInt16:
		return unsigned(uint64(le.Uint16(b)))
	case dtype.UInt32:
		return unsigned(uint64(le.Uint32(b)))
	case dtype.UInt64:
		return unsigned(le.Uint64(b))
	case dtype.Int8:
		return signed(int64(int8(b[0])))
	case dtype.Int16:
		return signed(int64(int16(le.Uint16(b))))
	case dtype.Int32:
		return signed(int64(int32(le.Uint32(b))))
	case dtype.Int64:
		return signed(int64(le.Uint64(b)))
	case dtype.Float16:
		return number{value: complex(widenFloat16(le.Uint16(b)), 0)}
	case dtype.BFloat16:
		return number{value: complex(float64(dtype.Float32FromBFloat16(le.Uint16(b))), 0)}
	case dtype.Float32:
		return number{value: complex(float32At(0), 0)}
	case dtype.Float64:
		return number{value: complex(float64At(0), 0)}
	case dtype.Complex64:
		return number{value: complex(float32At(0), float32At(4))}
	default: // Complex128, the last of them
		return number{value: complex(float64At(0), float64At(8))}
	}
}

func unsigned(u uint64) number {
	return number{whole: true, magnitude: u, value: complex(float64(u), 0)}
}

func signed(i int64) number {
	if i >= 0 {
		return unsigned(uint64(i))
	}
	return number{whole: true, negative: true, magnitude: -uint64(i), value: complex(float64(i), 0)}
}

func widenFloat16(bits uint16) float64 {
	exponent, fraction := int(bits>>10&0x1f), int(bits&0x3ff)
	var f float64
	switch exponent {
	case 0:
		f = math.Ldexp(float64(fraction), -24)
	case 0x1f:
		f = math.Inf(1)
		if fraction != 0 {
			f = math.NaN()
		}
	default:
		f = math.Ldexp(float64(1024+fraction), exponent-25)
	}
	if bits&0x8000 != 0 {
		return -f
	}
	return f
}

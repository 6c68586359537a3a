package element

import "github.com/statespec/statespec/reference/dtype"

// A Kind is how bits become a number.
type Kind uint8

// The kinds.
const (
	Unsigned Kind = iota // bool among them
	Signed               // two's complement
	Float                // sign, exponent, mantissa
	Complex              // two floats, the real part first
)

// A Type is the type of an element. The zero Type is none.
type Type struct {
	Name     string // torch's: "bfloat16"
	Size     int    // bytes, 1 to 16
	Kind     Kind
	mantissa int    // bits of a float, or of one part of a complex number
	above    uint64 // magnitudes above this one are NaN
	bias     int
}

// Lane returns the bytes of what has a byte order: the element, or one part of a
// complex number.
func (t Type) Lane() int {
	if t.Kind == Complex {
		return t.Size / 2
	}
	return t.Size
}

var types = []Type{
	{Name: "bool", Size: 1},
	{Name: "uint8", Size: 1},
	{Name: "int8", Size: 1, Kind: Signed},
	{Name: "uint16", Size: 2},
	{Name: "int16", Size: 2, Kind: Signed},
	{Name: "uint32", Size: 4},
	{Name: "int32", Size: 4, Kind: Signed},
	{Name: "uint64", Size: 8},
	{Name: "int64", Size: 8, Kind: Signed},
	{Name: "float16", Size: 2, Kind: Float, mantissa: 10, above: 0x7c00, bias: 15},
	{Name: "bfloat16", Size: 2, Kind: Float, mantissa: 7, above: 0x7f80, bias: 127},
	{Name: "float32", Size: 4, Kind: Float, mantissa: 23, above: 0x7f800000, bias: 127},
	{Name: "float64", Size: 8, Kind: Float, mantissa: 52, above: 0x7ff0000000000000, bias: 1023},
	{Name: "complex64", Size: 8, Kind: Complex, mantissa: 23, above: 0x7f800000, bias: 127},
	{Name: "complex128", Size: 16, Kind: Complex, mantissa: 52, above: 0x7ff0000000000000, bias: 1023},
	// 0x7e is 448: this one has no infinity, and one magnitude that is NaN.
	{Name: "float8_e4m3fn", Size: 1, Kind: Float, mantissa: 3, above: 0x7e, bias: 7},
	{Name: "float8_e5m2", Size: 1, Kind: Float, mantissa: 2, above: 0x7c, bias: 15},
}

// Of returns the type of a dtype.
func Of(d dtype.DType) Type {
	t, _ := Named(d.String())
	return t
}

// Named returns the type of a name, and whether there is one.
func Named(name string) (Type, bool) {
	for _, t := range types {
		if t.Name == name {
			return t, true
		}
	}
	return Type{}, false
}

// Infinity is the magnitude above which bits are no number: that of infinity,
// where there is one.
func (t Type) Infinity() uint64 { return t.above }

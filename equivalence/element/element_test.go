package element_test

import (
	"math"
	"testing"

	"github.com/statespec/statespec/equivalence/element"
	"github.com/statespec/statespec/reference/dtype"
)

func named(t *testing.T, name string) element.Type {
	t.Helper()
	typ, ok := element.Named(name)
	if !ok {
		t.Fatalf("Named(%q) = none", name)
	}
	return typ
}

func TestEveryDTypeHasAnElementOfItsSize(t *testing.T) {
	for _, d := range dtype.All() {
		if got := element.Of(d); got.Name != d.String() || got.Size != d.Size() {
			t.Errorf("Of(%v) = %s of %d bytes, want %v of %d", d, got.Name, got.Size, d, d.Size())
		}
	}
}

func TestEveryBFloat16AndFloat32ReadAsTheLanguageReadsThem(t *testing.T) {
	bf, f32 := named(t, "bfloat16"), named(t, "float32")
	for b := range uint64(1 << 16) {
		want := float64(dtype.Float32FromBFloat16(uint16(b)))
		if got, _ := bf.Value(element.Bits{Low: b}); math.Float64bits(got) != math.Float64bits(want) && got == got {
			t.Fatalf("bfloat16.Value(%#04x) = %v, want %v", b, got, want)
		}
		if got := bf.NaN(element.Bits{Low: b}); got != (want != want) {
			t.Fatalf("bfloat16.NaN(%#04x) = %v, want %v", b, got, !got)
		}
		wide := b<<16 | b*2654435761&0xffff
		want = float64(math.Float32frombits(uint32(wide)))
		if got, _ := f32.Value(element.Bits{Low: wide}); math.Float64bits(got) != math.Float64bits(want) && got == got {
			t.Fatalf("float32.Value(%#08x) = %v, want %v", wide, got, want)
		}
	}
}

func TestFloat64ReadsAsTheLanguageReadsIt(t *testing.T) {
	f64 := named(t, "float64")
	for _, want := range []float64{0, math.Copysign(0, -1), 1, -1.5, math.MaxFloat64, math.SmallestNonzeroFloat64, math.Inf(-1), 0.1, 2e-310} {
		if got, _ := f64.Value(element.Bits{Low: math.Float64bits(want)}); math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("float64.Value(%v) = %v", want, got)
		}
	}
}

func TestADistanceCountsWhatLiesBetween(t *testing.T) {
	for _, row := range []struct {
		typ  string
		a, b uint64
		want uint64
	}{
		{"float32", 0x3f800000, 0x3f800001, 1},
		{"float32", 0x80000000, 0x00000000, 0},
		{"float32", 0x80000001, 0x00000001, 2},
		{"float32", 0x7f7fffff, 0x7f800000, 1},
		{"float32", 0xff800000, 0x7f800000, 2 * 0x7f800000},
		{"bfloat16", 0x3f80, 0x3f82, 2},
		{"float16", 0xbc00, 0xbc01, 1},
		{"float64", 0x3ff0000000000000, 0xbff0000000000000, 2 * 0x3ff0000000000000},
		{"float8_e4m3fn", 0x7e, 0x7d, 1},
		{"float8_e5m2", 0x7c, 0x7b, 1},
		{"int8", 0x80, 0x7f, 255},
		{"int64", 1 << 63, 1<<63 - 1, math.MaxUint64},
		{"uint64", 0, math.MaxUint64, math.MaxUint64},
		{"bool", 0, 1, 1},
		{"complex64", 0x3f800000_3f800000, 0x3f800003_3f800001, 3},
	} {
		typ := named(t, row.typ)
		for _, pair := range [][2]uint64{{row.a, row.b}, {row.b, row.a}} {
			got, ok := typ.Distance(element.Bits{Low: pair[0]}, element.Bits{Low: pair[1]})
			if got != row.want || !ok {
				t.Errorf("%s.Distance(%#x, %#x) = %d, %v, want %d, true", row.typ, pair[0], pair[1], got, ok, row.want)
			}
		}
	}
}

func TestANaNIsAtNoDistance(t *testing.T) {
	for name, bits := range map[string]element.Bits{
		"float32": {Low: 0x7fc00000}, "bfloat16": {Low: 0xff81}, "float16": {Low: 0x7c01}, "float64": {Low: 0x7ff0000000000001},
		"float8_e4m3fn": {Low: 0xff}, "float8_e5m2": {Low: 0x7d}, "complex64": {Low: 0x7fc00000_00000000}, "complex128": {High: 0xfff8000000000000},
	} {
		typ := named(t, name)
		if _, ok := typ.Distance(bits, element.Bits{}); ok || !typ.NaN(bits) {
			t.Errorf("%s.Distance(%s, 0) = a distance, NaN %v, want none, true", name, typ.Hex(bits), typ.NaN(bits))
		}
	}
}

func TestAnElementPrintsItsValueAndItsBits(t *testing.T) {
	for _, row := range []struct {
		typ       string
		bits      element.Bits
		text, hex string
	}{
		{"float32", element.Bits{Low: 0x3dcccccd}, "0.1", "0x3dcccccd"},
		{"float32", element.Bits{Low: 0x80000000}, "-0", "0x80000000"},
		{"float32", element.Bits{Low: 0x7fc00001}, "NaN", "0x7fc00001"},
		{"bfloat16", element.Bits{Low: 0xff80}, "-Inf", "0xff80"},
		{"float8_e4m3fn", element.Bits{Low: 0x7e}, "448", "0x7e"},
		{"float8_e5m2", element.Bits{Low: 0x7b}, "57344", "0x7b"},
		{"float16", element.Bits{Low: 0x0001}, "5.9604645e-08", "0x0001"},
		{"int16", element.Bits{Low: 0xfffe}, "-2", "0xfffe"},
		{"uint64", element.Bits{Low: math.MaxUint64}, "18446744073709551615", "0xffffffffffffffff"},
		{"bool", element.Bits{Low: 1}, "true", "0x01"},
		{"bool", element.Bits{Low: 2}, "2", "0x02"},
		{"complex64", element.Bits{Low: 0xc0000000_3f800000}, "(1-2i)", "0xc00000003f800000"},
		{"complex128", element.Bits{Low: 0x3ff0000000000000, High: 0x7ff0000000000000}, "(1+Infi)", "0x7ff00000000000003ff0000000000000"},
	} {
		typ := named(t, row.typ)
		if got := typ.Text(row.bits); got != row.text {
			t.Errorf("%s.Text(%#x) = %s, want %s", row.typ, row.bits, got, row.text)
		}
		if got := typ.Hex(row.bits); got != row.hex {
			t.Errorf("%s.Hex(%#x) = %s, want %s", row.typ, row.bits, got, row.hex)
		}
	}
}

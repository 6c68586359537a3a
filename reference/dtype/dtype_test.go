package dtype_test

import (
	"errors"
	"math"
	"testing"

	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/fault"
)

func TestEveryNameParsesToItsType(t *testing.T) {
	if got := len(dtype.All()); got != 15 {
		t.Errorf("len(All()) = %d, want 15", got)
	}
	for _, d := range dtype.All() {
		if got, err := dtype.Parse(d.String()); err != nil || got != d {
			t.Errorf("Parse(%q) = %v, %v, want %v", d.String(), got, err, d)
		}
		if d.Size() == 0 || d.Size()&(d.Size()-1) != 0 || d.Size() > 16 {
			t.Errorf("%v.Size() = %d, want a power of two up to 16", d, d.Size())
		}
	}
	for d, want := range map[dtype.DType]int{dtype.Bool: 1, dtype.BFloat16: 2, dtype.Float32: 4, dtype.Complex64: 8, dtype.Complex128: 16} {
		if got := d.Size(); got != want {
			t.Errorf("%v.Size() = %d, want %d", d, got, want)
		}
	}
}

func TestWhatIsNoTypeIsRefused(t *testing.T) {
	for _, name := range []string{"", "BFLOAT16", "bf16", "int128", "torch.float32"} {
		if _, err := dtype.Parse(name); !errors.Is(err, fault.ErrInvalidArgument) {
			t.Errorf("Parse(%q) = %v, want ErrInvalidArgument", name, err)
		}
	}
	odd := dtype.DType(200)
	if odd.Valid() || odd.Size() != 0 || odd.String() != "dtype(200)" {
		t.Errorf("DType(200) = %v, valid %v, size %d, want dtype(200), false, 0", odd, odd.Valid(), odd.Size())
	}
}

func TestBFloat16RoundsToNearestEven(t *testing.T) {
	for bits, want := range map[uint32]uint16{
		0x3f800000: 0x3f80, // 1
		0x3f808000: 0x3f80, // halfway, down to even
		0x3f818000: 0x3f82, // halfway, up to even
		0x3f808001: 0x3f81, // just above halfway
		0x3f807fff: 0x3f80,
		0x7f7fffff: 0x7f80, // the largest float32 rounds to infinity
		0x7f800000: 0x7f80, 0xff800000: 0xff80,
		0x80000000: 0x8000, 0x00000001: 0x0000, 0x00008001: 0x0001,
		0x7f800001: 0x7fc0, // a signalling NaN stays a NaN, and quiet
		0xffc12345: 0xffc1, 0x7fffffff: 0x7fff,
	} {
		if got := dtype.BFloat16FromFloat32(math.Float32frombits(bits)); got != want {
			t.Errorf("BFloat16FromFloat32(%#08x) = %#04x, want %#04x", bits, got, want)
		}
	}
}

func TestTruncationDropsTheLowerHalf(t *testing.T) {
	for bits, want := range map[uint32]uint16{0x3f81ffff: 0x3f81, 0xbf80ffff: 0xbf80, 0x7f7fffff: 0x7f7f} {
		if got := dtype.TruncateBFloat16(math.Float32frombits(bits)); got != want {
			t.Errorf("TruncateBFloat16(%#08x) = %#04x, want %#04x", bits, got, want)
		}
	}
}

func TestWideningAndRoundingBackKeepsEveryNumber(t *testing.T) {
	for b := range 1 << 16 {
		wide := dtype.Float32FromBFloat16(uint16(b))
		want := uint16(b)
		if wide != wide {
			want |= 0x40
		}
		if got := dtype.BFloat16FromFloat32(wide); got != want {
			t.Fatalf("BFloat16FromFloat32(Float32FromBFloat16(%#04x)) = %#04x, want %#04x", b, got, want)
		}
	}
}

package kernels_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/statespec/statespec/gpu/kernels"
	"github.com/statespec/statespec/reference/dtype"
)

// specials are float32 that go wrong first: zeros, subnormals, the ends of the
// range, halves between two bfloat16, infinities, NaN quiet and signalling.
var specials = []uint32{
	0, 0x80000000, 1, 0x80000001, 0x007fffff, 0x00800000, 0x00008000, 0x00018000,
	0x3f808000, 0x3f818000, 0x3f808001, 0x3f807fff, 0xbf808000, 0x3f7fffff, 0x477fffff,
	0x7f7fffff, 0x7f7f8000, 0x7f7f7fff, 0xff7fffff, 0x7f800000, 0xff800000,
	0x7f800001, 0x7fc00000, 0xffc00000, 0x7fffffff, 0xffffffff, 0x7f80ffff, 0xff808000,
}

func testConversions(t *testing.T, m machine) {
	halves, wide := make([]byte, 2<<16), make([]byte, 4<<16)
	for i := range 1 << 16 {
		binary.LittleEndian.PutUint16(halves[2*i:], uint16(i))
		binary.LittleEndian.PutUint32(wide[4*i:], math.Float32bits(dtype.Float32FromBFloat16(uint16(i))))
	}
	y := m.allocate(t, noise(1, len(wide)))
	launch(t, m)(kernels.BFloat16ToFloat32(y, m.allocate(t, halves), 1<<16))
	wantBytes(t, "bfloat16 to float32", m.read(t, y, len(wide)), wide, 4)

	// Every bfloat16 with lower halves about the tie, noise, and the specials.
	var in []byte
	for i := range uint32(1 << 16) {
		for _, low := range []uint32{0, 1, 0x7fff, 0x8000, 0x8001, 0xffff} {
			in = binary.LittleEndian.AppendUint32(in, i<<16|low)
		}
	}
	in = append(in, noise(2, 4*100003)...)
	for _, bits := range specials {
		in = binary.LittleEndian.AppendUint32(in, bits)
	}
	want := make([]byte, len(in)/2)
	for i := range len(in) / 4 {
		f := math.Float32frombits(binary.LittleEndian.Uint32(in[4*i:]))
		binary.LittleEndian.PutUint16(want[2*i:], dtype.BFloat16FromFloat32(f))
	}
	y = m.allocate(t, noise(3, len(want)))
	launch(t, m)(kernels.Float32ToBFloat16(y, m.allocate(t, in), len(in)/4))
	wantBytes(t, "float32 to bfloat16", m.read(t, y, len(want)), want, 2)
}

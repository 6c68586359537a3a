package compare

import (
	"encoding/binary"
	"math/bits"

	"github.com/statespec/statespec/equivalence/element"
)

// group is how many elements one bitmap tells of.
const group = 64

// differing is a bitmap of which of up to 64 elements of a size differ.
func differing(a, b []byte, size int) uint64 {
	if len(a) < group*size {
		return differingFew(a, b, size)
	}
	switch size {
	case 1:
		return differing1((*[64]byte)(a), (*[64]byte)(b))
	case 2:
		return differing2((*[128]byte)(a), (*[128]byte)(b))
	case 4:
		return differing4((*[256]byte)(a), (*[256]byte)(b))
	case 8:
		return differing8((*[512]byte)(a), (*[512]byte)(b))
	}
	return differingFew(a[:group*size], b[:group*size], size)
}

func differingFew(a, b []byte, size int) (m uint64) {
	for i := 0; i*size < len(a); i++ {
		if load(a, i, size) != load(b, i, size) {
			m |= 1 << i
		}
	}
	return m
}

// The following compare eight bytes at a time. x|-x has its sign bit set where x
// is not zero.

func differing8(a, b *[512]byte) (m uint64) {
	for i := range group {
		x := binary.LittleEndian.Uint64(a[8*i:8*i+8]) ^ binary.LittleEndian.Uint64(b[8*i:8*i+8])
		m |= (x | -x) >> 63 << i
	}
	return m
}

func differing4(a, b *[256]byte) (m uint64) {
	for i := range group / 2 {
		x := binary.LittleEndian.Uint64(a[8*i:8*i+8]) ^ binary.LittleEndian.Uint64(b[8*i:8*i+8])
		low, high := uint64(uint32(x)), x>>32
		m |= ((-low)>>63 | (-high)>>63<<1) << (2 * i)
	}
	return m
}

func differing2(a, b *[128]byte) (m uint64) {
	for i := range group / 4 {
		x := binary.LittleEndian.Uint64(a[8*i:8*i+8]) ^ binary.LittleEndian.Uint64(b[8*i:8*i+8])
		if x == 0 {
			continue
		}
		const low = 0x7fff7fff7fff7fff
		top := ((x&low + low) | x) &^ low // the upper bit of every lane that is not zero
		m |= (top >> 15 * 0x0001_0002_0004_0008 >> 48 & 15) << (4 * i)
	}
	return m
}

func differing1(a, b *[64]byte) (m uint64) {
	for i := range group / 8 {
		x := binary.LittleEndian.Uint64(a[8*i:8*i+8]) ^ binary.LittleEndian.Uint64(b[8*i:8*i+8])
		if x == 0 {
			continue
		}
		const low = 0x7f7f7f7f7f7f7f7f
		top := ((x&low + low) | x) &^ low
		m |= (top >> 7 * 0x0102_0408_1020_4080 >> 56) << (8 * i)
	}
	return m
}

// count4 counts the four-byte elements of a block that differ. It makes no bitmap,
// which is what a count of very many would spend most of its time on.
func count4(a, b []byte) int64 {
	const low = 0x7fffffff_7fffffff
	var pairs uint64 // two counters, neither of which a block can fill
	i := 0
	for ; i+8 <= len(a) && i+8 <= len(b); i += 8 {
		x := binary.LittleEndian.Uint64(a[i:i+8]) ^ binary.LittleEndian.Uint64(b[i:i+8])
		pairs += ((x&low + low) | x) >> 31 & 0x1_00000001
	}
	n := int64(pairs>>32 + pairs&0xffffffff)
	if i < len(a) && load(a[i:], 0, 4) != load(b[i:], 0, 4) {
		n++
	}
	return n
}

// load is element i of a size.
func load(b []byte, i, size int) element.Bits {
	switch b = b[i*size:]; size {
	case 1:
		return element.Bits{Low: uint64(b[0])}
	case 2:
		return element.Bits{Low: uint64(binary.LittleEndian.Uint16(b))}
	case 4:
		return element.Bits{Low: uint64(binary.LittleEndian.Uint32(b))}
	case 8:
		return element.Bits{Low: binary.LittleEndian.Uint64(b)}
	}
	return element.Bits{Low: binary.LittleEndian.Uint64(b), High: binary.LittleEndian.Uint64(b[8:])}
}

// below is a bitmap of the first n elements.
func below(n int64) uint64 {
	if n >= group {
		return ^uint64(0)
	}
	return 1<<n - 1
}

// last is the highest element of a bitmap that is not empty.
func last(m uint64) int { return 63 - bits.LeadingZeros64(m) }

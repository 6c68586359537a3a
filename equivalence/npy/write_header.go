package npy

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/statespec/statespec/reference/dtype"
)

// The header that is written is of version 1.0 and a multiple of 64 bytes, as
// numpy aligns the data, with room for any count of frames.
const (
	headerStart = 10 // magic, version, length
	headerAlign = 64
	countDigits = 19 // of the largest int64
)

// descrOf returns numpy's name of a type, little-endian.
func descrOf(dt dtype.DType) string {
	for code, d := range codes {
		if d == dt {
			if d.Size() == 1 {
				return "|" + code
			}
			return "<" + code
		}
	}
	return ""
}

// dict returns the header's text for so many frames, as numpy writes it.
func dict(dt dtype.DType, frames int64, frame []int) string {
	var shape strings.Builder
	fmt.Fprintf(&shape, "%d,", frames)
	for i, d := range frame {
		fmt.Fprintf(&shape, " %d", d)
		if i < len(frame)-1 {
			shape.WriteByte(',')
		}
	}
	return fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descrOf(dt), shape.String())
}

// headerSize returns the bytes of a header that has room for any count.
func headerSize(dt dtype.DType, frame []int) int {
	n := headerStart + len(dict(dt, 0, frame)) + countDigits - len("0") + len("\n")
	return (n + headerAlign - 1) / headerAlign * headerAlign
}

// headerText returns the whole header, padded with spaces to a size.
func headerText(dt dtype.DType, frames int64, frame []int, size int) []byte {
	b := make([]byte, 0, size)
	b = append(b, magic...)
	b = append(b, 1, 0)
	b = binary.LittleEndian.AppendUint16(b, uint16(size-headerStart))
	b = append(b, dict(dt, frames, frame)...)
	for len(b) < size-1 {
		b = append(b, ' ')
	}
	return append(b, '\n')
}

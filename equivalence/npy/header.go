package npy

import (
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
	"strings"

	"github.com/statespec/statespec/reference/dtype"
)

// A Header is what a file says of its array. It is checked against the size of
// the file: the data of an array that a Header describes are all there, and are
// all there is.
type Header struct {
	Major   int    // 1, 2 or 3
	Descr   string // as it stands: "<f4"
	DType   dtype.DType
	Big     bool // big-endian; never where an element is one byte
	Fortran bool // the first index varies fastest
	Shape   []int64
	Data    int64 // bytes before the data
}

// Elements returns the number of elements; that of an array without axes is 1.
func (h Header) Elements() int64 {
	n := int64(1)
	for _, d := range h.Shape {
		n *= d
	}
	return n
}

// Size returns the bytes of the data.
func (h Header) Size() int64 { return h.Elements() * int64(h.DType.Size()) }

// An Error is what makes a file no array that can be read: what, and at which byte.
type Error struct {
	At  int64
	Why string
}

func (e *Error) Error() string { return fmt.Sprintf("npy: at byte %d: %s", e.At, e.Why) }

func wrong(at int64, format string, args ...any) error {
	return &Error{at, fmt.Sprintf(format, args...)}
}

const (
	magic = "\x93NUMPY"
	// longest is the most bytes of a header. The header of a plain array of 64
	// axes, more than numpy makes, stays below it.
	longest = 64 << 10
	maxAxes = 64
)

// ReadHeader reads the header of a file of size bytes, and no byte after it. Its
// error is an *Error, or the reader's own.
func ReadHeader(r io.Reader, size int64) (Header, error) {
	var start [12]byte
	if size < 10 {
		return Header{}, wrong(0, "a file of %d bytes is too short to be an array", size)
	}
	if _, err := io.ReadFull(r, start[:10]); err != nil {
		return Header{}, cut(err, 0)
	}
	if string(start[:6]) != magic {
		return Header{}, wrong(0, "starts with %q, want %q", start[:6], magic)
	}
	h := Header{Major: int(start[6])}
	if h.Major < 1 || h.Major > 3 || start[7] != 0 {
		return Header{}, wrong(6, "version %d.%d, want 1.0, 2.0 or 3.0", start[6], start[7])
	}
	begin, length := int64(10), int64(binary.LittleEndian.Uint16(start[8:]))
	if h.Major > 1 {
		if _, err := io.ReadFull(r, start[10:]); err != nil {
			return Header{}, cut(err, 10)
		}
		begin, length = 12, int64(binary.LittleEndian.Uint32(start[8:]))
	}
	if length > size-begin {
		return Header{}, wrong(8, "a header of %d bytes, where the file has %d left", length, size-begin)
	}
	if length > longest {
		return Header{}, wrong(8, "a header of %d bytes, want at most %d", length, longest)
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(r, text); err != nil {
		return Header{}, cut(err, begin)
	}
	if err := h.parse(text, begin); err != nil {
		return Header{}, err
	}
	h.Data = begin + length
	return h, h.fit(size)
}

// cut names the end of a reader that has less than it was said to have.
func cut(err error, at int64) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return wrong(at, "the file ends here, shorter than it was")
	}
	return err
}

// fit compares what the shape claims with what the file has.
func (h Header) fit(size int64) error {
	have, elements := uint64(size-h.Data), uint64(1)
	for _, d := range h.Shape {
		if d == 0 {
			elements = 0
		}
	}
	for _, d := range h.Shape {
		high, low := bits.Mul64(elements, uint64(d))
		if high != 0 || low > 1<<58 { // more, times 16 bytes, than a file can have
			return wrong(h.Data, "shape %v of %v claims more than any file has", h.Shape, h.DType)
		}
		elements = low
	}
	switch want := elements * uint64(h.DType.Size()); {
	case want > have:
		return wrong(size, "the data end here: %d bytes of the %d of shape %v of %v", have, want, h.Shape, h.DType)
	case want < have:
		return wrong(h.Data+int64(want), "%d bytes after the data of shape %v of %v", have-want, h.Shape, h.DType)
	}
	return nil
}

// order names the byte order and what is left of a descr.
func order(descr string) (big bool, rest string, ok bool) {
	if descr == "" || !strings.Contains("<>|", descr[:1]) {
		return false, "", false
	}
	return descr[0] == '>', descr[1:], true
}

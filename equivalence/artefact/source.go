package artefact

import (
	"fmt"
	"io"
)

// A Source has the bytes of an array.
type Source interface {
	Size() int64
	// Window is how many bytes are best asked for at once.
	Window() int
	// Stream gives the bytes in order, from the first.
	Stream() (Stream, error)
	// Access gives bytes in any order.
	Access() (Access, error)
}

// A Stream gives bytes in order.
type Stream interface {
	// Next returns the next n bytes. They are good until the next call.
	Next(n int) ([]byte, error)
	Close() error
}

// An Access gives bytes in any order.
type Access interface {
	// At returns the n bytes at an offset that is a multiple of n, a power of two up
	// to 16. They are good until the next call.
	At(offset int64, n int) ([]byte, error)
	Close() error
}

const (
	mappedWindow = 8 << 20 // below it the cost of mapping shows
	bufferWindow = 1 << 20
)

// section is part of a file.
type section struct {
	r      io.ReaderAt
	off, n int64
}

func (s section) Size() int64 { return s.n }

func (s section) Window() int {
	if mappable(s.r) {
		return mappedWindow
	}
	return bufferWindow
}

func (s section) Stream() (Stream, error) {
	if mappable(s.r) {
		return &windows{section: s}, nil
	}
	return &buffer{r: io.NewSectionReader(s.r, s.off, s.n)}, nil
}

func (s section) Access() (Access, error) {
	if mappable(s.r) {
		if whole, err := mapWhole(s); err == nil {
			return whole, nil
		}
	}
	return newBlocks(s), nil
}

// buffer is a Stream over a reader. Where the reader ends too early the file is
// not what it was.
type buffer struct {
	r      io.Reader
	bytes  []byte
	finish func() error // closes what was opened, nil: nothing
}

func (b *buffer) Next(n int) ([]byte, error) {
	if n > cap(b.bytes) {
		b.bytes = make([]byte, n)
	}
	got, err := io.ReadFull(b.r, b.bytes[:n])
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return nil, fmt.Errorf("it ends %d bytes early: has it been cut while it was read?", n-got)
	}
	return b.bytes[:n], err
}

func (b *buffer) Close() error {
	if b.finish == nil {
		return nil
	}
	return b.finish()
}

// blocks is an Access that keeps the blocks it has read last.
type blocks struct {
	section
	held [64]block
}

type block struct {
	at    int64 // its number plus one; 0: nothing
	bytes []byte
}

const blockSize = 64 << 10

func newBlocks(s section) *blocks { return &blocks{section: s} }

func (b *blocks) At(offset int64, n int) ([]byte, error) {
	number := offset / blockSize
	held := &b.held[number%int64(len(b.held))]
	if held.at != number+1 {
		if held.bytes == nil {
			held.bytes = make([]byte, blockSize)
		}
		length := min(blockSize, b.n-number*blockSize)
		held.at = 0
		if _, err := b.r.ReadAt(held.bytes[:length], b.off+number*blockSize); err != nil {
			return nil, fmt.Errorf("it cannot be read at byte %d: %w", b.off+number*blockSize, err)
		}
		held.at = number + 1
	}
	in := offset % blockSize
	return held.bytes[in : in+int64(n)], nil
}

func (b *blocks) Close() error { return nil }

package artefact

import (
	"fmt"
	"io"
	"math"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// mappable says whether a file can be mapped rather than read.
func mappable(r io.ReaderAt) bool {
	_, ok := r.(*os.File)
	return ok
}

// windows is a Stream that maps one window after the other, so that what is held
// does not grow with the file.
type windows struct {
	section
	done int64
	held []byte // the mapping, from the start of a page
}

func (w *windows) Next(n int) ([]byte, error) {
	if err := w.Close(); err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, nil
	}
	if int64(n) > w.n-w.done {
		return nil, fmt.Errorf("%d bytes asked for, %d left", n, w.n-w.done)
	}
	held, window, err := mapped(w.r, w.off+w.done, n, 0)
	if err != nil {
		return nil, err
	}
	w.held, w.done = held, w.done+int64(n)
	return window, nil
}

func (w *windows) Close() error {
	held := w.held
	w.held = nil
	return unmap(held)
}

// Covers reports whether an address lies in what is mapped now.
func (w *windows) Covers(address uintptr) bool { return covers(w.held, address) }

// Cut reports whether the file is shorter by now than what was to be read of it.
func (w *windows) Cut() bool { return cut(w.section) }

// whole is an Access over one mapping.
type whole struct {
	section
	held, bytes []byte
}

func mapWhole(s section) (*whole, error) {
	if s.n > math.MaxInt-int64(os.Getpagesize()) {
		return nil, fmt.Errorf("%d bytes are more than can be mapped", s.n)
	}
	if s.n == 0 {
		return &whole{section: s}, nil
	}
	held, bytes, err := mapped(s.r, s.off, int(s.n), 0)
	return &whole{s, held, bytes}, err
}

func (w *whole) At(offset int64, n int) ([]byte, error) {
	return w.bytes[offset : offset+int64(n)], nil
}

func (w *whole) Covers(address uintptr) bool { return covers(w.held, address) }

func (w *whole) Cut() bool { return cut(w.section) }

func (w *whole) Close() error {
	held := w.held
	w.held, w.bytes = nil, nil
	return unmap(held)
}

// mapped maps n bytes of a file: the mapping, and the bytes in it.
func mapped(r io.ReaderAt, off int64, n, flags int) (held, bytes []byte, err error) {
	skip := int(off % int64(os.Getpagesize()))
	held, err = unix.Mmap(int(r.(*os.File).Fd()), off-int64(skip), n+skip, unix.PROT_READ, unix.MAP_SHARED|flags)
	if err != nil {
		return nil, nil, fmt.Errorf("%d bytes of it cannot be mapped: %w", n, err)
	}
	return held, held[skip:], nil
}

func unmap(held []byte) error {
	if held == nil {
		return nil
	}
	return unix.Munmap(held)
}

func cut(s section) bool {
	info, err := s.r.(*os.File).Stat()
	return err == nil && info.Size() < s.off+s.n
}

func covers(held []byte, address uintptr) bool {
	if len(held) == 0 {
		return false
	}
	start := uintptr(unsafe.Pointer(unsafe.SliceData(held)))
	return address >= start && address-start < uintptr(len(held))
}

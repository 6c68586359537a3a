package npy

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/statespec/statespec/reference/dtype"
)

// A Place is an open, empty file: the count of frames is written into its start
// once it is known. *os.File is one.
type Place interface {
	io.Writer
	io.WriterAt
	io.Closer
}

// A Writer writes an array frame by frame: its first axis grows with each, in
// C order. It ends with Close or with Abort. It is not safe for concurrent use.
type Writer struct {
	place    Place
	buffered *bufio.Writer
	dt       dtype.DType
	frame    []int
	bytes    int // of a frame
	header   int // bytes
	frames   int64
	failed   error

	temp, path string // of a file that Create made
}

// Create begins an array of frames of a shape at a path: first in a file beside
// it, which Close renames, so that what is at the path is whole or not there. A
// bfloat16 is written as ml_dtypes writes it, <V2.
func Create(path string, dt dtype.DType, frame ...int) (*Writer, error) {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".partial-")
	if err != nil {
		return nil, err
	}
	w, err := NewWriter(file, dt, frame...)
	if err == nil {
		err = file.Chmod(0o644) // CreateTemp's are for the owner alone
	}
	if err != nil {
		return nil, errors.Join(err, file.Close(), os.Remove(file.Name()))
	}
	w.temp, w.path = file.Name(), path
	return w, nil
}

// NewWriter begins an array of frames of a shape in a file that is the Writer's
// from now on.
func NewWriter(place Place, dt dtype.DType, frame ...int) (*Writer, error) {
	if !dt.Valid() {
		return nil, fmt.Errorf("npy: write an array of %v: no such dtype", dt)
	}
	if len(frame) >= maxAxes {
		return nil, fmt.Errorf("npy: write frames of %d axes: want at most %d", len(frame), maxAxes-1)
	}
	bytes := dt.Size()
	for _, d := range frame {
		if d < 0 || d > 0 && bytes > maxFrame/d {
			return nil, fmt.Errorf("npy: write frames of shape %v of %v: want no negative length, and at most %d bytes a frame", frame, dt, maxFrame)
		}
		bytes *= d
	}
	w := &Writer{place: place, buffered: bufio.NewWriterSize(place, 64<<10), dt: dt, frame: slices.Clone(frame), bytes: bytes}
	w.header = headerSize(dt, w.frame)
	_, w.failed = w.buffered.Write(headerText(dt, 0, w.frame, w.header))
	return w, w.failed
}

// maxFrame is the most bytes of a frame.
const maxFrame = 1 << 40

// Append writes one frame, little-endian and row-major. After an error the array
// cannot be completed: Close removes it.
func (w *Writer) Append(frame []byte) error {
	switch {
	case w.place == nil:
		return errClosed
	case w.failed != nil:
		return w.failed
	case len(frame) != w.bytes:
		return fmt.Errorf("npy: append a frame of %d bytes: shape %v of %v has %d", len(frame), w.frame, w.dt, w.bytes)
	}
	if _, w.failed = w.buffered.Write(frame); w.failed != nil {
		return w.failed
	}
	w.frames++
	return nil
}

var errClosed = errors.New("npy: the array is closed")

// Frames returns how many were appended.
func (w *Writer) Frames() int64 { return w.frames }

// Close writes the count of frames and closes the file; one that Create made has
// its name from then on. Where anything failed it is removed instead, and Close
// says so. A second Close does nothing.
func (w *Writer) Close() error {
	if w.place == nil {
		return nil
	}
	err := w.failed
	if err == nil {
		err = w.buffered.Flush()
	}
	if err == nil {
		_, err = w.place.WriteAt(headerText(w.dt, w.frames, w.frame, w.header), 0)
	}
	if file, ok := w.place.(*os.File); ok && err == nil && w.temp != "" {
		err = file.Sync()
	}
	err = errors.Join(err, w.place.Close())
	w.place = nil
	if w.temp == "" {
		return err
	}
	if err == nil {
		err = os.Rename(w.temp, w.path)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(w.temp))
	}
	return err
}

// Abort closes the file, and removes one that Create made. After Close it does
// nothing, so that it can be deferred.
func (w *Writer) Abort() error {
	if w.place == nil {
		return nil
	}
	err := w.place.Close()
	w.place = nil
	if w.temp != "" {
		err = errors.Join(err, os.Remove(w.temp))
	}
	return err
}

package npy_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/statespec/statespec/equivalence/npy"
	"github.com/statespec/statespec/fixtures/fill"
	"github.com/statespec/statespec/reference/dtype"
)

// written writes frames and returns the file's bytes.
func written(t *testing.T, dt dtype.DType, frame []int, data ...[]byte) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "array.npy")
	w, err := npy.Create(path, dt, frame...)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range data {
		if err := w.Append(d); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestWhatIsWrittenIsReadAsItWas(t *testing.T) {
	for _, dt := range dtype.All() {
		for _, frame := range [][]int{nil, {3}, {2, 0, 4}, {1, 2, 3, 4, 5}} {
			elements := 1
			for _, d := range frame {
				elements *= d
			}
			var frames [][]byte
			for i := range 3 {
				frames = append(frames, fill.Bytes(dt.String(), uint64(i), elements))
			}
			b := written(t, dt, frame, frames...)
			h, err := npy.ReadHeader(bytes.NewReader(b), int64(len(b)))
			if err != nil {
				t.Fatalf("%v, frames of %v: %v", dt, frame, err)
			}
			shape := []int64{3}
			for _, d := range frame {
				shape = append(shape, int64(d))
			}
			if h.DType != dt || h.Big || h.Fortran || h.Major != 1 || !slices.Equal(h.Shape, shape) || h.Data%64 != 0 {
				t.Errorf("%v, frames of %v: header %+v, want that and shape %v, data at a multiple of 64", dt, frame, h, shape)
			}
			if got, want := b[h.Data:], bytes.Join(frames, nil); !bytes.Equal(got, want) {
				t.Errorf("%v, frames of %v: data %x, want %x", dt, frame, got, want)
			}
		}
	}
}

func TestTheHeaderIsAsNumpyWritesIt(t *testing.T) {
	b := written(t, dtype.BFloat16, []int{2}, []byte{1, 2, 3, 4})
	want := "\x93NUMPY\x01\x00\x76\x00{'descr': '<V2', 'fortran_order': False, 'shape': (1, 2), }"
	if got := string(b[:len(want)]); got != want {
		t.Errorf("header begins %q, want %q", got, want)
	}
	if b[127] != '\n' || len(b) != 128+4 {
		t.Errorf("%d bytes, header ends with %q, want 132 and a new line", len(b), b[127])
	}
	one := written(t, dtype.UInt8, nil)
	if want := "{'descr': '|u1', 'fortran_order': False, 'shape': (0,), }"; string(one[10:10+len(want)]) != want {
		t.Errorf("header of no frames = %q, want %q", one[10:], want)
	}
}

func TestUntilItIsClosedNothingIsAtThePath(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "array.npy")
	w, err := npy.Create(path, dtype.UInt8, 2)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Append([]byte{1, 2}); err != nil {
		t.Fatal(err)
	}
	if err := w.Append([]byte{1}); err == nil {
		t.Error("Append of half a frame = no error, want one")
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("before Close the path is there: %v", err)
	}
	if err := w.Abort(); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("after Abort the folder holds %v, %v; want nothing", left, err)
	}
	if err := w.Append([]byte{1, 2}); err == nil {
		t.Error("Append after Abort = no error, want one")
	}
	if err := w.Close(); err != nil {
		t.Errorf("Close after Abort = %v, want nothing to happen", err)
	}
}

// full is a disk that takes so many bytes.
type full struct{ left int }

var errFull = errors.New("no space left")

func (f *full) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func (f *full) WriteAt(p []byte, _ int64) (int, error) { return f.Write(p) }

func (f *full) Close() error { return nil }

func TestAFullDiskIsAnErrorOfAppendOrClose(t *testing.T) {
	for left := range 40 {
		w, err := npy.NewWriter(&full{left * 10_000}, dtype.UInt8, 50_000)
		for range 6 {
			err = errors.Join(err, w.Append(make([]byte, 50_000)))
		}
		err = errors.Join(err, w.Close())
		if enough := left*10_000 >= 300_000+2*128; enough != (err == nil) || !enough && !errors.Is(err, errFull) {
			t.Errorf("a disk of %d bytes: error %v, want it exactly where that is too few", left*10_000, err)
		}
	}
}

func TestAnArrayThatCannotBeWrittenIsRefused(t *testing.T) {
	dir := t.TempDir()
	for name, create := range map[string]func() (*npy.Writer, error){
		"no such dtype":     func() (*npy.Writer, error) { return npy.Create(filepath.Join(dir, "a"), dtype.DType(99)) },
		"a negative length": func() (*npy.Writer, error) { return npy.Create(filepath.Join(dir, "a"), dtype.UInt8, 2, -1) },
		"an endless frame": func() (*npy.Writer, error) {
			return npy.Create(filepath.Join(dir, "a"), dtype.UInt8, 1<<30, 1<<30, 1<<30)
		},
		"too many axes": func() (*npy.Writer, error) {
			return npy.Create(filepath.Join(dir, "a"), dtype.UInt8, slices.Repeat([]int{1}, 64)...)
		},
		"no folder": func() (*npy.Writer, error) { return npy.Create(filepath.Join(dir, "none", "a"), dtype.UInt8) },
	} {
		if w, err := create(); err == nil {
			t.Errorf("Create with %s = %v, want an error", name, w)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("refusals left %v, %v; want nothing", left, err)
	}
}

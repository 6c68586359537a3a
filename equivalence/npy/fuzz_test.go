package npy_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/statespec/statespec/equivalence/npy"
)

// FuzzReadHeader holds for every content: it is refused with a place in it, or its
// array fills it to the last byte.
func FuzzReadHeader(f *testing.F) {
	for _, major := range []byte{1, 2, 3} {
		f.Add(made(major, dict("<f4", "False", "(2, 3)"), 24))
		f.Add(made(major, dict(">c16", "True", "(1,)"), 16))
	}
	f.Add(made(1, dict("|V2", "False", "()"), 2))
	f.Add(made(1, dict("|b1", "False", "(0, 9223372036854775807)"), 0))
	f.Add(made(1, "{\"shape\":(1,),\"descr\":\"<u2\",\"fortran_order\":False}\n", 2))
	f.Fuzz(func(t *testing.T, file []byte) {
		r := bytes.NewReader(file)
		h, err := npy.ReadHeader(r, int64(len(file)))
		if err != nil {
			if e, ok := errors.AsType[*npy.Error](err); !ok || e.At < 0 || e.At > int64(len(file)) {
				t.Errorf("ReadHeader = %v, want an *Error at one of %d bytes", err, len(file))
			}
			return
		}
		if at := int64(len(file)) - int64(r.Len()); at != h.Data {
			t.Errorf("ReadHeader has read %d bytes, and says that the data start at %d", at, h.Data)
		}
		if h.Data+h.Size() != int64(len(file)) || h.Size() < 0 {
			t.Errorf("header %+v: %d bytes before the data and %d of data, in a file of %d", h, h.Data, h.Size(), len(file))
		}
	})
}

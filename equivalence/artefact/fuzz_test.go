package artefact_test

import (
	"archive/zip"
	"errors"
	"os"
	"testing"

	"github.com/statespec/statespec/equivalence/artefact"
)

// FuzzNPZ, FuzzSafetensors and FuzzTorch hold for every content: a file is
// refused with its name, or every array of it can be read to its last element,
// and is no larger than its file can become.
func FuzzNPZ(f *testing.F) {
	array := npyFile("<f4", "False", "(2, 3)", counting(24))
	f.Add(zipped(f, zip.Store, record{"a.npy", array}, record{"b.npy", npyFile(">i2", "True", "(3, 4)", counting(24))}))
	f.Add(zipped(f, zip.Deflate, record{"a.npy", array}))
	f.Add(zipped(f, zip.Deflate, record{"zeros.npy", npyFile("|u1", "False", "(4096,)", make([]byte, 4096))}))
	f.Fuzz(func(t *testing.T, file []byte) { fuzzed(t, file, "a.npz") })
}

func FuzzSafetensors(f *testing.F) {
	f.Add(safetensors(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"__metadata__":{"format":"pt"}}`, counting(8)))
	f.Add(safetensors(`{"a":{"dtype":"BF16","shape":[2,1],"data_offsets":[0,4]},"b":{"dtype":"C64","shape":[],"data_offsets":[4,12]}} `, counting(12)))
	f.Add(safetensors(`{"a":{"dtype":"F64","shape":[0,9223372036854775807],"data_offsets":[0,0]}}`, nil))
	f.Fuzz(func(t *testing.T, file []byte) { fuzzed(t, file, "a.safetensors") })
}

func FuzzTorch(f *testing.F) {
	floats := storageOf("FloatStorage", 6)
	f.Add(torchFile(f, pickled(tensorOf(floats, 0, numbersOf(2, 3), numbersOf(3, 1))), counting(24)))
	f.Add(torchFile(f, pickled(dict(text("view"), tensorOf(floats, 1, numbersOf(2, 2), numbersOf(1, 2)), text("step"), number(3))), counting(24)))
	for _, name := range []string{"one.pt", "mixed.pth"} {
		file, err := os.ReadFile("testdata/torch/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, file []byte) { fuzzed(t, file, "a.pt") })
}

// FuzzTorchPickle has the pickle alone for its content: few changes of an archive
// get as far as that.
func FuzzTorchPickle(f *testing.F) {
	floats := storageOf("FloatStorage", 6)
	f.Add([]byte(pickled(tensorOf(floats, 0, numbersOf(2, 3), numbersOf(3, 1)))))
	f.Add([]byte(pickled(dict(text("view"), tensorOf(floats, 1, numbersOf(2, 2), numbersOf(1, 2)), text("list"), "]("+number(3)+"Ne"))))
	f.Add([]byte(pickled(tensorOf(storageOf("UntypedStorage", 24), 0, numbersOf(1000), numbersOf(0)))))
	f.Fuzz(func(t *testing.T, pickle []byte) { fuzzed(t, torchFile(t, string(pickle), counting(24)), "a.pt") })
}

func fuzzed(t *testing.T, file []byte, name string) {
	set, err := read(file, name)
	if err != nil {
		if e, ok := errors.AsType[*artefact.Error](err); !ok || e.Name != name {
			t.Errorf("Read = %v, want an *Error of %s", err, name)
		}
		return
	}
	seen := map[string]bool{}
	for _, e := range set.Entries {
		if seen[e.Name] {
			t.Errorf("two values are named %q", e.Name)
		}
		seen[e.Name] = true
		if e.Kind == artefact.Tensor {
			readable(t, e.Array, int64(len(file)))
		}
	}
}

// readable reads the first and the last element, and all of the source.
func readable(t *testing.T, a artefact.Array, file int64) {
	n := a.Elements()
	if n < 0 || n*int64(a.Type.Size)/1032 > file {
		t.Errorf("%d elements of %s in a file of %d bytes", n, a.Type.Name, file)
	}
	if len(a.Strides) != len(a.Shape) || n == 0 {
		return
	}
	last := a.Offset
	for i, d := range a.Shape {
		last += (d - 1) * a.Strides[i]
	}
	access, err := a.Source.Access()
	if err != nil {
		return // compressed bytes that are damaged are found when they are read
	}
	defer access.Close()
	for _, at := range []int64{a.Offset, last} {
		if _, err := access.At(at*int64(a.Type.Size), a.Type.Size); err != nil {
			t.Errorf("element %d of %+v: %v", at, a, err)
		}
	}
	s, err := a.Source.Stream()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for left := a.Source.Size(); left > 0; {
		n := min(left, 1<<20)
		if _, err := s.Next(int(n)); err != nil {
			t.Errorf("Next: %v", err)
			return
		}
		left -= n
	}
}

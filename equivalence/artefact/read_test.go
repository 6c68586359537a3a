package artefact_test

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/statespec/statespec/equivalence/artefact"
)

func TestNamesTellFormats(t *testing.T) {
	for name, want := range map[string]bool{"a.npy": true, "a.NPZ": true, "x/a.safetensors": true, "a.pt": true, "a.pth": true,
		"a.json": false, "npy": false, "a.npy.tmp": false, "": false} {
		if got := artefact.Known(name); got != want {
			t.Errorf("Known(%q) = %v, want %v", name, got, want)
		}
	}
	if _, err := read(nil, "a.json"); err == nil || !strings.Contains(err.Error(), artefact.Extensions) {
		t.Errorf("Read(a.json) = %v, want what is read", err)
	}
}

func TestMembersOfAnArchiveAreReadStoredAndDeflated(t *testing.T) {
	data := counting(24)
	for _, method := range []uint16{zip.Store, zip.Deflate} {
		file := zipped(t, method, record{"b.npy", npyFile("<f4", "False", "(2, 3)", data)}, record{"a.npy", npyFile(">i2", "True", "(3, 4)", data)})
		set, err := read(file, "x.npz")
		if err != nil {
			t.Fatal(err)
		}
		if len(set.Entries) != 2 || set.Entries[0].Name != "b" || set.Entries[1].Name != "a" {
			t.Fatalf("Read = %+v, want b and a, in the archive's order", set.Entries)
		}
		b, a := set.Entries[0].Array, set.Entries[1].Array
		if got := values(t, b); !bytes.Equal(got, data) {
			t.Errorf("method %d: b = %v, want %v", method, got, data)
		}
		if a.Order != artefact.Fortran || !a.Big || !slices.Equal(a.Strides, []int64{1, 3}) {
			t.Errorf("method %d: a = %+v, want big-endian in Fortran order", method, a)
		}
		if got := streamed(t, b); !bytes.Equal(got, data) {
			t.Errorf("method %d: the stream of b = %v, want %v", method, got, data)
		}
	}
}

// streamed is what a stream gives, in pieces.
func streamed(t *testing.T, a artefact.Array) (all []byte) {
	t.Helper()
	s, err := a.LittleEndian()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for left := a.Source.Size(); left > 0; {
		n := min(left, int64(8))
		part, err := s.Next(int(n))
		if err != nil {
			t.Fatal(err)
		}
		all, left = append(all, part...), left-n
	}
	if _, err := s.Next(8); err == nil {
		t.Error("Next(8) after the end = nil, want an error")
	}
	return all
}

func TestAMappedFileReadsAsItsBytesDo(t *testing.T) {
	data := counting(3 * 64 << 10)
	path := filepath.Join(t.TempDir(), "a.npy")
	if err := os.WriteFile(path, npyFile(">f8", "False", "(24576,)", data), 0o644); err != nil {
		t.Fatal(err)
	}
	mapped := open(t, path).Entries[0].Array
	buffered := only(t, npyFile(">f8", "False", "(24576,)", data), "a.npy").Array
	if !bytes.Equal(streamed(t, mapped), streamed(t, buffered)) {
		t.Error("the streams of a mapped file and of its bytes differ")
	}
	if !bytes.Equal(values(t, mapped), values(t, buffered)) {
		t.Error("the elements of a mapped file and of its bytes differ")
	}
}

func TestSafetensorsAreReadWithTheirMetadata(t *testing.T) {
	file := safetensors(`{"__metadata__":{"format":"pt"},"b":{"dtype":"BF16","shape":[2,3],"data_offsets":[4,16]},`+
		`"a":{"shape":[],"data_offsets":[0,4],"dtype":"F32"},"none":{"dtype":"I64","shape":[0,5],"data_offsets":[16,16]}}   `, counting(16))
	set, err := read(file, "x.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range set.Entries {
		names = append(names, e.Name+" "+string(e.Kind))
	}
	if want := []string{"__metadata__.format text", "b array", "a array", "none array"}; !slices.Equal(names, want) {
		t.Errorf("Read = %q, want %q", names, want)
	}
	if got, want := values(t, set.Entries[1].Array), counting(16)[4:]; !bytes.Equal(got, want) {
		t.Errorf("b = %v, want %v", got, want)
	}
}

// A view holds what a copy of it holds, whatever the storage has besides.
func TestAViewOfAStorageReadsAsItsCopy(t *testing.T) {
	data := counting(48)
	view := only(t, torchFile(t, pickled(tensorOf(storageOf("ShortStorage", 24), 2, numbersOf(3, 2), numbersOf(1, 4))), data), "a.pt")
	var want []byte
	for i := range 3 {
		for j := range 2 {
			at := 2 * (2 + i + 4*j)
			want = append(want, data[at], data[at+1])
		}
	}
	if got := values(t, view.Array); !bytes.Equal(got, want) {
		t.Errorf("the view = %v, want %v", got, want)
	}
	if _, packed := view.Array.Packed(); packed {
		t.Error("Packed() of a view with gaps = true, want false")
	}
	slice := only(t, torchFile(t, pickled(tensorOf(storageOf("ShortStorage", 24), 5, numbersOf(2, 4), numbersOf(4, 1))), data), "a.pt")
	if _, packed := slice.Array.Packed(); !packed || slice.Array.Source.Size() != 16 || slice.Array.Offset != 0 {
		t.Errorf("a slice without gaps = %+v, want its own 16 bytes and no offset", slice.Array)
	}
	if got := values(t, slice.Array); !bytes.Equal(got, data[10:26]) {
		t.Errorf("the slice = %v, want %v", got, data[10:26])
	}
}

func TestAnUntypedStorageIsReadAsItsTensorSays(t *testing.T) {
	call := global("torch._utils", "_rebuild_tensor_v3") +
		tuple(storageOf("UntypedStorage", 8), number(0), numbersOf(4), numbersOf(1), "\x89", noHooks, global("torch", "uint16")) + "R"
	e := only(t, torchFile(t, pickled(call), counting(8)), "a.pt")
	if e.Array.Type.Name != "uint16" || !bytes.Equal(values(t, e.Array), counting(8)) {
		t.Errorf("Read = %s %v, want uint16 %v", e.Array.Type.Name, values(t, e.Array), counting(8))
	}
}

func TestAFileOfABigEndianMachineIsReadAsWhatItMeans(t *testing.T) {
	file := zipped(t, zip.Store, record{"x/data.pkl", []byte(pickled(tensorOf(storageOf("ShortStorage", 2), 0, numbersOf(2), numbersOf(1))))},
		record{"x/byteorder", []byte("big")}, record{"x/data/0", []byte{1, 2, 3, 4}})
	if got := values(t, only(t, file, "a.pt").Array); !bytes.Equal(got, []byte{2, 1, 4, 3}) {
		t.Errorf("the elements, little-endian, = %v, want [2 1 4 3]", got)
	}
}

func TestAPackedArrayKnowsTheOrderOfItsAxes(t *testing.T) {
	for _, row := range []struct {
		shape, strides []int64
		axes           []int
		ok             bool
	}{
		{[]int64{2, 3, 4}, []int64{12, 4, 1}, []int{0, 1, 2}, true},
		{[]int64{2, 3, 4}, []int64{1, 2, 6}, []int{2, 1, 0}, true},
		{[]int64{2, 3, 4}, []int64{4, 8, 1}, []int{1, 0, 2}, true},
		{[]int64{2, 1, 4}, []int64{4, 99, 1}, []int{1, 0, 2}, true},
		{[]int64{2, 3}, []int64{4, 1}, nil, false},
		{[]int64{2, 3}, []int64{0, 1}, nil, false},
		{[]int64{}, []int64{}, nil, true},
	} {
		axes, ok := artefact.Array{Shape: row.shape, Strides: row.strides}.Packed()
		if ok != row.ok || !slices.Equal(axes, row.axes) {
			t.Errorf("Packed(shape %v, strides %v) = %v, %v, want %v, %v", row.shape, row.strides, axes, ok, row.axes, row.ok)
		}
	}
}

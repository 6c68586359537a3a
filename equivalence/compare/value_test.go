package compare_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/statespec/statespec/equivalence/compare"
)

// zipped is an archive of files, in this order: name, content, name, content.
func zipped(t *testing.T, method uint16, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		f, err := w.CreateHeader(&zip.FileHeader{Name: files[i], Method: method})
		if err == nil {
			_, err = f.Write([]byte(files[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// saved is a file of torch: a pickle's body, and one storage.
func saved(t *testing.T, body string, storage []byte) []byte {
	return zipped(t, zip.Store, "archive/data.pkl", "\x80\x02"+body+".", "archive/data/0", string(storage))
}

// tensor is six float32 of storage 0 as [2, 3].
func tensor(offset, strideA, strideB byte) string {
	return "ctorch._utils\n_rebuild_tensor_v2\n((X\x07\x00\x00\x00storagectorch\nFloatStorage\nX\x01\x00\x00\x000X\x03\x00\x00\x00cpuK\x0ctQ" +
		"K" + string([]byte{offset}) + "K\x02K\x03\x86K" + string([]byte{strideA}) + "K" + string([]byte{strideB}) + "\x86\x89ccollections\nOrderedDict\n)RtR"
}

func TestASavedViewAndASavedCopyAreEqual(t *testing.T) {
	row := floatBytes(9, 0, 1, 2, 10, 11, 12, 9, 9, 9, 9, 9)
	column := floatBytes(9, 9, 9, 0, 10, 1, 11, 2, 12, 9, 9, 9)
	gaps := floatBytes(0, 9, 1, 9, 2, 9, 10, 9, 11, 9, 12, 9)
	files := [][]byte{saved(t, tensor(1, 3, 1), row), saved(t, tensor(3, 1, 2), column), saved(t, tensor(0, 6, 2), gaps)}
	for i, a := range files {
		for j, b := range files {
			if got := pairOf(t, "a.pt", a, b, compare.Options{}); !got.Equal || got.Elements != 6 || !slices.Equal(got.Shape, []int64{2, 3}) {
				t.Errorf("view %d against %d = %+v, want equal", i, j, got)
			}
		}
	}
	off := saved(t, tensor(0, 6, 2), floatBytes(0, 9, 1, 9, 2, 9, 10, 9, 11, 9, 13, 7))
	if got := pairOf(t, "a.pt", files[1], off, compare.Options{}); got.Different != 1 || !slices.Equal(got.First.Index, []int64{1, 2}) || got.Axes[1].Summary != "only index 2 and later" && got.Axes[1].Summary != "only index 2" {
		t.Errorf("a view with one element off = %+v, first %+v, want [1 2]", got, got.First)
	}
}

func text(s string) string {
	return "X" + string(binary.LittleEndian.AppendUint32(nil, uint32(len(s)))) + s
}

func TestNumbersAndTextsBesideTensorsAreCompared(t *testing.T) {
	dict := func(step, rate, name, done, extra string) []byte {
		return saved(t, "}("+text("step")+step+text("rate")+rate+text("name")+name+text("done")+done+text("list")+extra+"u", nil)
	}
	zero, negative := "G\x00\x00\x00\x00\x00\x00\x00\x00", "G\x80\x00\x00\x00\x00\x00\x00\x00"
	a := dict("K\x07", zero, text("wrist"), "\x88", "](K\x01Ne")
	b := dict("K\x09", negative, text("write"), "K\x01", "](K\x01K\x02Ne")
	dirs := [2]string{folder(t, map[string][]byte{"a.pt": a}), folder(t, map[string][]byte{"a.pt": b})}
	r := paths(t, dirs[0], dirs[1], compare.Options{})
	if want := []string{"a.pt:step", "a.pt:rate", "a.pt:name", "a.pt:done", "a.pt:list[0]", "a.pt:list[1]", "a.pt:list[2]"}; !slices.Equal(names(r), want) {
		t.Fatalf("artefacts = %q, want %q", names(r), want)
	}
	x := r.Artefacts
	if x[0].First.ULP != "2" || x[0].First.A != "7" || x[0].Kind != "int" {
		t.Errorf("step = %+v, first %+v, want 7 and 9", x[0], x[0].First)
	}
	if x[1].Equal || x[1].First.BitsB != "0x8000000000000000" || x[1].First.ULP != "0" {
		t.Errorf("rate = first %+v, want -0 against 0", x[1].First)
	}
	if x[2].First == nil || x[2].First.Index[0] != 3 || x[2].First.B != "write" {
		t.Errorf("name = first %+v, want the fourth letter", x[2].First)
	}
	if x[3].Problem != "kind differs: bool against int" || !x[4].Equal || x[5].Problem != "kind differs: none against int" || x[6].Problem != "missing in A" {
		t.Errorf("done, list = %+v", x[3:])
	}
	if !paths(t, dirs[0], dirs[0], compare.Options{}).Equal {
		t.Error("a file differs from itself")
	}
}

func TestAFormatIsNoDifference(t *testing.T) {
	npy := floats(1, 2)
	dir := folder(t, map[string][]byte{
		"a.npy": npy, "a.npz": zipped(t, zip.Store, "x.npy", string(npy)), "b.npz": zipped(t, zip.Deflate, "x.npy", string(npy), "y.npy", string(npy)),
		"a.safetensors": []byte("\x3d\x00\x00\x00\x00\x00\x00\x00" + `{"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}       ` + string(npy[128:])),
	})
	for _, row := range []struct {
		a, b  string
		equal bool
		names []string
	}{
		{"a.npy", "a.npz", true, []string{"a.npy:x"}},
		{"a.npz", "a.safetensors", true, []string{"a.npz:x"}},
		{"a.safetensors", "b.npz", false, []string{"a.safetensors:x", "a.safetensors:y"}},
		{"b.npz", "b.npz", true, []string{"b.npz:x", "b.npz:y"}},
	} {
		r := paths(t, filepath.Join(dir, row.a), filepath.Join(dir, row.b), compare.Options{})
		if r.Equal != row.equal || !slices.Equal(names(r), row.names) {
			t.Errorf("%s against %s = equal %v, %q, want %v, %q", row.a, row.b, r.Equal, names(r), row.equal, row.names)
		}
	}
}

// Compressed arrays are compared in either order, though their bytes are to be had
// in one.
func TestCompressedArraysOfOtherOrdersAreCompared(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	c := string(array("<f4", "False", "(2, 3)", floatBytes(0, 1, 2, 10, 11, 12)))
	f := string(array(">f4", "True", "(2, 3)", turned(floatBytes(0, 10, 1, 11, 2, 12))))
	got := pairOf(t, "a.npz", zipped(t, zip.Deflate, "x.npy", c), zipped(t, zip.Deflate, "x.npy", f), compare.Options{})
	if got.Different != 0 || got.Problem != "order differs: C against Fortran" {
		t.Errorf("Paths = %+v, want equal values in other orders", got)
	}
	left, err := os.ReadDir(temporary)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, error %v", left, err)
	}
}

func turned(b []byte) []byte {
	for i := 0; i < len(b); i += 4 {
		slices.Reverse(b[i : i+4])
	}
	return b
}

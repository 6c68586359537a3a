package artefact_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/statespec/statespec/equivalence/artefact"
)

// written is digests.json of ci/python/write.py: what a program in Python wrote,
// and what it says that its files hold.
type written struct {
	By     []string       `json:"written_by"`
	Values []writtenValue `json:"values"`
}

type writtenValue struct {
	File   string  `json:"file"`
	Name   string  `json:"name"`
	Kind   string  `json:"kind"`
	DType  string  `json:"dtype"`
	Shape  []int64 `json:"shape"`
	SHA256 string  `json:"sha256"`
	Text   string  `json:"text"`
}

// The files of testdata/torch were written by torch itself.
func TestFilesOfTorchHoldWhatTorchSays(t *testing.T) {
	if n := checkWritten(t, "testdata/torch"); n < 40 {
		t.Errorf("%d values were read, want 40 or more", n)
	}
}

// checkWritten reads every file of a folder and compares what it holds with what
// is said of it: no value less, and none more.
func checkWritten(t *testing.T, dir string) (checked int) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "digests.json"))
	if err != nil {
		t.Fatal(err)
	}
	var said written
	if err := json.Unmarshal(text, &said); err != nil {
		t.Fatal(err)
	}
	byFile := map[string][]writtenValue{}
	for _, v := range said.Values {
		byFile[v.File] = append(byFile[v.File], v)
	}
	for file, values := range byFile {
		set := open(t, filepath.Join(dir, file))
		if len(set.Entries) != len(values) {
			t.Errorf("%s: %d values, want %d", file, len(set.Entries), len(values))
		}
		for _, v := range values {
			i := slices.IndexFunc(set.Entries, func(e artefact.Entry) bool { return e.Name == v.Name })
			if i < 0 {
				t.Errorf("%s: no value %q", file, v.Name)
				continue
			}
			v.check(t, set.Entries[i])
			checked++
		}
	}
	t.Logf("%d values of %d files, written by %v", checked, len(byFile), said.By)
	return checked
}

func (v writtenValue) check(t *testing.T, e artefact.Entry) {
	t.Helper()
	if string(e.Kind) != v.Kind || e.Text != v.Text {
		t.Errorf("%s %q = %s %q, want %s %q", v.File, v.Name, e.Kind, e.Text, v.Kind, v.Text)
		return
	}
	if e.Kind != artefact.Tensor {
		return
	}
	if e.Array.Type.Name != v.DType || !slices.Equal(e.Array.Shape, v.Shape) {
		t.Errorf("%s %q = %s %v, want %s %v", v.File, v.Name, e.Array.Type.Name, e.Array.Shape, v.DType, v.Shape)
		return
	}
	sum := sha256.Sum256(values(t, e.Array))
	if got := hex.EncodeToString(sum[:]); got != v.SHA256 {
		t.Errorf("%s %q: SHA-256 of the elements = %s, want %s", v.File, v.Name, got, v.SHA256)
	}
}

// open reads a file, which stays open for the test.
func open(t *testing.T, path string) *artefact.Set {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	set, err := artefact.Read(f, info.Size(), path)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// values are an array's elements as little-endian bytes in row-major order.
func values(t *testing.T, a artefact.Array) []byte {
	t.Helper()
	access, err := a.Source.Access()
	if err != nil {
		t.Fatal(err)
	}
	defer access.Close()
	var all []byte
	index := make([]int64, len(a.Shape))
	for range a.Elements() {
		place := a.Offset
		for i, n := range index {
			place += n * a.Strides[i]
		}
		size := a.Type.Size
		b, err := access.At(place*int64(size), size)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b...)
		if a.Big {
			artefact.Turn(all[len(all)-size:], a.Type.Lane())
		}
		for i := len(index) - 1; i >= 0; i-- {
			if index[i]++; index[i] < a.Shape[i] {
				break
			}
			index[i] = 0
		}
	}
	return all
}

package compare_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/statespec/statespec/equivalence/compare"
)

// array is the file of an array with these bytes.
func array(descr, fortran, shape string, data []byte) []byte {
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }", descr, fortran, shape)
	return append(fmt.Appendf(nil, "\x93NUMPY\x01\x00\x76\x00%-117s\n", header), data...)
}

// floats is a little-endian float32 array of one axis.
func floats(values ...float32) []byte {
	return array("<f4", "False", fmt.Sprintf("(%d,)", len(values)), floatBytes(values...))
}

func floatBytes(values ...float32) (b []byte) {
	for _, v := range values {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return b
}

// folder writes files, and returns where.
func folder(t *testing.T, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// paths compares two paths that can be read.
func paths(t *testing.T, a, b string, o compare.Options) *compare.Report {
	t.Helper()
	r, err := compare.Paths(t.Context(), a, b, o)
	if err != nil {
		t.Fatalf("Paths(%s, %s) = %v", a, b, err)
	}
	return r
}

// pairOf compares two files of one name, each of one value.
func pairOf(t *testing.T, name string, a, b []byte, o compare.Options) compare.Artefact {
	t.Helper()
	r := paths(t, filepath.Join(folder(t, map[string][]byte{name: a}), name), filepath.Join(folder(t, map[string][]byte{name: b}), name), o)
	if len(r.Artefacts) != 1 {
		t.Fatalf("Paths = %d artefacts, want 1", len(r.Artefacts))
	}
	if r.Equal != r.Artefacts[0].Equal {
		t.Errorf("the report is equal = %v, its only artefact %v", r.Equal, r.Artefacts[0].Equal)
	}
	return r.Artefacts[0]
}

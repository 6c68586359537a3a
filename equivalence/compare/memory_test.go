package compare_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/statespec/statespec/equivalence/compare"
)

// large writes two files of 64 MiB that differ in every element; as holes, which
// take no disk. It returns their paths.
func large(t *testing.T, shape string) (a, b string) {
	t.Helper()
	dir := t.TempDir()
	paths := [2]string{filepath.Join(dir, "a.npy"), filepath.Join(dir, "b.npy")}
	for i, path := range paths {
		if err := os.WriteFile(path, array("<f4", "False", shape, nil), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, 128+64<<20); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			continue
		}
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		ones := make([]byte, 1<<20)
		for i := range ones {
			ones[i] = 1
		}
		for at := int64(0); at < 64<<20; at += 1 << 20 {
			if _, err := f.WriteAt(ones, 128+at); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return paths[0], paths[1]
}

// What is allocated depends neither on the size nor on the shape.
func TestMemoryDoesNotGrowWithTheArtefacts(t *testing.T) {
	for _, shape := range []string{"(16777216,)", "(1, 16777216, 1)", "(4096, 4096)", "(2, 2, 2, 2, 1048576)"} {
		a, b := large(t, shape)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r := paths(t, a, b, compare.Options{})
		runtime.ReadMemStats(&after)
		if got := r.Artefacts[0].Different; got != 16777216 {
			t.Errorf("shape %s: %d differ, want all 16777216", shape, got)
		}
		if got := after.TotalAlloc - before.TotalAlloc; got > 4<<20 {
			t.Errorf("shape %s: %d bytes were allocated for two files of 64 MiB, want at most 4 MiB", shape, got)
		}
	}
}

// A cutting context cuts a file the second time that somebody asks whether to go on.
type cutting struct {
	context.Context
	asked int
	cut   func()
}

func (c *cutting) Err() error {
	if c.asked++; c.asked == 2 {
		c.cut()
	}
	return c.Context.Err()
}

func TestAFileThatIsCutMeanwhileIsAnError(t *testing.T) {
	a, b := large(t, "(16777216,)")
	c := &cutting{Context: t.Context(), cut: func() {
		if err := os.Truncate(b, 4096); err != nil {
			t.Error(err)
		}
	}}
	_, err := compare.Paths(c, a, b, compare.Options{})
	if err == nil || !strings.Contains(err.Error(), b) || c.asked < 2 {
		t.Errorf("Paths = %v, want an error that names %s", err, b)
	}
}

func TestAComparisonIsInterrupted(t *testing.T) {
	a, b := large(t, "(4096, 4096)")
	ctx, stop := context.WithCancel(t.Context())
	c := &cutting{Context: ctx, cut: stop}
	if r, err := compare.Paths(c, a, b, compare.Options{}); err != context.Canceled {
		t.Errorf("Paths = %v, %v, want context.Canceled", r, err)
	}
}

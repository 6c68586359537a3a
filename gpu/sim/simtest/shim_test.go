package simtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// driver compiles a small CUDA driver from testdata.
func driver(t *testing.T, source string) string {
	t.Helper()
	library := filepath.Join(t.TempDir(), strings.TrimSuffix(source, ".c")+".so")
	if failed := compile(library, "-shared", "-fPIC", filepath.Join("testdata", source)); failed != "" {
		t.Fatal(failed)
	}
	return library
}

func TestWithoutAUsableDriverThereAreNoDevicesAndAReason(t *testing.T) {
	b := build(t)
	text := filepath.Join(t.TempDir(), "text.so")
	if err := os.WriteFile(text, []byte("no library"), 0o644); err != nil {
		t.Fatal(err)
	}
	fails := driver(t, "fails.c")
	for _, c := range []struct {
		name, driver    string
		reason, library string
	}{
		{"none", "none", "CUDA_DRIVER_LIB is none", ""},
		{"a file that is missing", "/missing/libcuda.so", "CUDA_DRIVER_LIB: no CUDA driver: /missing/libcuda.so: cannot open", ""},
		{"a file that is no library", text, "CUDA_DRIVER_LIB: no CUDA driver: " + text, ""},
		{"a library that is no CUDA driver", "libm.so.6", "libm.so.6 is no CUDA driver: it has no cuInit", "libm.so.6"},
		{"a driver whose cuInit fails", fails, fails + ": cuInit: CUDA_ERROR_UNKNOWN (999)", fails},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := answers(t, b, []string{"CUDA_DRIVER_LIB=" + c.driver}, []string{"count", "reason", "library", "version", "context c 0", "alloc a 8"})
			want := []string{"0", c.reason, c.library, "0", "error 100", "error 100"}
			for i := range want {
				if got[i] != want[i] && !(i == 1 && strings.HasPrefix(got[i], want[i])) {
					t.Errorf("answer %d = %q, want %q", i, got[i], want[i])
				}
			}
		})
	}
}

func TestTheSystemsDriverIsTheOneWithoutAName(t *testing.T) {
	b := build(t)
	folder := t.TempDir()
	if err := os.Symlink(b.library(), filepath.Join(folder, "libcuda.so.1")); err != nil {
		t.Fatal(err)
	}
	for _, named := range [][]string{nil, {"CUDA_DRIVER_LIB="}} {
		got := answers(t, b, append(named, "LD_LIBRARY_PATH="+folder), []string{"count", "reason", "library"})
		if want := "1 usable libcuda.so.1"; strings.Join(got, " ") != want {
			t.Errorf("%q: count, reason, library = %q, want %q", named, got, want)
		}
	}
}

func TestADriverWithoutAnEntryPointDoesNotSupportIt(t *testing.T) {
	b := build(t)
	got := answers(t, b, []string{"CUDA_DRIVER_LIB=" + driver(t, "lacks.c")}, []string{"count", "reason", "alloc a 8"})
	if want := "3 usable CUDA_ERROR_NOT_SUPPORTED"; strings.Join(got, " ") != want {
		t.Errorf("count, reason, alloc = %q, want %q", got, want)
	}
}

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/statespec/statespec/spec/verdict"
)

// artefacts writes files under a folder of the test's own.
func artefacts(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// bytesFile is an array of bytes.
func bytesFile(data string) string {
	header := fmt.Sprintf("{'descr': '|u1', 'fortran_order': False, 'shape': (%d,), }", len(data))
	return fmt.Sprintf("\x93NUMPY\x01\x00\x76\x00%-117s\n", header) + data
}

func TestDiffExitsAsItSays(t *testing.T) {
	a := artefacts(t, map[string]string{"x.npy": bytesFile("abc"), "log.txt": "one"})
	same := artefacts(t, map[string]string{"x.npy": bytesFile("abc"), "log.txt": "two"})
	other := artefacts(t, map[string]string{"x.npy": bytesFile("abd"), "log.txt": "one"})
	cut := artefacts(t, map[string]string{"x.npy": bytesFile("abc")[:130]})
	texts := artefacts(t, map[string]string{"log.txt": "one"})
	fifo := filepath.Join(t.TempDir(), "x.npy")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		name string
		args []string
		exit verdict.Exit
		says string
	}{
		{"equal folders", []string{a, same}, 0, "equal: 1 artefact"},
		{"what is not judged is said", []string{a, same}, 0, "log.txt"},
		{"equal files", []string{a + "/x.npy", same + "/x.npy"}, 0, "equal"},
		{"divergent", []string{a, other}, 1, "[2]: a = 99 (0x63), b = 100 (0x64)"},
		{"bytes that differ", []string{a, same, "--bytes", "*.txt"}, 1, "3 of 3 differ"},
		{"a bound changes no verdict", []string{a, other, "--ulp", "100"}, 1, "0 of 3 are more than 100 ULP apart"},
		{"a tolerance neither", []string{a, other, "--abs", "0.5", "--rel", "0.1"}, 1, "0 of 3 are more than 0.5 + 0.1·|b| apart"},
		{"only the count", []string{a, other, "--count"}, 1, "1 of 3 differ"},
		{"what is ignored", []string{a, other, "--ignore", "x.npy", "--bytes", "log.txt"}, 0, "equal: 1 artefact"},
		{"colour", []string{a, other, "--color", "always"}, 1, "\x1b[31mdivergent"},
		{"no colour", []string{a, other, "--color", "never"}, 1, "divergent: 1 of 1"},

		{"an argument too few", []string{a}, 2, "accepts 2 arg"},
		{"nothing there", []string{a, a + "/none"}, 2, "none"},
		{"a file that is cut", []string{a, cut}, 2, "the data end here: 2 bytes of the 3"},
		{"a folder and a file", []string{a, a + "/x.npy"}, 2, "want two files or two folders"},
		{"nothing to compare", []string{texts, texts}, 2, "nothing to compare"},
		{"another format", []string{a + "/log.txt", a + "/log.txt"}, 2, ".safetensors"},
		{"a glob of nothing", []string{a, same, "--bytes", "*.jsn"}, 2, "names no file"},
		{"a glob that is none", []string{a, same, "--bytes", "["}, 2, "syntax error in pattern"},
		{"a bound that is none", []string{a, same, "--ulp", "-1"}, 2, "-1"},
		{"a tolerance that is none", []string{a, same, "--abs", "-1"}, 2, "want a number of 0 or more"},
		{"a colour that is none", []string{a, same, "--color", "blue"}, 2, "want auto, always or never"},
		{"a pipe", []string{a + "/x.npy", fifo}, 2, "no regular file"},
		{"a page where nothing can be written", []string{a, same, "--html", "/nonexistent/x.html"}, 2, "--html"},
		{"a page over an artefact", []string{a, same, "--html", a + "/x.npy"}, 2, "no page of statespec diff"},
		{"a page over a folder", []string{a, same, "--html", a}, 2, "no regular file"},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := statespec(t, "", append([]string{"diff"}, row.args...)...)
			if got.exit != row.exit || !strings.Contains(got.stdout+got.stderr, row.says) {
				t.Errorf("exit = %d, want %d and %q\n%s%s", got.exit, row.exit, row.says, got.stdout, got.stderr)
			}
			if row.exit == verdict.Unusable && got.stderr == "" {
				t.Error("it says nothing on standard error")
			}
		})
	}
}

func TestDiffWritesJSONAndAPage(t *testing.T) {
	a, b := artefacts(t, map[string]string{"x.npy": bytesFile("abc")}), artefacts(t, map[string]string{"x.npy": bytesFile("xbc")})
	page := filepath.Join(t.TempDir(), "diff.html")
	for range 2 { // the second replaces the first
		got := statespec(t, "", "diff", a, b, "--json", "--html", page)
		if got.exit != verdict.Failure {
			t.Fatalf("exit = %d, want 1\n%s", got.exit, got.stderr)
		}
		var report struct {
			Equal     bool
			Artefacts []struct {
				Name  string
				First struct {
					Index     []int64
					A, B, ULP string
					BitsA     string `json:"bits_a"`
				}
			}
		}
		if err := json.Unmarshal([]byte(got.stdout), &report); err != nil {
			t.Fatalf("%v\n%s", err, got.stdout)
		}
		if first := report.Artefacts[0].First; report.Equal || first.A != "97" || first.B != "120" || first.BitsA != "0x61" || first.ULP != "23" {
			t.Errorf("diff --json = %+v, want 97 against 120", report)
		}
		if html, err := os.ReadFile(page); err != nil || !strings.Contains(string(html), "<svg") {
			t.Errorf("the page: %v, %d bytes, want a drawing", err, len(html))
		}
	}
	left, err := os.ReadDir(filepath.Dir(page))
	if err != nil || len(left) != 1 {
		t.Errorf("beside the page: %v, %v, want nothing", left, err)
	}
}

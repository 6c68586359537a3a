package regress_test

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/statespec/statespec/ci/regress"
)

var update = flag.Bool("update", false, "write the golden files and POWER.md instead of comparing with them")

// golden compares an output with a file.
func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got, -update writes it):\n%s", path, diff)
	}
}

// lines writes a result a value, of values around a centre that differ by a step.
func lines(name, unit string, n int, centre, step float64, more string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "Benchmark%s \t 100 \t %.6g %s%s\n", name, centre+step*float64(i-n/2), unit, more)
	}
	return b.String()
}

const head = "goos: linux\ngoarch: amd64\ncpu: one of two cores\npkg: example.org/manager\n"

// sample is two recordings in which every word occurs.
func sample() (old, new string, th string) {
	allocs := func(n int) string { return fmt.Sprintf("\t 96 B/op\t %d allocs/op", n) }
	old = head + "commit: 1111111\n" +
		lines("Hit/impl=statespec-2", "ns/op", 10, 100, 0.4, allocs(0)) + lines("Hit/impl=control-2", "ns/op", 10, 120, 0.1, allocs(0)) +
		lines("Miss/impl=statespec-2", "ns/op", 10, 400, 1, allocs(2)) + lines("Miss/impl=control-2", "ns/op", 10, 200, 0.1, allocs(1)) +
		lines("Stats/impl=statespec-2", "ns/op", 10, 4000, 300, allocs(7)) + lines("Stats/impl=control-2", "ns/op", 10, 3000, 1, allocs(1)) +
		lines("Drop<b>|`x`", "ratio", 10, 0.7, 0.001, "") +
		"pkg: example.org/ring\n" + lines("Push", "MB/s", 10, 5000, 10, "\t 450560 bytes-held") + lines("Few", "ratio", 3, 1, 0.01, "") + lines("Old", "ratio", 10, 1, 0.01, "")
	new = head + "commit: 2222222\n" +
		lines("Hit/impl=statespec-2", "ns/op", 10, 112, 0.4, allocs(0)) + lines("Hit/impl=control-2", "ns/op", 10, 120, 0.1, allocs(0)) +
		lines("Miss/impl=statespec-2", "ns/op", 10, 340, 1, allocs(3)) + lines("Miss/impl=control-2", "ns/op", 10, 200, 0.1, allocs(1)) +
		lines("Stats/impl=statespec-2", "ns/op", 10, 4100, 300, allocs(7)) + lines("Stats/impl=control-2", "ns/op", 10, 3000, 1, allocs(1)) +
		lines("Drop<b>|`x`", "ratio", 10, 0.701, 0.001, "") +
		"pkg: example.org/ring\n" + lines("Push", "MB/s", 10, 4000, 10, "\t 450560 bytes-held") + lines("Few", "ratio", 3, 1, 0.01, "") + lines("New", "ratio", 10, 1, 0.01, "") +
		"FAIL\texample.org/ring\t0.1s\n"
	return old, new, "rules:\n- {unit: B/s, gate: true, worse: 25%}\n- {benchmark: Gone*, worse: 1%}\n"
}

// compared is the report of two recordings.
func compared(t *testing.T, old, new, th string, strict bool) *regress.Report {
	t.Helper()
	o := regress.Options{Strict: strict}
	if th != "" {
		var err error
		if o.Thresholds, err = regress.ParseThresholds("limits.yaml", []byte(th)); err != nil {
			t.Fatal(err)
		}
	}
	files, err := regress.Read(regress.Input{Name: "old.txt", Data: []byte(old)}, regress.Input{Name: "new.txt", Data: []byte(new)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := regress.Make(files, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestOutputsAreTheirGoldenFiles(t *testing.T) {
	old, new, th := sample()
	r := compared(t, old, new, th, false)
	for _, w := range regress.Words() {
		if r.Words[w] == 0 {
			t.Errorf("the sample has no comparison that is %q, want every word in it", w)
		}
	}
	for name, write := range map[string]func(io.Writer, *regress.Report) error{
		"report.txt":  func(w io.Writer, r *regress.Report) error { return regress.WriteText(w, r, false) },
		"report.md":   regress.WriteMarkdown,
		"report.json": regress.WriteJSON,
		"report.html": regress.WriteHTML,
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := write(&b, r); err != nil {
				t.Fatal(err)
			}
			golden(t, filepath.Join("testdata", name), b.Bytes())
		})
	}
}

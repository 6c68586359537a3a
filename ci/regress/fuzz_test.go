package regress_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/statespec/statespec/ci/regress"
)

// FuzzRead holds for every two files: what is wrong is told with a file's name; of
// what is read every output is written, and none says anything but text.
func FuzzRead(f *testing.F) {
	old, new, _ := sample()
	f.Add([]byte(old), []byte(new))
	f.Add([]byte(good), []byte(strings.Repeat(good, 7)))
	texts := []string{"", "Benchmark 1 1 x", "BenchmarkX 1 1e308 ns/op 0 B/op\nBenchmarkX 1 1e-308 ns/op 1 B/op", "Unit x better=higher assume=exact\nBenchmarkX 1 1 x",
		"pkg: <script>\nBenchmark<b>|`/impl=control-1 1 1 ns/op 2 &/control", "BenchmarkX 1 1 ratio\nBenchmarkX 1 0 ratio",
		"BenchmarkX 1 1e-60 y\nBenchmarkX/impl=control 1 1e60 y", "BenchmarkX 1 1e60 y\nBenchmarkX/impl=control 1 1e-60 y",
		"BenchmarkX 1 1e-51 ns/op\nBenchmarkX/impl=control 1 1e69 ns/op", "BenchmarkX 1 1e69 ns/op\nBenchmarkX/impl=control 1 1e-51 ns/op"}
	for _, text := range texts {
		f.Add([]byte(text), []byte(good+text))
		for _, other := range texts {
			f.Add([]byte(text), []byte(other))
		}
	}
	f.Fuzz(func(t *testing.T, old, new []byte) {
		files, err := regress.Read(regress.Input{Name: "old.txt", Data: old}, regress.Input{Name: "new.txt", Data: new}, nil)
		if err != nil {
			for line := range strings.SplitSeq(err.Error(), "\n") {
				if !strings.HasPrefix(line, "old.txt:") && !strings.HasPrefix(line, "new.txt:") {
					t.Errorf("Read = %v, want a file's name before each line", err)
				}
			}
			return
		}
		r, err := regress.Make(files, regress.Options{Thresholds: regress.Thresholds{Rules: []regress.Rule{regress.GateRule("*")}}})
		if err != nil {
			t.Fatal(err)
		}
		checkOutputs(t, r)
	})
}

// checkOutputs writes every output of a report.
func checkOutputs(t *testing.T, r *regress.Report) {
	t.Helper()
	var text, md, js, page bytes.Buffer
	for _, err := range []error{regress.WriteText(&text, r, false), regress.WriteMarkdown(&md, r), regress.WriteJSON(&js, r), regress.WriteHTML(&page, r)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	var back regress.Report
	if err := json.Unmarshal(js.Bytes(), &back); err != nil || back.Line != r.Line {
		t.Errorf("the JSON does not read: %v", err)
	}
	if bytes.ContainsRune(text.Bytes(), '\x1b') || bytes.Contains(md.Bytes(), []byte("<script")) || bytes.Contains(page.Bytes(), []byte("<script")) {
		t.Errorf("an output does more than say something:\n%q\n%q", text.String(), md.String())
	}
	checkPage(t, page.String())
}

var drawing = regexp.MustCompile(`(?s)<svg.*?</svg>`)

// checkPage says whether every drawing is XML with a text for who does not see it.
func checkPage(t *testing.T, page string) {
	t.Helper()
	for _, svg := range drawing.FindAllString(page, -1) {
		d := xml.NewDecoder(strings.NewReader(svg))
		var err error
		for err == nil {
			_, err = d.Token()
		}
		if err != io.EOF {
			t.Errorf("a drawing is not XML: %v\n%s", err, svg)
		}
		if !strings.Contains(svg, `role="img"`) || !strings.Contains(svg, "<title>") || !strings.Contains(svg, "<desc>Old: ") || strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
			t.Errorf("a drawing without its text, or with numbers that are none:\n%s", svg)
		}
	}
}

func TestEveryComparisonOfThePageHasItsDrawing(t *testing.T) {
	old, new, th := sample()
	var b bytes.Buffer
	r := compared(t, old, new, th, false)
	if err := regress.WriteHTML(&b, r); err != nil {
		t.Fatal(err)
	}
	want := 0
	for _, table := range r.Tables {
		for _, c := range table.Rows {
			if c.Change != nil && c.Old.Center > 0 {
				want++
			}
		}
	}
	if got := len(drawing.FindAllString(b.String(), -1)); got != want || want == 0 {
		t.Errorf("the page has %d drawings, want %d", got, want)
	}
	checkPage(t, b.String())
	for _, outside := range []string{"http://", "https://", "src=", "url("} {
		if strings.Contains(strings.ReplaceAll(b.String(), `xmlns="http://www.w3.org/2000/svg"`, ""), outside) {
			t.Errorf("the page has %s in it, want nothing from outside", outside)
		}
	}
}

// FuzzThresholds holds for every content: what is wrong has the file's name and is
// printable, and what is read judges.
func FuzzThresholds(f *testing.F) {
	if text, err := os.ReadFile("README.md"); err == nil {
		_, rest, _ := strings.Cut(string(text), "```yaml\n")
		example, _, _ := strings.Cut(rest, "```")
		f.Add([]byte(example))
	}
	for _, text := range []string{"", "alpha: 0.01", "rules: []", "rules:\n- {unit: ns/op, gate: true, least: 5}", "---\n---\n", "a: [", "? a\n: b", "- - - a", "a: |\n  b\n", "\"\\u0000\"", "&a *a", "a:\n\t- b", "rules: [{unit: \"[\", worse: 1e3%}]"} {
		f.Add([]byte(text))
	}
	old, new, _ := sample()
	f.Fuzz(func(t *testing.T, data []byte) {
		th, err := regress.ParseThresholds("t.yaml", data)
		if err != nil {
			for line := range strings.SplitSeq(err.Error(), "\n") {
				if !strings.HasPrefix(line, "t.yaml:") {
					t.Errorf("ParseThresholds = %q, want the file's name before each line", err)
				}
			}
			return
		}
		files, err := read(old, new)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := regress.Make(files, regress.Options{Thresholds: th}); err != nil {
			t.Fatal(err)
		}
	})
}

//go:build python

package protocol

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/statespec/statespec/driver"
	"github.com/statespec/statespec/driver/check"
)

var listing = regexp.MustCompile("(?s)```python\n(.*?)```")

// right are the rules that a driver keeps after each step of the chapter, beside
// those of the steps before.
var right = [][]string{
	{"keeps standard output to itself", "answers unsupported to what it does not know", "leaves at the end of input"},
	{"answers start, one line, with its id and a result", "says hello", "says the same hello again", "does without params", "refuses a handle that it does not hold"},
	{"has a table of sessions", "names sessions as asked", "has errors of the kinds of the document"},
	{"passes over members that it does not know", "sets the feature's variables at start"},
	{"lets go at release", "lets go at start", "carries scalars", "carries whole numbers beyond 53 bits as text", "carries text beyond ASCII"},
	{"has attributes", "has what it claims"},
	{"answers every call of a batch", "times its calls"},
}

// The driver of the chapter, step by step: what it claims to be right is right, and
// at the end nothing is wrong.
func TestTheDriverOfTheAfternoon(t *testing.T) {
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	python := os.Getenv("PYTHON")
	if python == "" {
		python = "python3"
	}
	parts := listing.FindAllStringSubmatch(string(text), -1)
	if len(parts) != len(right) {
		t.Fatalf("%d steps with code, want %d", len(parts), len(right))
	}
	var code strings.Builder
	due := map[string]bool{}
	for i, part := range parts {
		code.WriteString(part[1] + "\n\n")
		file := filepath.Join(t.TempDir(), "mine.py")
		if err := os.WriteFile(file, []byte(code.String()+"main()\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		words := map[string]check.Finding{}
		_, err := check.Run(t.Context(), driver.Command{Args: []string{python, file}, Start: 20 * time.Second}, func(f check.Finding) { words[f.Rule] = f })
		if err != nil {
			t.Fatal(err)
		}
		for _, rule := range right[i] {
			due[rule] = true
			if _, known := words[rule]; !known {
				t.Errorf("there is no rule %q", rule)
			}
		}
		for rule, f := range words {
			last := i == len(parts)-1
			asked := i > 0 // before start is answered nothing else is asked
			if f.Word != check.Right && asked && (due[rule] || last && f.Word != check.Skipped) {
				t.Errorf("after step %d, %s: %s, %s", i+1, rule, f.Word, f.What)
			}
		}
	}
}

package selection

import (
	"os"
	"strings"
	"testing"

	"github.com/statespec/statespec/spec/catalogue"
)

func full() vocabulary { return newVocabulary(catalogue.All()) }

// blocks are the indented blocks of the package's documentation.
func blocks(t *testing.T) [][]string {
	t.Helper()
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	var all [][]string
	inside := false
	for line := range strings.Lines(string(text)) {
		code, isCode := strings.CutPrefix(strings.TrimRight(line, "\n"), "//\t")
		if isCode && !inside {
			all = append(all, nil)
		}
		if isCode {
			all[len(all)-1] = append(all[len(all)-1], code)
		}
		inside = isCode
	}
	return all
}

func TestEveryExampleOfTheDocumentationChoosesSomething(t *testing.T) {
	examples := 0
	for _, block := range blocks(t) {
		if strings.HasPrefix(block[0], "unknown word") {
			continue
		}
		for _, line := range block {
			expr, _, _ := strings.Cut(line, "   ")
			if rows, err := Select(expr, catalogue.All()); err != nil {
				t.Errorf("Select(%q) = %s, error %v", expr, ids(rows), err)
			}
			examples++
		}
	}
	if want := 13; examples != want {
		t.Errorf("the documentation has %d examples, want %d", examples, want)
	}
}

func TestTheDocumentationShowsAnErrorAsItIs(t *testing.T) {
	for _, block := range blocks(t) {
		if !strings.HasPrefix(block[0], "unknown word") {
			continue
		}
		_, err := Parse(strings.TrimSpace(block[1]))
		if want := strings.Join(block, "\n"); err == nil || err.Error() != want {
			t.Errorf("Parse(%q) = error\n%v\nwant\n%s", block[1], err, want)
		}
		return
	}
	t.Error("the documentation shows no error")
}

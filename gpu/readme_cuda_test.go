//go:build cuda

package gpu_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/statespec/statespec/gpu/faulty"
)

// README's table of planted faults is that of the code.
func TestTheREADMENamesEveryFault(t *testing.T) {
	text, err := os.ReadFile("README.md")
	ok(t, err)
	_, table, _ := strings.Cut(string(text), "\n| fault | what it breaks |\n|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	var want []string
	for _, f := range faulty.All() {
		want = append(want, fmt.Sprintf("| %s | %s |", f.Name, strings.Join(f.Breaks, ", ")))
	}
	if due := strings.Join(want, "\n"); table != due {
		t.Errorf("README.md has the faults\n%s\nwant\n%s", table, due)
	}
}

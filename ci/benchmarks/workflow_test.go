package benchmarks_test

import (
	"os"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// steps are those of the workflow to copy, by name or by what they use.
func steps(t *testing.T) map[string]step {
	t.Helper()
	text, err := os.ReadFile("../github-bench.yml")
	if err != nil {
		t.Fatal(err)
	}
	var workflow struct {
		Jobs struct {
			Bench struct{ Steps []step }
		}
	}
	if err := yaml.Unmarshal(text, &workflow); err != nil {
		t.Fatal(err)
	}
	by := map[string]step{}
	for _, s := range workflow.Jobs.Bench.Steps {
		by[s.Name+s.Uses] = s
	}
	return by
}

type step struct {
	Name, Uses, Run string
	With, Env       map[string]string
}

// What is checked out is a merge commit: the branch that it is of is its first parent,
// which has to be there.
func TestThePullRequestIsComparedWithWhatItIsMergedInto(t *testing.T) {
	by := steps(t)
	if depth := by["actions/checkout@v4"].With["fetch-depth"]; depth != "2" {
		t.Errorf("fetch-depth %q, want 2", depth)
	}
	if run := by["Both in turns"].Run; !strings.Contains(run, "ci/compare.sh HEAD^1 results") {
		t.Errorf("it runs\n%s\nwant a comparison with HEAD^1", run)
	}
}

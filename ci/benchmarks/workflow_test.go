package benchmarks_test

import (
	"os"
	"os/exec"
	"path/filepath"
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

// The comment that is edited is our own, and a first one is made where there is none.
func TestTheCommentIsFoundByItsMarker(t *testing.T) {
	post := steps(t)["Post it"]
	for name, row := range map[string]struct{ found, want string }{
		"ours is there": {"17", "api --method PATCH repos/o/r/issues/comments/17 -F body=@comment.md"},
		"two are there": {"17\n18", "api --method PATCH repos/o/r/issues/comments/17 -F body=@comment.md"},
		"none is there": {"", "pr comment 5 --body-file comment.md"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			// As gh does what is asked of it: it prints what the filter finds.
			gh := "#!/bin/sh\necho \"$*\" >>asked\ncase $* in *--paginate*) [ -z \"$FOUND\" ] || echo \"$FOUND\" ;; esac\n"
			for name, content := range map[string]string{"gh": gh, "results/summary.md": "slower\n"} {
				path := filepath.Join(folder, name)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(content), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.Command("bash", "-e", "-c", post.Run)
			cmd.Dir = folder
			cmd.Env = append(os.Environ(), "PATH="+folder+":"+os.Getenv("PATH"), "GITHUB_REPOSITORY=o/r", "NUMBER=5", "MARKER="+post.Env["MARKER"], "FOUND="+row.found)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			asked, _ := os.ReadFile(filepath.Join(folder, "asked"))
			lines := strings.Split(strings.TrimSpace(string(asked)), "\n")
			if len(lines) != 2 || !strings.Contains(lines[0], "env.MARKER") || lines[1] != row.want {
				t.Errorf("asked\n%s\nwant the comments with the marker, then %s", asked, row.want)
			}
			body, _ := os.ReadFile(filepath.Join(folder, "comment.md"))
			if marker := post.Env["MARKER"]; marker == "" || string(body) != marker+"\nslower\n" {
				t.Errorf("the comment is %q, want the marker %q and the summary", body, marker)
			}
		})
	}
}

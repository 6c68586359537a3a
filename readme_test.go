package statespec_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// readmeFile is README.md, once.
func readmeFile(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// commands lists README's commands: its lines that are indented by four spaces
// and stand in no fence.
func commands(readme string) (lines []string) {
	fenced := false
	for line := range strings.Lines(readme) {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		if command, ok := strings.CutPrefix(line, "    "); ok && !fenced {
			lines = append(lines, strings.TrimSpace(command))
		}
	}
	return lines
}

// Every command of README runs, in README's order, with the exit code of
// success.
func TestTheCommandsOfREADMERun(t *testing.T) {
	dir := t.TempDir()
	binary := filepath.Join(dir, "statespec")
	if out, err := exec.Command("go", "build", "-o", binary, "./cmd/statespec").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	ran := 0
	for _, command := range commands(readmeFile(t)) {
		switch command {
		case "go test ./...": // which is running
			continue
		case "go run ./cmd/statespec run": // whose output is compared below
			continue
		}
		t.Run(command, func(t *testing.T) {
			// The command itself, but built once, and in a folder of the test's own.
			run := strings.Replace(command, "go run ./cmd/statespec", binary, 1)
			cmd := exec.Command("sh", "-c", run)
			if run != command {
				cmd.Dir = dir
			}
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
		ran++
	}
	if ran < 8 {
		t.Errorf("README has %d commands besides the tests, want 8 or more: were they found?", ran)
	}
}

// What README shows is what is printed.
func TestTheOutputInREADMEIsReal(t *testing.T) {
	readme := readmeFile(t)
	for _, block := range strings.Split(readme, "<!-- output of: ")[1:] {
		command, rest, _ := strings.Cut(block, " -->\n```\n")
		shown, _, ok := strings.Cut(rest, "```\n")
		if !ok {
			t.Fatalf("no fence after the output of %q", command)
		}
		out := printed(t, command)
		if shown != string(out) {
			t.Errorf("%s prints\n%s\nREADME shows\n%s", command, out, shown)
		}
	}
}

// printed is what a command prints. On a machine so busy that something cannot
// be told it is asked again.
func printed(t *testing.T, command string) []byte {
	t.Helper()
	var out []byte
	for range 10 {
		var err error
		if out, err = exec.Command("sh", "-c", command).Output(); err != nil {
			t.Fatalf("%s: %v", command, err)
		}
		if !bytes.Contains(out, []byte("cannot-tell")) {
			break
		}
	}
	return out
}

// The Go code of README compiles, with the methods that it leaves to the reader.
func TestTheCodeOfREADMECompiles(t *testing.T) {
	_, rest, _ := strings.Cut(readmeFile(t), "```go\n")
	code, _, ok := strings.Cut(rest, "```")
	if !ok {
		t.Fatal("README has no Go code")
	}
	whole := `package readme

import (
	"context"
	"testing"

	"github.com/statespec/statespec"
	"github.com/statespec/statespec/spec"
)

func (s *subject) Resolve(spec.Config) (spec.Resolution, error)      { return spec.Resolution{}, spec.Unsupported }
func (s *subject) NewManager(spec.ManagerSpec) (spec.Manager, error) { return nil, spec.Unsupported }
func (s *subject) NewObject(spec.ObjectSpec) (spec.Object, error)    { return nil, spec.Unsupported }
func (s *subject) Make(spec.Recipe) (spec.Value, error)              { return nil, spec.Unsupported }

` + code
	dir := t.TempDir()
	source, overlay := filepath.Join(dir, "readme_test.go"), filepath.Join(dir, "overlay.json")
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(here, "testdata", "readme", "readme_test.go"): source}})
	if err != nil {
		t.Fatal(err)
	}
	for path, content := range map[string][]byte{source: []byte(whole), overlay: replace} {
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "test", "-c", "-o", os.DevNull, "-overlay", overlay, "./testdata/readme")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, bytes.ReplaceAll(out, []byte(dir), nil))
	}
}

package simtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// behaviour is a paragraph of a script: a sentence, the options of simulated CUDA, and
// calls with what they have to answer.
type behaviour struct {
	sentence string
	options  string
	calls    []call
}

// call is one line: "command = answer", or "command ~ part of the answer".
type call struct {
	line    int
	command string
	part    bool
	want    string
}

func read(t *testing.T, file string) (all []behaviour) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(text), "\n") {
		if line == "" {
			continue
		}
		if sentence, ok := strings.CutPrefix(line, "== "); ok {
			all = append(all, behaviour{sentence: sentence})
			continue
		}
		b := &all[len(all)-1]
		if options, ok := strings.CutPrefix(line, "CUDASIM "); ok {
			b.options = options
			continue
		}
		command, want, exact := cutLast(line, " = ")
		if !exact {
			var ok bool
			if command, want, ok = cutLast(line, " ~ "); !ok {
				t.Fatalf("%s:%d: %q: want command = answer", file, i+1, line)
			}
		}
		b.calls = append(b.calls, call{i + 1, command, !exact, want})
	}
	return all
}

func cutLast(line, at string) (before, after string, ok bool) {
	i := strings.LastIndex(line, at)
	if i < 0 {
		return "", "", false
	}
	return line[:i], line[i+len(at):], true
}

// answers runs commands in a process of its own, and returns an answer for each.
func answers(t *testing.T, b built, environment []string, commands []string) []string {
	t.Helper()
	probe := exec.CommandContext(t.Context(), b.probe)
	probe.WaitDelay = time.Second
	probe.Dir = "testdata"
	probe.Env = append(without(os.Environ(), "CUDASIM", "CUDA_DRIVER_LIB"), environment...)
	probe.Stdin = strings.NewReader(strings.Join(commands, "\n") + "\n")
	var said, complaints bytes.Buffer
	probe.Stdout, probe.Stderr = &said, &complaints
	err := probe.Run()
	lines := strings.Split(strings.TrimSuffix(said.String(), "\n"), "\n")
	if err != nil || len(lines) != len(commands) {
		t.Fatalf("the probe: %v, %d answers to %d commands\n%s%s", err, len(lines), len(commands), said.String(), complaints.String())
	}
	return lines
}

func without(environment []string, names ...string) (kept []string) {
next:
	for _, e := range environment {
		for _, name := range names {
			if strings.HasPrefix(e, name+"=") {
				continue next
			}
		}
		kept = append(kept, e)
	}
	return kept
}

// value looks up a path such as devices.1.live_bytes in a report.
func value(report, path string) string {
	var v any
	decoder := json.NewDecoder(strings.NewReader(report))
	decoder.UseNumber()
	if err := decoder.Decode(&v); err != nil {
		return "no JSON: " + err.Error()
	}
	for key := range strings.SplitSeq(path, ".") {
		switch in := v.(type) {
		case map[string]any:
			v = in[key]
		case []any:
			i, err := strconv.Atoi(key)
			if err != nil || i >= len(in) {
				return "no " + key
			}
			v = in[i]
		}
	}
	return fmt.Sprint(v)
}

func TestSimulatedCUDAKeepsWhatItsScriptsSay(t *testing.T) {
	files, err := filepath.Glob("testdata/scripts/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts in testdata/scripts", err)
	}
	b := build(t)
	for _, file := range files {
		for _, behaviour := range read(t, file) {
			t.Run(behaviour.sentence, func(t *testing.T) {
				t.Parallel()
				check(t, b, file, behaviour)
			})
		}
	}
}

func check(t *testing.T, b built, file string, script behaviour) {
	t.Helper()
	var commands []string
	for _, c := range script.calls {
		command, path, _ := strings.Cut(c.command, " ")
		if command == "report" && path != "" {
			commands = append(commands, command)
			continue
		}
		commands = append(commands, c.command)
	}
	environment := []string{"CUDA_DRIVER_LIB=" + b.library()}
	if script.options != "" {
		environment = append(environment, "CUDASIM="+script.options)
	}
	for i, got := range answers(t, b, environment, commands) {
		c := script.calls[i]
		if path, ok := strings.CutPrefix(c.command, "report "); ok {
			got = value(got, path)
		}
		if got != c.want && !(c.part && strings.Contains(got, c.want)) {
			t.Errorf("%s:%d: %s = %s, want %s", file, c.line, c.command, got, c.want)
		}
	}
}

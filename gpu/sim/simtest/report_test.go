package simtest

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A process that ends at once leaves what it did in the stats file: no handler runs.
func TestTheStatsFileOutlivesTheProcess(t *testing.T) {
	b := build(t)
	stats := filepath.Join(t.TempDir(), "stats.json")
	probe := exec.Command(b.probe)
	probe.Env = append(os.Environ(), "CUDA_DRIVER_LIB="+b.library(), "CUDASIM=stats="+stats)
	probe.Stdin = strings.NewReader("context c 0\nalloc a 100\nalloc b 28\nfree b\nend\n")
	if err := probe.Run(); err == nil || probe.ProcessState.ExitCode() != -1 {
		t.Fatalf("the probe: %v, want it killed by itself", err)
	}
	text, err := os.ReadFile(stats)
	if err != nil {
		t.Fatal(err)
	}
	var report struct {
		Simulated     bool
		Allocs, Frees int
		LiveBytes     int   `json:"live_bytes"`
		Devices       []any `json:"devices"`
	}
	if err := json.Unmarshal(text, &report); err != nil {
		t.Fatalf("%v in %.200s", err, text)
	}
	if !report.Simulated || report.Allocs != 2 || report.Frees != 1 || report.LiveBytes != 100 || len(report.Devices) != 1 {
		t.Errorf("the stats file = %+v, want 2 allocations, 1 free, 100 live bytes of 1 device", report)
	}
}

func TestFaultsAreSaidOnStandardErrorWhereThatIsAskedFor(t *testing.T) {
	b := build(t)
	for _, c := range []struct{ options, want string }{
		{"verbose=1,oom_at=1", "simulated CUDA: injected out of memory: allocation 1, 8 bytes\n"},
		{"oom_at=1", ""},
		{"nothing=1", "simulated CUDA: option nothing=1: want one that SIMULATED.md lists\n"},
	} {
		probe := exec.Command(b.probe)
		probe.Env = append(os.Environ(), "CUDA_DRIVER_LIB="+b.library(), "CUDASIM="+c.options)
		probe.Stdin = strings.NewReader("context c 0\nalloc a 8\n")
		var said bytes.Buffer
		probe.Stderr = &said
		if err := probe.Run(); err != nil || said.String() != c.want {
			t.Errorf("CUDASIM=%s: standard error = %q (%v), want %q", c.options, said.String(), err, c.want)
		}
	}
}

// One line for each name, however often it is called.
func TestAnEntryPointThatIsNotSimulatedSaysItsNameOnce(t *testing.T) {
	b := build(t)
	probe := exec.Command(b.probe)
	probe.Env = append(os.Environ(), "CUDA_DRIVER_LIB="+b.library(), "CUDASIM=")
	probe.Stdin = strings.NewReader("managed\nmanaged\n")
	var said bytes.Buffer
	probe.Stderr = &said
	if err := probe.Run(); err != nil || said.String() != "simulated CUDA: cuMemAllocManaged is not simulated\n" {
		t.Errorf("standard error = %q (%v), want the name once", said.String(), err)
	}
}

// The document lists every option and every counter, and no others.
func TestTheDocumentListsTheOptionsAndTheCounters(t *testing.T) {
	document, err := os.ReadFile("../../SIMULATED.md")
	if err != nil {
		t.Fatal(err)
	}
	b := build(t)
	report := map[string]any{}
	if err := json.Unmarshal([]byte(answers(t, b, []string{"CUDA_DRIVER_LIB=" + b.library()}, []string{"report"})[0]), &report); err != nil {
		t.Fatal(err)
	}
	counters := map[string]bool{}
	for name := range report {
		counters[name] = true
	}
	compare(t, "counters", documented(string(document), "## Counters"), counters)
	source, err := os.ReadFile("../options.c")
	if err != nil {
		t.Fatal(err)
	}
	options := map[string]bool{"reset": true}
	for line := range strings.SplitSeq(string(source), "\n") {
		if name, ok := strings.CutPrefix(line, `    {"`); ok {
			options[name[:strings.Index(name, `"`)]] = true
		}
	}
	compare(t, "options", documented(string(document), "## Options"), options)
}

// documented returns the names in the first column of a section's tables.
func documented(document, section string) map[string]bool {
	_, text, _ := strings.Cut(document, section+"\n")
	text, _, _ = strings.Cut(text, "\n## ")
	names := map[string]bool{}
	for line := range strings.SplitSeq(text, "\n") {
		cell, ok := strings.CutPrefix(line, "| `")
		if !ok {
			continue
		}
		cell, _, _ = strings.Cut(cell, " |")
		for name := range strings.SplitSeq(cell, "`, `") {
			name, _, _ = strings.Cut(strings.TrimSuffix(name, "`"), "=")
			names[name] = true
		}
	}
	return names
}

func compare(t *testing.T, what string, documented, there map[string]bool) {
	t.Helper()
	for name := range there {
		if !documented[name] {
			t.Errorf("SIMULATED.md does not list %s among the %s", name, what)
		}
	}
	for name := range documented {
		if !there[name] {
			t.Errorf("SIMULATED.md lists %s among the %s, and there is none", name, what)
		}
	}
}

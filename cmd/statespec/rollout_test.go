package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/statespec/statespec/equivalence/rollout"
	"github.com/statespec/statespec/reference/config"
	"github.com/statespec/statespec/spec/report"
	"github.com/statespec/statespec/spec/verdict"
)

// rolledOut runs a short tiny rollout with a switch and a config, and returns
// its folder.
func rolledOut(t *testing.T, value, document string, args ...string) string {
	t.Helper()
	t.Setenv(config.EnableVar, value)
	out := filepath.Join(t.TempDir(), "artefacts")
	args = append([]string{"rollout", "--profile", "tiny", "--steps", "24", "--out", out}, args...)
	if document != "" {
		args = append(args, "--config", file(t, document))
	}
	if got := statespec(t, "", args...); got.exit != verdict.AsExpected {
		t.Fatalf("%q = exit %d\n%s%s", args, got.exit, got.stdout, got.stderr)
	}
	return out
}

func readJSON[T any](t *testing.T, path string) (v T) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(b, &v)
	}
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// The page: a set variable beats the config in both directions.
func TestConfigAndEnvironmentDecideThePathOfARollout(t *testing.T) {
	const on, off = "enable_session_state_manager: true\n", "enable_session_state_manager: false\n"
	for _, c := range []struct{ value, document, path string }{
		{"", "", "bespoke"}, {"1", "", "managed"}, {"off", on, "bespoke"}, {"yes", off, "managed"}, {"", on, "managed"}, {"perhaps", off, "bespoke"},
	} {
		out := rolledOut(t, c.value, c.document)
		if w := readJSON[rollout.Witness](t, filepath.Join(out, rollout.WitnessFile)); w.Path != c.path {
			t.Errorf("switch %q, config %q: witness %+v, want path %s", c.value, c.document, w, c.path)
		}
	}
}

func TestTwoRolloutsOnTwoPathsHaveEqualArtefacts(t *testing.T) {
	bespoke, managed := rolledOut(t, "0", ""), rolledOut(t, "1", "")
	m := readJSON[rollout.Manifest](t, filepath.Join(bespoke, rollout.ManifestFile))
	if len(m.Artefacts) == 0 || m.StepsDone != 24 || m.Incomplete {
		t.Errorf("manifest %+v, want artefacts of 24 steps", m)
	}
	for _, listed := range m.Artefacts {
		a, err := os.ReadFile(filepath.Join(bespoke, listed.File))
		if err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(filepath.Join(managed, listed.File)); err != nil || !bytes.Equal(a, b) {
			t.Errorf("%s differs between the paths (%v)", listed.File, err)
		}
	}
}

func TestARolloutGoesWhereTheVariableSays(t *testing.T) {
	out := filepath.Join(t.TempDir(), "artefacts")
	t.Setenv(outVar, out)
	if got := statespec(t, "", "rollout", "--profile", "tiny", "--steps", "3"); got.exit != verdict.AsExpected {
		t.Fatalf("exit %d\n%s%s", got.exit, got.stdout, got.stderr)
	}
	for _, name := range []string{report.Marker, rollout.ManifestFile, rollout.WitnessFile, rollout.HeldFile, rollout.ObservedFile} {
		if _, err := os.Stat(filepath.Join(out, name)); err != nil {
			t.Errorf("%s is missing: %v", name, err)
		}
	}
}

func TestAnUnusableRolloutSaysWhatWouldBeUsable(t *testing.T) {
	t.Setenv(outVar, "")
	foreign := filepath.Dir(file(t, "not ours"))
	out := filepath.Join(t.TempDir(), "artefacts")
	for _, c := range []struct {
		name string
		args []string
		says string
	}{
		{"nowhere to write", []string{}, "STATESPEC_OUT"},
		{"a foreign folder", []string{"--out", foreign}, foreign},
		{"an unknown profile", []string{"--out", out, "--profile", "huge"}, "tiny, small, shipped"},
		{"an unknown dtype", []string{"--out", out, "--dtype", "float16"}, "bfloat16 or float32"},
		{"an unknown fault", []string{"--out", out, "--fault", "slow"}, "order-by-size, split-rounded"},
		{"steps below none", []string{"--out", out, "--steps", "-3"}, "--steps"},
		{"endless steps", []string{"--out", out, "--steps", "9223372036854775807"}, "--steps"},
		{"a dump past the end", []string{"--out", out, "--dump-at", "96"}, "0 to 95"},
		{"a dump before the start", []string{"--out", out, "--dump-at", "-2"}, "0 to 95"},
		{"no config file", []string{"--out", out, "--config", "/nonexistent.yaml"}, "/nonexistent.yaml"},
		{"a config with a cap", []string{"--out", out, "--config", file(t, "max_sessions: 3\n")}, "line 1"},
		{"a config that is none", []string{"--out", out, "--config", file(t, "enable_session_state_manager: perhaps\n")}, "true or false"},
	} {
		got := statespec(t, "", append([]string{"rollout"}, c.args...)...)
		if got.exit != verdict.Unusable || !strings.Contains(got.stderr, c.says) {
			t.Errorf("%s: exit %d, %q; want 2 and %q", c.name, got.exit, got.stderr, c.says)
		}
	}
	if _, err := os.Stat(out); !os.IsNotExist(err) {
		t.Errorf("a refused rollout left %s: %v", out, err)
	}
}

func TestAnUnusableCapIsWarnedAboutOnce(t *testing.T) {
	t.Setenv(config.MaxSessionsVar, "many")
	got := statespec(t, "", "rollout", "--profile", "tiny", "--steps", "2", "--out", filepath.Join(t.TempDir(), "artefacts"))
	if got.exit != verdict.AsExpected || strings.Count(got.stderr, config.MaxSessionsVar+"=") != 1 {
		t.Errorf("exit %d, %q; want 0 and one warning that names the variable", got.exit, got.stderr)
	}
}

func TestAnInterruptedRolloutIsMarkedIncomplete(t *testing.T) {
	out := filepath.Join(t.TempDir(), "artefacts")
	ctx, stop := context.WithCancel(t.Context())
	stop()
	var stdout, stderr bytes.Buffer
	code := execute(ctx, []string{"rollout", "--profile", "tiny", "--out", out}, &stdout, &stderr)
	if code != verdict.Interrupted {
		t.Errorf("exit = %d, want %d\n%s%s", code, verdict.Interrupted, stdout.String(), stderr.String())
	}
	if m := readJSON[rollout.Manifest](t, filepath.Join(out, rollout.ManifestFile)); !m.Incomplete || m.StepsDone != 0 {
		t.Errorf("manifest says %d steps, incomplete %v; want 0 and marked", m.StepsDone, m.Incomplete)
	}
}

func TestARolloutThatMemoryIsShortForDoesNotStart(t *testing.T) {
	if _, known := rollout.Available(os.DirFS("/")); !known {
		t.Skip("this system does not say how much memory is available")
	}
	out := filepath.Join(t.TempDir(), "artefacts")
	ctx, stop := context.WithCancel(t.Context())
	stop() // were it to start, it would be interrupted
	var stdout, stderr bytes.Buffer
	code := execute(ctx, []string{"rollout", "--profile", "shipped", "--steps", "1000000", "--out", out}, &stdout, &stderr)
	if code != verdict.NoVerdict || !strings.Contains(stderr.String(), "are available") {
		t.Errorf("exit %d, %q; want 3 and how much is available", code, stderr.String())
	}
	if _, err := os.Stat(out); !os.IsNotExist(err) {
		t.Errorf("it left %s: %v", out, err)
	}
}

func TestShippedSaysWhatItTakesBeforeItStarts(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	var stdout, stderr bytes.Buffer
	execute(ctx, []string{"rollout", "--profile", "shipped", "--out", filepath.Join(t.TempDir(), "artefacts")}, &stdout, &stderr)
	if !strings.Contains(stderr.String(), "MiB of memory") || !strings.Contains(stderr.String(), "400 steps") {
		t.Errorf("shipped says %q first, want its memory and steps", stderr.String())
	}
}

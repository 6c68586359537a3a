package simtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestNothingIsBuiltAgainThatDidNotChange(t *testing.T) {
	b := build(t)
	if out, err := gpuMake(b.folder, "gpu-sim").CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("make gpu-sim again: %v, want silence\n%s", err, out)
	}
}

func TestAToolThatIsMissingIsNamed(t *testing.T) {
	b := build(t)
	out, err := gpuMake(b.folder, "gpu-sim", "GPU_CC=no-such-gcc", "GPU_GO=no-such-go", "-B").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "gpu/gpu.mk: no-such-gcc is missing: install it") {
		t.Errorf("make gpu-sim without gcc: %v, want the tool's name\n%s", err, out)
	}
}

func TestACacheThatMakeCannotNameIsRefused(t *testing.T) {
	build(t)
	folder := filepath.Join(t.TempDir(), "with space")
	if out, err := gpuMake(folder, "gpu-tools").CombinedOutput(); err == nil || !strings.Contains(string(out), "set STATESPEC_CACHE") {
		t.Errorf("make gpu-tools: %v, want the variable to set\n%s", err, out)
	}
}

// variables evaluates what env.sh prints, as a shell does.
func variables(cache string, args string, environment ...string) (string, error) {
	shell := exec.Command("sh", "-c", `set -e; text=$(../../env.sh `+args+`); eval "$text"; echo "$CGO_CFLAGS|$CGO_LDFLAGS|${CUDA_DRIVER_LIB-unset}"`)
	shell.Env = append(without(os.Environ(), "CUDA_DRIVER_LIB", "CGO_CFLAGS", "CGO_LDFLAGS"), append(environment, "STATESPEC_CACHE="+cache)...)
	out, err := shell.CombinedOutput()
	return strings.TrimSuffix(string(out), "\n"), err
}

func TestTheEnvironmentSaysWhereTheLibrariesAre(t *testing.T) {
	b := build(t)
	for _, c := range []struct {
		args, set, driver string
	}{
		{"", "", b.library()},
		{"", "CUDA_DRIVER_LIB=none", "none"},
		{"sim", "CUDA_DRIVER_LIB=none", b.library()},
		{"system", "CUDA_DRIVER_LIB=none", "unset"},
		{"none", "", "none"},
	} {
		got, err := variables(b.folder, c.args, c.set)
		parts := strings.Split(got, "|")
		if err != nil || len(parts) != 3 || parts[2] != c.driver ||
			parts[0] != "-O2 -g '-I"+b.folder+"/cuda/include'" || !strings.HasPrefix(parts[1], "-O2 -g '-L"+b.folder+"/cuda/lib' -ldl -DCUDASHIM=") {
			t.Errorf("%s env.sh %s: %v, %s, want the driver %s", c.set, c.args, err, got, c.driver)
		}
	}
}

func TestTheEnvironmentNamesWhatIsMissing(t *testing.T) {
	if got, err := variables(t.TempDir(), ""); err == nil || !strings.HasSuffix(got, "/cuda/include/cuda.h is missing: run make gpu-sim first") {
		t.Errorf("env.sh without a cache: %v, %s, want that the header is missing", err, got)
	}
	b := build(t)
	if got, err := variables(b.folder, "/missing.so"); err == nil || !strings.Contains(got, "/missing.so is missing") {
		t.Errorf("env.sh /missing.so: %v, %s, want that it is missing", err, got)
	}
}

package kernels_test

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/statespec/statespec/gpu/kernels"
)

func TestThePTXHasTheKernelsOfTheSource(t *testing.T) {
	names, parameters, err := declared("kernels.cu")
	if err != nil {
		t.Fatal(err)
	}
	if got := kernels.Names(); !slices.Equal(got, names) {
		t.Errorf("Names() = %v, and kernels.cu declares %v", got, names)
	}
	var entries []string
	for _, entry := range regexp.MustCompile(`(?s)\.visible \.entry ([a-z0-9_]+)\(([^)]*)\)`).FindAllStringSubmatch(kernels.PTX, -1) {
		entries = append(entries, entry[1])
		if got := strings.Count(entry[2], ".param .u64 "); got != parameters[entry[1]] || got != strings.Count(entry[2], ".param") {
			t.Errorf("%s has %d u64 parameters in the PTX, want %d and no others", entry[1], got, parameters[entry[1]])
		}
	}
	if !slices.Equal(entries, names) {
		t.Errorf("the PTX has %v, and kernels.cu declares %v", entries, names)
	}
}

func TestACallHasTheArgumentsOfItsKernel(t *testing.T) {
	_, parameters, err := declared("kernels.cu")
	if err != nil {
		t.Fatal(err)
	}
	calls, seen := nothing(t), map[string]bool{}
	calls = append(calls, must[kernels.Call](t)(kernels.ReadPastEnd(8, 16, 3)))
	calls = append(calls, must[[]kernels.Call](t)(kernels.Checksum{NBytes: 100, Chunk: 64}.Calls(8, 16))...)
	for _, call := range calls {
		seen[call.Kernel] = true
		if len(call.Args) != parameters[call.Kernel] {
			t.Errorf("%s is called with %d arguments, want %d", call.Kernel, len(call.Args), parameters[call.Kernel])
		}
	}
	for _, name := range kernels.Names() {
		if !seen[name] {
			t.Errorf("no call of %s is checked", name)
		}
	}
}

func TestThePTXHasNoOtherArithmetic(t *testing.T) {
	for _, pattern := range []string{`fma`, `mad[.a-z]*\.f`, `approx`, `ftz`, `\b(add|sub|mul|div)\.f`, `\.f16`, `\.bf16`, `\.f64`} {
		if found := regexp.MustCompile(pattern).FindString(kernels.PTX); found != "" {
			t.Errorf("the PTX has %q", found)
		}
	}
	for _, want := range []string{"mul.rn.f32", "add.rn.f32", ".target sm_80"} {
		if !strings.Contains(kernels.PTX, want) {
			t.Errorf("the PTX has no %s", want)
		}
	}
}

func TestThePTXIsWhatTheSourceMakes(t *testing.T) {
	if _, err := exec.LookPath("clang-14"); err != nil {
		t.Skip("clang-14 is missing: the PTX is not built again")
	}
	check := exec.Command("./check.sh")
	check.Env = append(os.Environ(), "LC_ALL=C")
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("%v: %v\n%s", check, err, out)
	}
}

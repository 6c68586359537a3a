package simtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

// built is what the tests run: everything in one folder that goes when they end.
type built struct {
	folder string // holds cuda/include and cuda/lib, as a cache does
	probe  string // the program that runs scripts
}

var (
	once    sync.Once
	outcome built
	missing string // why nothing was built: skip
	failure string // what went wrong: fail
)

func TestMain(m *testing.M) {
	code := m.Run()
	if outcome.folder != "" {
		os.RemoveAll(outcome.folder)
	}
	os.Exit(code)
}

// build returns the shim, simulated CUDA and the probe, built once for all tests.
func build(t *testing.T) built {
	t.Helper()
	once.Do(prepare)
	if failure != "" {
		t.Fatal(failure)
	}
	if missing == "" {
		return outcome
	}
	if required := os.Getenv("STATESPEC_REQUIRE_GPU"); required != "" && required != "0" {
		t.Fatal(missing)
	}
	t.Skip(missing)
	return built{}
}

func prepare() {
	if runtime.GOOS != "linux" {
		missing = "simulated CUDA is for Linux"
		return
	}
	for _, tool := range []string{"make", "gcc", "ar", "go"} {
		if _, err := exec.LookPath(tool); err != nil {
			missing = tool + " is missing"
			return
		}
	}
	header := filepath.Join(cache(), "cuda", "include", "cuda.h")
	text, err := os.ReadFile(header)
	if err != nil {
		missing = "no " + header + ": run make gpu-header"
		return
	}
	if outcome.folder, err = os.MkdirTemp("", "simtest"); err != nil {
		failure = err.Error()
		return
	}
	include := filepath.Join(outcome.folder, "cuda", "include")
	outcome.probe = filepath.Join(outcome.folder, "probe")
	if err := os.MkdirAll(include, 0o755); err != nil {
		failure = err.Error()
		return
	}
	if err := os.WriteFile(filepath.Join(include, "cuda.h"), text, 0o644); err != nil {
		failure = err.Error()
		return
	}
	if out, err := gpuMake(outcome.folder, "gpu-sim").CombinedOutput(); err != nil {
		failure = "make gpu-sim: " + err.Error() + "\n" + string(out)
		return
	}
	sources, _ := filepath.Glob("testdata/probe*.c")
	failure = compile(outcome.probe, append(sources, "-I"+include, "-L"+filepath.Join(outcome.folder, "cuda", "lib"), "-lcuda", "-ldl", "-lpthread")...)
}

// gpuMake runs gpu.mk in the root of the repository, with the tests' own kernels.
func gpuMake(cache string, args ...string) *exec.Cmd {
	kernels, _ := filepath.Abs("testdata/kernels.cu")
	command := exec.Command("make", append([]string{"-s", "-C", "../../..", "-f", "gpu/gpu.mk", "GPU_KERNELS=" + kernels}, args...)...)
	command.Env = append(os.Environ(), "STATESPEC_CACHE="+cache, "MAKEFLAGS=", "MAKELEVEL=")
	return command
}

// compile returns what gcc said where it failed.
func compile(to string, args ...string) string {
	out, err := exec.Command("gcc", append([]string{"-O1", "-Wall", "-Wextra", "-Werror", "-o", to}, args...)...).CombinedOutput()
	if err != nil {
		return "gcc: " + err.Error() + "\n" + string(out)
	}
	return ""
}

// cache is where the header is kept, as gpu/header.sh has it.
func cache() string {
	if c := os.Getenv("STATESPEC_CACHE"); c != "" {
		return c
	}
	c, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(c, "statespec")
}

// library is simulated CUDA.
func (b built) library() string { return filepath.Join(b.folder, "cuda", "lib", "libcudasim.so") }

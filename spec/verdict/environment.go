package verdict

import (
	"crypto/sha256"
	"encoding/hex"
	"runtime"
	"slices"
	"strings"
)

// Environment is where a run took place.
type Environment struct {
	Go        string     `json:"go"` // version of the harness's own Go
	OS        string     `json:"os"`
	Arch      string     `json:"arch"`
	CPUs      int        `json:"cpus"`
	Variables []Variable `json:"variables"` // by name
}

// A Variable is one environment variable: its value where that is known to be
// harmless, else a digest, since the environment of a CI job holds tokens.
type Variable struct {
	Name   string `json:"name"`
	Value  string `json:"value,omitempty"`
	SHA256 string `json:"sha256,omitempty"` // first 8 hex digits: enough to see that two differ
}

// Surroundings describes this process and an environment of "name=value"
// entries. Values are kept of the names that harmless says yes to.
func Surroundings(environ []string, harmless func(name string) bool) Environment {
	env := Environment{Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.NumCPU(),
		Variables: []Variable{}}
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		if name == "" { // Windows keeps a directory per drive under such names
			continue
		}
		env.Variables = append(env.Variables, variable(name, value, harmless(name)))
	}
	slices.SortFunc(env.Variables, func(a, b Variable) int { return strings.Compare(a.Name, b.Name) })
	return env
}

func variable(name, value string, keep bool) Variable {
	if keep {
		return Variable{Name: name, Value: value}
	}
	sum := sha256.Sum256([]byte(value))
	return Variable{Name: name, SHA256: hex.EncodeToString(sum[:4])}
}

// Harmless is the allow-list: variables that decide how a session state manager,
// the libraries under it or the Go runtime behave, and that hold no secret.
func Harmless(name string) bool {
	return slices.Contains([]string{
		"OMNI_DIFFUSION_SESSION_STATE_MANAGER", "OMNI_DIFFUSION_SESSION_STATE_MANAGER_MAX_SESSIONS",
		"CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES", "CUDA_LAUNCH_BLOCKING", "CUBLAS_WORKSPACE_CONFIG",
		"OMP_NUM_THREADS", "MKL_NUM_THREADS", "ONEDNN_PRIMITIVE_CACHE_CAPACITY", "ONEDNN_MAX_CPU_ISA",
		"PYTHONHASHSEED", "PYTHONDEVMODE", "GOMAXPROCS", "GOGC", "GOMEMLIMIT", "GODEBUG",
		"CI", "LANG", "LC_ALL", "TZ",
	}, name)
}

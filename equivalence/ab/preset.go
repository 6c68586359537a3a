package ab

import "strings"

// A Setting is a variable of the determinism preset, and what it is for.
type Setting struct{ Name, Value, Why string }

// Deterministic is the preset: settings under which the libraries of world models
// give the same bits twice, where they can. None of them makes a program
// deterministic that is not otherwise.
func Deterministic() []Setting {
	return []Setting{
		{"CUBLAS_WORKSPACE_CONFIG", ":4096:8", "cuBLAS takes one workspace, and so one order of its sums, whatever ran before"},
		{"NVIDIA_TF32_OVERRIDE", "0", "float32 products are not rounded to TF32 on the way"},
		{"CUDA_LAUNCH_BLOCKING", "1", "kernels run one after the other, so that no result depends on how streams met"},
		{"NCCL_ALGO", "Ring", "reductions over devices keep one order"},
		{"MKL_CBWR", "COMPATIBLE", "MKL takes the same code path at any alignment and on any processor"},
		{"OMP_DYNAMIC", "FALSE", "the number of threads, and with it the split of sums, does not follow the load"},
		{"PYTHONHASHSEED", "0", "sets and dictionaries of strings are walked in one order"},
	}
}

// Entries makes environment entries of settings, leaving out variables that are
// among others: what a user sets himself stands.
func Entries(settings []Setting, others []string) (env []string) {
	for _, s := range settings {
		taken := false
		for _, entry := range others {
			name, _, _ := strings.Cut(entry, "=")
			taken = taken || name == s.Name
		}
		if !taken {
			env = append(env, s.Name+"="+s.Value)
		}
	}
	return env
}

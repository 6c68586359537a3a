package ab

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// cacheVars are variables that name a folder in which a library keeps compiled or
// tuned kernels: a run that finds other kernels there than the run before it may
// compute something else.
var cacheVars = []string{
	"TRITON_CACHE_DIR", "TORCHINDUCTOR_CACHE_DIR", "TORCH_EXTENSIONS_DIR", "CUDA_CACHE_PATH",
	"NUMBA_CACHE_DIR", "CUPY_CACHE_DIR", "JAX_COMPILATION_CACHE_DIR", "VLLM_CACHE_ROOT", "FLASHINFER_WORKSPACE_BASE",
}

// CachesOf are the caches that an environment of "name=value" entries names. Only
// those are watched, and folders that a user names: a cache at its default place
// belongs to every process of the machine.
func CachesOf(environ []string) (dirs []string) {
	for _, entry := range environ {
		name, dir, _ := strings.Cut(entry, "=")
		if dir != "" && slices.Contains(cacheVars, name) && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs)
	return dirs
}

// stateOf is what a cache holds: how many files, and a digest of their names and
// sizes.
func stateOf(dir string) string {
	sum, n := sha256.New(), 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		fmt.Fprintf(sum, "%s\x00%d\x00", rel, info.Size())
		n++
		return err
	})
	switch {
	case n == 0 && err != nil:
		return "not there"
	case err != nil:
		return err.Error()
	}
	return fmt.Sprintf("%d files, %s", n, hex.EncodeToString(sum.Sum(nil)[:6]))
}

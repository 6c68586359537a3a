//go:build !linux && !darwin

package ab

// freeBytes is not asked of other systems.
func freeBytes(string) (n int64, known bool) { return 0, false }

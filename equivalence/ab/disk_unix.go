//go:build linux || darwin

package ab

import "syscall"

// freeBytes is the room for an ordinary user where a folder is.
func freeBytes(dir string) (n int64, known bool) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, false
	}
	return int64(s.Bavail) * int64(s.Bsize), true
}

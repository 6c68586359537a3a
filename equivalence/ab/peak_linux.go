package ab

import (
	"os"
	"syscall"
)

// peak is the most memory that a process held at a time, in bytes. Linux tells it
// in KiB, of the process and not of its children.
func peak(state *os.ProcessState) int64 {
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		return usage.Maxrss << 10
	}
	return 0
}

package driver

import "syscall"

// attributes put a driver in a group of its own, so that what it starts can be
// ended with it, and end it when its parent is killed: it, and not what it started.
// The parent is a thread, of which package reap takes care.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

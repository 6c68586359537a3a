package driver

import "syscall"

// attributes put a driver in a group of its own, so that what it starts can be
// ended with it, and end it when its parent is killed.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

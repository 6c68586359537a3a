//go:build !linux

package driver

import "syscall"

// attributes put a driver in a group of its own, so that what it starts can be
// ended with it.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

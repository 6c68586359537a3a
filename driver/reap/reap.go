// Package reap ends what a process started, and whatever that started in turn:
// also a child in a session of its own, which no signal to a group reaches.
//
// A process that calls [Adopt] becomes the parent of its orphaned descendants. It
// starts its own children with [Start], so that [Sweep] can tell the one from the
// other. Where the system has no such thing, Sweep does nothing.
//
// Not here: what the processes say to each other.
package reap

import (
	"os/exec"
	"sync"
)

// table is the children that this process knows.
var table = struct {
	sync.Mutex
	adopted bool
	known   map[int]bool
}{known: map[int]bool{}}

// Adopt makes this process the parent of its orphaned descendants, for good. It
// belongs to a process that is all ours: any child that was not started by Start
// is an orphan to it.
func Adopt() error {
	table.Lock()
	defer table.Unlock()
	if table.adopted {
		return nil
	}
	err := adopt()
	table.adopted = err == nil && adopts
	return err
}

// Start starts a command as a child that Sweep leaves alone until it is forgotten. A
// child with a signal for the death of its parent is sent it when this process has
// ended, and not before.
func Start(cmd *exec.Cmd) error {
	table.Lock() // a child that runs and is not yet known would be an orphan
	defer table.Unlock()
	if err := onThread(cmd.Start); err != nil {
		return err
	}
	table.known[cmd.Process.Pid] = true
	return nil
}

// Forget says that a command has been waited for.
func Forget(cmd *exec.Cmd) {
	table.Lock()
	defer table.Unlock()
	delete(table.known, cmd.Process.Pid)
}

// Sweep kills the orphans that this process has become the parent of, and those
// that it becomes the parent of by that, and returns how many there were. With a
// mark it spares those whose environment does not have it, which is "NAME=value".
func Sweep(mark string) int {
	table.Lock()
	defer table.Unlock()
	if !table.adopted {
		return 0
	}
	return sweep(table.known, mark)
}

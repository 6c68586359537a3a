package reap

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

const adopts = true

func adopt() error {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("become the parent of orphaned descendants: %w", err)
	}
	return nil
}

// patience bounds a sweep: a process that cannot be killed is in the hands of the
// system.
const patience = 2 * time.Second

func sweep(known map[int]bool, mark string) (killed int) {
	for began := time.Now(); time.Since(began) < patience; {
		found := false
		for _, pid := range children() {
			if known[pid] || mark != "" && !marked(pid, mark) {
				continue
			}
			found = true
			unix.Kill(pid, unix.SIGKILL)
			if got, _ := unix.Wait4(pid, nil, unix.WNOHANG, nil); got == pid {
				killed++
			}
		}
		if !found {
			return killed
		}
		time.Sleep(time.Millisecond)
	}
	return killed
}

// children lists the processes whose parent this one is.
func children() (pids []int) {
	self := os.Getpid()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil && parent(pid) == self {
			pids = append(pids, pid)
		}
	}
	return pids
}

// parent is the process that a process is the child of; 0 when it is gone.
func parent(pid int) int {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	// "pid (name) state parent": the name may hold anything.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 2 {
		return 0
	}
	n, _ := strconv.Atoi(fields[1])
	return n
}

// marked says whether a process was started in an environment with a mark. One
// that is dead already has none, and is marked: it only has to be waited for.
func marked(pid int, mark string) bool {
	env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	if err != nil || len(env) == 0 {
		return true
	}
	for _, kv := range bytes.Split(env, []byte{0}) {
		if string(kv) == mark {
			return true
		}
	}
	return false
}

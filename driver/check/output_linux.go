package check

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// ownOutput looks at the descriptors of the process that answers: neither of the
// first two may be one that it talks on.
func ownOutput(v *visit) error {
	answering := leaf(v.probe.Pid())
	for fd, name := range []string{"standard input", "standard output"} {
		here, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", answering, fd))
		if err != nil {
			return nil // a process that cannot be looked into
		}
		if here == v.probe.Pipes()[fd] {
			return fmt.Errorf("%s of the process that answers is still the pipe of requests and answers: what a library prints or reads there is lost, or taken for an answer", name)
		}
	}
	return nil
}

// leaf is the last of the processes that one started, one after the other: of a
// shell or a package manager the driver itself.
func leaf(pid int) int {
	for {
		child := 0
		found, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
		for _, file := range found {
			text, _ := os.ReadFile(file)
			for _, word := range strings.Fields(string(text)) {
				child, _ = strconv.Atoi(word)
			}
		}
		if child == 0 {
			return pid
		}
		pid = child
	}
}

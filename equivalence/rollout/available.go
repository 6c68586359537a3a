package rollout

import (
	"bufio"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// Available returns the bytes of memory that a process can still take: what the
// system has, and what the control groups that it is in leave. Root is the file
// system, os.DirFS("/"). Where nothing says, known is false.
func Available(root fs.FS) (bytes int64, known bool) {
	least := func(n int64, ok bool) {
		if ok && (!known || n < bytes) {
			bytes, known = n, true
		}
	}
	least(memAvailable(root))
	for _, group := range groups(root) {
		least(group.left(root))
	}
	return bytes, known
}

// memAvailable is the kernel's own figure.
func memAvailable(root fs.FS) (int64, bool) {
	file, err := root.Open("proc/meminfo")
	if err != nil {
		return 0, false
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) == 3 && fields[0] == "MemAvailable:" && fields[2] == "kB" {
			n, err := strconv.ParseInt(fields[1], 10, 64)
			return n << 10, err == nil
		}
	}
	return 0, false
}

// A group is a control group, of version 1 or 2: files that say what it may
// have and has.
type group struct{ limit, used string }

// left is what a group may still have; not known where it has no limit.
func (g group) left(root fs.FS) (int64, bool) {
	limit, err := number(root, g.limit)
	if err != nil || limit > 1<<60 { // version 1 says "no limit" so
		return 0, false
	}
	used, err := number(root, g.used)
	if err != nil {
		return 0, false
	}
	return max(0, limit-used), true
}

func number(root fs.FS, name string) (int64, error) {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
}

// groups are those that the process is in, up to the root of their trees.
func groups(root fs.FS) (list []group) {
	text, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3) // number:controllers:path
		if len(fields) != 3 {
			continue
		}
		at, limit, used := "sys/fs/cgroup", "memory.max", "memory.current"
		if fields[1] != "" {
			if fields[1] != "memory" {
				continue
			}
			at, limit, used = "sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"
		}
		for own := path.Clean("/" + fields[2]); ; own = path.Dir(own) {
			folder := path.Join(at, own)
			list = append(list, group{path.Join(folder, limit), path.Join(folder, used)})
			if own == "/" {
				break
			}
		}
	}
	return list
}

// Short says, in a sentence, that memory will not do; empty where it will.
func (e Estimate) Short(available int64) string {
	if e.Memory <= available {
		return ""
	}
	return fmt.Sprintf("it needs about %s of memory and %s are available", mebibytes(e.Memory), mebibytes(available))
}

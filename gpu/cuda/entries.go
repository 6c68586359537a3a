package cuda

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/statespec/statespec/reference/fault"
)

var (
	ptxEntry = regexp.MustCompile(`\.entry\s+([A-Za-z_$%][A-Za-z0-9_$]*)\s*(?:\(([^)]*)\))?`)
	ptxParam = regexp.MustCompile(`^\.param\s+(?:\.align\s+\d+\s+)?\.[bu]64\s+(?:\.ptr\s+[^\[]*)?[A-Za-z_$%][A-Za-z0-9_$]*$`)
	ptxNotes = regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/`)
)

// entries reads the kernels of a PTX text: how many parameters each has. A launch
// hands the CUDA driver an array that it reads that many values from, whatever the
// array holds, so a wrong count must be seen before. Parameters that are not 64-bit
// integers are refused: eight bytes are read for each.
func entries(ptx string) (map[string]int, error) {
	if strings.ContainsRune(ptx, 0) {
		return nil, fault.New(fault.ErrInvalidArgument, "PTX with a zero byte in it: it must be text")
	}
	found := map[string]int{}
	for _, m := range ptxEntry.FindAllStringSubmatch(ptxNotes.ReplaceAllString(ptx, ""), -1) {
		name, list := m[1], strings.TrimSpace(m[2])
		found[name] = 0
		if list == "" {
			continue
		}
		for _, p := range strings.Split(list, ",") {
			p = strings.Join(strings.Fields(p), " ")
			if !ptxParam.MatchString(p) {
				return nil, fault.New(fault.ErrInvalidArgument, "kernel %s has the parameter %q: each must be a 64-bit integer", name, p)
			}
			found[name]++
		}
	}
	if len(found) == 0 {
		return nil, fault.New(fault.ErrInvalidArgument, "PTX of %d bytes without an .entry: it must define a kernel", len(ptx))
	}
	return found, nil
}

// block is the threads of a block, on any device a multiple of its warp.
const block = 256

// maxBlocks is how many blocks a grid has at most along its first axis.
const maxBlocks = 1<<31 - 1

// grid checks a launch against what the text of its module says, and returns the
// blocks. No threads are no work, and no blocks.
func grid(entries map[string]int, kernel string, threads, args int) (blocks int, err error) {
	params, ok := entries[kernel]
	switch {
	case !ok:
		return 0, fault.New(fault.ErrNotFound, "the module has no such kernel")
	case args != params:
		return 0, fault.New(fault.ErrInvalidArgument, "with %d arguments: it takes %d", args, params)
	case threads < 0 || (threads-1)/block >= maxBlocks:
		return 0, fault.New(fault.ErrInvalidArgument, "from 0 to %d threads are possible", maxBlocks*block)
	}
	return (threads + block - 1) / block, nil
}

// launch words a launch for messages.
func launch(kernel string, threads int) string {
	return fmt.Sprintf("launch %s with %d threads", kernel, threads)
}

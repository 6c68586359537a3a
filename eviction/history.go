package eviction

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
	. "github.com/onsi/ginkgo/v2"

	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// call is one call of a history: of the method "session" or "contains".
type call struct {
	thread     int
	start, end time.Duration
	method, id string
	instance   int  // of the session that a session call returned, from 1
	is         bool // what a contains call returned
}

func (c call) String() string {
	answer := fmt.Sprint(c.is)
	if c.method == "session" {
		answer = fmt.Sprintf("session #%d", c.instance)
	}
	return fmt.Sprintf("  thread %d  %9d to %9d ns  %s(%q) = %s", c.thread, c.start, c.end, c.method, c.id, answer)
}

// history is the calls of a race, in the order in which they began.
type history []call

func (h history) String() string {
	lines := make([]string, len(h))
	for i, c := range h {
		lines[i] = c.String()
	}
	return strings.Join(lines, "\n")
}

// of is the calls for one id.
func (h history) of(id string) history {
	return slices.DeleteFunc(slices.Clone(h), func(c call) bool { return c.id != id })
}

// instances is how many sessions the session calls returned.
func (h history) instances() int {
	seen := map[int]bool{}
	for _, c := range h {
		if c.method == "session" {
			seen[c.instance] = true
		}
	}
	return len(seen)
}

// newHistory names the instance behind every session that a race answered with:
// the first handle of one that is met leaves a mark in it, by which the others
// are known. Nothing in the port says of two handles that they are of one thing.
func newHistory(s *op.Client, threads [][]op.Call, race [][]op.Event) history {
	GinkgoHelper()
	var h history
	instances := 0
	for i, events := range race {
		for j, e := range events {
			Do(e.Err)
			asked := threads[i][j]
			c := call{thread: i, start: e.Start, end: e.End, method: asked.Method, id: *asked.Params.Session, is: e.Is}
			if e.Session != nil {
				if c.instance = markOf(e.Session); c.instance == 0 {
					instances++
					c.instance = instances
					if Refused(tryMark(s, e.Session, instances)) {
						CannotTell("a session that was returned cannot be marked, and so not be told from others")
					}
				}
			}
			h = append(h, c)
		}
	}
	slices.SortStableFunc(h, func(a, b call) int { return int(a.start - b.start) })
	return h
}

// beginning is the shortest beginning of a history that a check finds wrong, cut
// where no call was under way: what came later explains nothing of it. It is
// the whole history when none shorter is wrong.
func (h history) beginning(wrong func(history) bool) history {
	var end time.Duration
	for n := 1; n < len(h); n++ {
		end = max(end, h[n-1].end)
		if end < h[n].start && wrong(h[:n]) {
			return h[:n]
		}
	}
	return h
}

// operations is a history as the checker takes it.
func (h history) operations() []porcupine.Operation {
	ops := make([]porcupine.Operation, len(h))
	for i, c := range h {
		ops[i] = porcupine.Operation{ClientId: c.thread, Input: c, Output: c, Call: int64(c.start), Return: int64(c.end)}
	}
	return ops
}

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

// call is one call of a history: of the method "session", "continue",
// "contains", "drop", "stats" or, when all the others are over, "contained",
// which stands for membership tests of all ids.
type call struct {
	thread     int
	start, end time.Duration
	method, id string
	instance   int              // of the session that was returned, from 1; 0 for a continuation that was refused
	is         bool             // what contains or drop answered
	counts     map[string]int64 // what stats answered; of contained: how many are retained
}

func (c call) String() string {
	return fmt.Sprintf("  thread %d  %9d to %9d ns  %s", c.thread, c.start, c.end, c.said())
}

// said is a call and its answer.
func (c call) said() string {
	switch c.method {
	case "stats":
		var figures []string
		for _, name := range []string{"hits", "misses", "evictions", "sessions"} {
			if n, given := c.counts[name]; given {
				figures = append(figures, fmt.Sprintf("%d %s", n, name))
			}
		}
		return "stats() = " + strings.Join(figures, ", ")
	case "contained":
		return fmt.Sprintf("%d of all ids are contained", c.counts["sessions"])
	}
	answer := fmt.Sprint(c.is)
	switch {
	case c.instance > 0:
		answer = fmt.Sprintf("session #%d", c.instance)
	case c.method == "continue":
		answer = "refused"
	}
	return fmt.Sprintf("%s(%q) = %s", c.method, c.id, answer)
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

// instances is how many sessions were returned.
func (h history) instances() int {
	seen := map[int]bool{}
	for _, c := range h {
		if c.instance > 0 {
			seen[c.instance] = true
		}
	}
	return len(seen)
}

// last is when the last call of a history had ended.
func (h history) last() (end time.Duration) {
	for _, c := range h {
		end = max(end, c.end)
	}
	return end
}

// newHistory is what came of a race, with the instance behind every session that
// it answered with.
func newHistory(s *op.Client, threads [][]op.Call, race [][]op.Event) history {
	GinkgoHelper()
	var h history
	marks := marker{s: s, drops: drops(threads)}
	for i, events := range race {
		for j, e := range events {
			asked := threads[i][j]
			c := call{thread: i, start: e.Start, end: e.End, method: asked.Method, is: e.Is, counts: e.Stats.Counts}
			if asked.Params.Session != nil {
				c.id = *asked.Params.Session
			}
			switch {
			case c.method == "continue" && Refused(e.Err):
			case e.Err != nil:
				Do(e.Err)
			case e.Session != nil:
				c.instance = marks.of(e.Session)
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
		ops[i] = porcupine.Operation{ClientId: c.thread, Input: c, Call: int64(c.start), Return: int64(c.end)}
	}
	return ops
}

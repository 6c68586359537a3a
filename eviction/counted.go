package eviction

import (
	"fmt"
	"slices"
	"time"

	"github.com/anishathalye/porcupine"
	. "github.com/onsi/ginkgo/v2"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// counted is stats in the middle of concurrent requests.
//
// Each figure is judged by itself. That hits and misses, or hits and what the
// table answers, are of one moment is promised nowhere (a subject that claims
// snapshots promises it of bytes, EVI-14.snapshot): a manager may look a session
// up, and count that in another place, a moment later. What binds a figure is
// that nothing is counted before its call begins or after it ended, and that all
// is counted once: an order of these moments has to explain what stats reads.
func counted(open Open) {
	It("counts hits, misses and evictions as some order of concurrent requests would have", Promise("EVI-13.counters"), func(ctx SpecContext) {
		t := talk{cap: 2, ids: 4, each: 10, methods: []string{"session", "session", "session", "stats"}}
		t.expectFigures(open.Subject(ctx),
			tracked{"hits", history.hits, counting("hits")},
			tracked{"misses", history.misses, counting("misses")},
			tracked{"evictions", func(h history) []change { return h.evictions(t.cap) }, counting("evictions")})
	})

	It("says how many sessions are retained as some order of concurrent requests would have", Promise("EVI-13.linearizable"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		t := talk{cap: 2, ids: 3, each: 10, methods: []string{"session", "session", "stats"}}
		if can(s, spec.CanDrop) {
			t.methods = append(t.methods, "drop")
		}
		t.expectFigures(s, tracked{"sessions", history.comings, filling("sessions", t.cap)})
	})
}

// tracked is a figure of stats, what changes it, and how.
type tracked struct {
	name    string
	changes func(history) []change
	model   porcupine.Model
}

// expectFigures judges figures of a talk. One that is wrong with a single caller
// already is other rows' to ask.
func (t talk) expectFigures(s *op.Client, figures ...tracked) {
	GinkgoHelper()
	given := Must(manager(s, t.cap).Stats()).Counts
	figures = slices.DeleteFunc(figures, func(f tracked) bool { _, ok := given[f.name]; return !ok })
	if len(figures) == 0 {
		Unclaimed("stats gives no such figure")
	}
	asked := slices.DeleteFunc(figures, func(f tracked) bool { return !f.right(s, t) })
	if len(asked) == 0 {
		CannotTell("no such figure of stats is right when one caller asks")
	}
	judge := judge{patience}
	races(histories, func(k int) (int, int) {
		h, overlapped := t.together(s, k)
		for _, f := range asked {
			wrong := func(h history) bool { return judge.of(f.model, f.operations(h)) == porcupine.Illegal }
			switch judge.of(f.model, f.operations(h)) {
			case porcupine.Illegal:
				begin := h.beginning(wrong)
				picture(fmt.Sprintf("%s-%d.html", f.name, k), f.model, f.operations(begin))
				Fail(fmt.Sprintf("no order of these calls explains %s, at a cap of %d (the beginning of history %d of seed %d, %d of %d calls):\n%v",
					f.name, t.cap, k, GinkgoRandomSeed(), len(begin), len(h), begin))
			case porcupine.Unknown:
				CannotTell("%s of history %d of seed %d were not judged: %v were not enough for all of them", f.name, k, GinkgoRandomSeed(), patience)
			}
		}
		return overlapped, len(h)
	})
}

// right says whether a figure is, when one caller asks.
func (f tracked) right(s *op.Client, t talk) bool {
	GinkgoHelper()
	judge := judge{patience}
	for k := range 6 {
		if judge.of(f.model, f.operations(t.alone(s, k))) != porcupine.Ok {
			return false
		}
	}
	return true
}

// operations are the calls that read a figure, by their threads, and beside them
// what changed it, on lines where nothing overlaps.
func (f tracked) operations(h history) (ops []porcupine.Operation) {
	for _, c := range h {
		if c.method == "stats" || c.method == "contained" {
			ops = append(ops, porcupine.Operation{ClientId: c.thread, Input: c, Call: int64(c.start), Return: int64(c.end)})
		}
	}
	var lines []time.Duration // when the last change of each ended
	for _, c := range f.changes(h) {
		at := slices.IndexFunc(lines, func(end time.Duration) bool { return end < c.from })
		if at < 0 {
			at = len(lines)
			lines = append(lines, 0)
		}
		lines[at] = c.to
		ops = append(ops, porcupine.Operation{ClientId: callers + at, Input: c, Call: int64(c.from), Return: int64(c.to)})
	}
	return ops
}

// counting is a figure that every change makes greater by one.
func counting(name string) porcupine.Model {
	return figuring(name, func(n int64, _ change) []int64 { return []int64{n + 1} })
}

// filling is the number of sessions retained at a cap. A miss is one more, or
// one for another; which it was depends on the table, and that is not asked
// here.
func filling(name string, cap int) porcupine.Model {
	return figuring(name, func(n int64, c change) []int64 {
		switch {
		case c.what == "drop" && n == 0:
			return nil
		case c.what == "drop":
			return []int64{n - 1}
		case n == int64(cap):
			return []int64{n}
		}
		return []int64{n, n + 1}
	})
}

// figuring is the model of a figure: what it may be after a change, and what is
// read. A figure that is not among those read is never right, except that
// membership tests know of sessions alone.
func figuring(name string, after func(int64, change) []int64) porcupine.Model {
	m := porcupine.NondeterministicModel{
		Init: func() []any { return []any{int64(0)} },
		Step: func(state, in, _ any) (next []any) {
			n := state.(int64)
			switch in := in.(type) {
			case call:
				if v, ok := in.counts[name]; v == n && ok || !ok && in.method == "contained" {
					next = append(next, n)
				}
			case change:
				for _, n := range after(n, in) {
					next = append(next, n)
				}
			}
			return next
		},
		DescribeOperation: func(in, _ any) string {
			if c, ok := in.(call); ok {
				return c.said()
			}
			return "a " + in.(change).what
		},
		DescribeState: func(state any) string { return fmt.Sprintf("%s %d", name, state) },
	}
	return m.ToModel()
}

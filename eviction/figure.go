package eviction

import (
	"fmt"
	"math"
	"slices"
	"time"

	. "github.com/onsi/ginkgo/v2"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// figure is what stats answers during writes: bytes that were there.
//
// One thread writes, so that the order of writes is known; the bytes after each
// of them are those that the same subject gives when stats is asked between
// them, so that how bytes are counted is not asked here.
func figure(open Open) {
	// With one session in the manager, the total is the session's figure.
	It("gives a session's bytes as they were at some time during the call", Promise("EVI-14.figure"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		bulk, x, y := bulky(s), tensors(s, 5, block), tensors(s, 7, 8*block)
		expectFigures(s, false, 20, func(m spec.Manager) (writes []op.Call) {
			session := Must(m.Session("a"))
			Do(session.SetAttr("x", x[0]))
			Do(session.SetAttr("bulk", bulk))
			Do(session.SetAttr("y", y[0]))
			for i := range len(x) * len(y) {
				writes = append(writes, op.WriteAttr(session, "y", y[(i+1)%len(y)]), op.WriteAttr(session, "x", x[(i+1)%len(x)]))
			}
			return writes
		})
	})

	It("gives a session's bytes as they were when objects are committed to", Promise("EVI-14.figure"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		kind := stateKinds(s)[0]
		bulk, x := bulky(s), tensors(s, 5, 512*block)
		small, large := Must(s.Make(spec.Tensor("uint8", 1, 1, block))), Must(s.Make(spec.Tensor("uint8", 2, 1, 3*block)))
		expectFigures(s, false, 1, func(m spec.Manager) (writes []op.Call) {
			session := Must(m.Session("a"))
			Do(session.SetAttr("bulk", bulk))
			one, other := Must(session.Ensure("one", Roomy(kind))), Must(session.Ensure("other", Roomy(kind)))
			for i := range 120 {
				writes = append(writes, op.CommitTo(one, small), op.WriteAttr(session, "x", x[i%len(x)]), op.CommitTo(other, large))
			}
			return writes
		})
	})

	// Two sessions, written in turn by one thread: every consistent cut of them
	// is what they held after some number of its writes. The sizes tell every
	// pair of figures from every other, and so a cut from a sum over moments.
	It("gives totals that are one cut over sessions written in turn", Promise("EVI-14.snapshot"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		bulk, fine, coarse := bulky(s), tensors(s, 15, block), tensors(s, 15, 16*block)
		expectFigures(s, true, 100, func(m spec.Manager) (writes []op.Call) {
			a, between, b := Must(m.Session("a")), Must(m.Session("between")), Must(m.Session("b"))
			Do(a.SetAttr("x", fine[0]))
			Do(between.SetAttr("bulk", bulk))
			Do(b.SetAttr("x", coarse[0]))
			for i := range 15 {
				writes = append(writes, op.WriteAttr(a, "x", fine[(i+1)%15]), op.WriteAttr(b, "x", coarse[(i+1)%15]))
			}
			return writes
		})
	})
}

// block is a size that no allocator rounds up: the sizes that tell figures apart
// are multiples of it.
const block = 512

// figured is a manager whose figures are watched; with a snapshot, one whose
// totals are to be one cut over all sessions, where that is a choice.
func figured(s *op.Client, snapshot bool) spec.Manager {
	GinkgoHelper()
	return Must(s.NewManager(spec.ManagerSpec{Cap: new(4), Snapshot: snapshot, Attrs: Attrs("bulk", "x", "y", "mark")}))
}

// bulky is a value that takes a while to count: a walk that meets it between two
// others gives a writer the time to change both.
func bulky(s *op.Client) spec.Value {
	GinkgoHelper()
	return Must(s.Make(spec.List(slices.Repeat(tensors(s, 20, 8), 20)...)))
}

// tensors are n tensors of one, two and more times a number of bytes.
func tensors(s *op.Client, n, bytes int) []spec.Value {
	GinkgoHelper()
	vs := make([]spec.Value, n)
	for i := range vs {
		vs[i] = Must(s.Make(spec.Tensor("uint8", uint64(i), (i+1)*bytes)))
	}
	return vs
}

// expectFigures races one thread's writes with stats: each total is one that was
// there during the call. The writes are made afresh for each manager, and carried
// out so many times over: what they begin with they end with. They are the
// quicker by far, and have to last for as long as stats is asked.
func expectFigures(s *op.Client, snapshot bool, times int, writes func(spec.Manager) []op.Call) {
	GinkgoHelper()
	figures := figuresAlone(s, snapshot, writes)
	if times > 1 && figures[0] != figures[len(figures)-1] {
		CannotTell("total_nbytes = %d before and %d after writes that end as they began", figures[0], figures[len(figures)-1])
	}
	figures = append(figures[:1], slices.Repeat(figures[1:], times)...)
	races(6, func(int) (int, int) {
		m := figured(s, snapshot)
		race := Must(s.Race(slices.Repeat(writes(m), times), looking(m, 150)))
		wrote, looked := race[0], race[1]
		for i, e := range slices.Concat(wrote, looked) {
			if e.Err != nil {
				CannotTell("call %d of a thread that writes and one that asks for stats was refused: %v", i, e.Err)
			}
		}
		for i, e := range looked {
			if had := figuresDuring(e, wrote, figures); !slices.Contains(had, e.Stats.Total()) {
				Fail(fmt.Sprintf("total_nbytes of stats call %d, from %v to %v, beside one thread's writes = %d, want one of %s, the figures of that time",
					i, e.Start, e.End, e.Stats.Total(), some(had)))
			}
		}
		return during(looked, wrote), len(looked)
	})
}

// figuresAlone are the totals before the first write and after each, when
// nothing else runs.
func figuresAlone(s *op.Client, snapshot bool, writes func(spec.Manager) []op.Call) []int64 {
	GinkgoHelper()
	m := figured(s, snapshot)
	calls := []op.Call{}
	for _, w := range writes(m) {
		calls = append(calls, op.ReadStats(m), w)
	}
	calls = append(calls, op.ReadStats(m))
	var figures []int64
	for i, e := range Must(s.Race(calls))[0] {
		Do(e.Err)
		if i%2 == 0 {
			figures = append(figures, e.Stats.Total())
		}
	}
	if slices.Min(figures) == slices.Max(figures) {
		CannotTell("total_nbytes = %d after every one of %d writes of other sizes", figures[0], len(figures)-1)
	}
	return figures
}

// figuresDuring are the figures that can have been there during a call: the k-th
// from the start of the k-th write at the earliest to the end of the next at the
// latest.
func figuresDuring(e op.Event, wrote []op.Event, figures []int64) (had []int64) {
	for k, f := range figures {
		from, to := time.Duration(math.MinInt64), time.Duration(math.MaxInt64)
		if k > 0 {
			from = wrote[k-1].Start
		}
		if k < len(wrote) {
			to = wrote[k].End
		}
		if from <= e.End && e.Start <= to {
			had = append(had, f)
		}
	}
	return had
}

// some is a list of figures, each once, cut to what somebody reads.
func some(figures []int64) string {
	const most = 12
	each := slices.Compact(slices.Sorted(slices.Values(figures)))
	if len(each) <= most {
		return fmt.Sprint(each)
	}
	return fmt.Sprintf("%v and %d more", each[:most], len(each)-most)
}

package eviction

import (
	"cmp"
	"slices"
	"time"
)

// change is one step of a figure: something that is counted, at some moment of a
// time.
type change struct {
	from, to time.Duration
	what     string // "hit", "miss", "eviction", "drop"
}

// Each hit, miss and eviction is counted once, at some moment of the call that
// it came with. Which of several calls for one new session was the miss is not
// to be seen, nor which misses evicted. What is known is how many did, and so the
// times are those that hold for the first, the second and so on of them,
// whichever calls they came with: never shorter than the true ones.

// misses are one for each session that was made: in one of the calls that it
// was returned by, and that had begun when the first of them was over.
func (h history) misses() (all []change) {
	for _, calls := range h.byInstance() {
		makers := makers(calls)
		all = append(all, change{makers[0].start, slices.MaxFunc(makers, later).end, "miss"})
	}
	return all
}

// hits are all other calls that returned a session.
func (h history) hits() (all []change) {
	for _, calls := range h.byInstance() {
		n := len(makers(calls))
		for _, c := range calls[n:] {
			all = append(all, change{c.start, c.end, "hit"})
		}
		all = append(all, inTurn(calls[:n], 1, "hit")...)
	}
	return all
}

// evictions are one for each miss after those that found a place, when nothing
// was dropped.
func (h history) evictions(places int) []change {
	misses := h.misses()
	begins, ends := times(misses)
	all := []change{}
	for i := places; i < len(misses); i++ {
		all = append(all, change{begins[i], ends[i], "eviction"})
	}
	return all
}

// comings are misses, and drops that found a session.
func (h history) comings() []change {
	all := h.misses()
	for _, c := range h {
		if c.method == "drop" && c.is {
			all = append(all, change{c.start, c.end, "drop"})
		}
	}
	return all
}

// byInstance is the calls that returned a session, for each session.
func (h history) byInstance() (by [][]call) {
	at := map[int]int{}
	for _, c := range h {
		if c.instance == 0 {
			continue
		}
		if _, met := at[c.instance]; !met {
			at[c.instance] = len(by)
			by = append(by, nil)
		}
		by[at[c.instance]] = append(by[at[c.instance]], c)
	}
	return by
}

// makers are those of a session's calls that may have made it: no call that had
// begun after another was answered. The calls are in the order in which they
// began.
func makers(calls []call) []call {
	first := slices.MinFunc(calls, later).end
	n := slices.IndexFunc(calls, func(c call) bool { return c.start > first })
	if n < 0 {
		n = len(calls)
	}
	return calls[:n]
}

func later(a, b call) int { return cmp.Compare(a.end, b.end) }

// inTurn are the times of all but so many of some calls that were under way
// together, when it is not known which are left out: the first of the rest had
// begun when one had, and it ended before all but one had ended.
func inTurn(calls []call, without int, what string) (all []change) {
	changes := make([]change, len(calls))
	for i, c := range calls {
		changes[i] = change{from: c.start, to: c.end}
	}
	begins, ends := times(changes)
	for i := without; i < len(calls); i++ {
		all = append(all, change{begins[i-without], ends[i], what})
	}
	return all
}

// times are the begins and the ends of changes, each in order.
func times(changes []change) (begins, ends []time.Duration) {
	for _, c := range changes {
		begins, ends = append(begins, c.from), append(ends, c.to)
	}
	slices.Sort(begins)
	slices.Sort(ends)
	return begins, ends
}

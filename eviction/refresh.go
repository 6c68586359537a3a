package eviction

import (
	"fmt"
	"slices"

	. "github.com/onsi/ginkgo/v2"

	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// A refresh is a trace whose last request is a hit, and what the same subject
// retains of its sessions without that hit. Whom a table gives up is not asked
// here, so what is due comes from the subject too: the sessions asked for once
// each, in the order that the hit should have brought them into.
type refresh struct {
	s     *op.Client
	cap   int
	trace trace
}

// expectRefreshed asks that the last request of traces, a hit, makes its session
// the most recent. It ends the spec when no trace could show that.
func expectRefreshed(s *op.Client, n int, traces ...trace) {
	GinkgoHelper()
	decided := false
	for _, t := range traces {
		decided = refresh{s, n, t}.told() || decided
	}
	if !decided {
		CannotTell("at a cap of %d the order of requests does not change which of their sessions are retained", n)
	}
}

// told fails when the hit did not make its session the most recent, and says
// whether the trace can tell: whether the order matters to this manager, and the
// last request was a hit.
func (r refresh) told() (decided bool) {
	GinkgoHelper()
	last := r.trace[len(r.trace)-1]
	before := r.trace[:len(r.trace)-1]
	if !slices.Contains(r.left(before, 0), last) {
		return false // it is no hit: the manager gave it up before
	}
	ignored, moves := true, 0 // moves: of new sessions, how many show where the hit should have moved it
	for more := range 2*r.cap + 1 {
		got, due, without := r.left(r.trace, more), r.left(r.order(), more), r.left(before, more)
		if slices.Contains(due, last) && !slices.Contains(got, last) {
			r.fail(more, got, due)
		}
		if moves == 0 && !slices.Equal(due, without) {
			moves = more
		}
		ignored = ignored && slices.Equal(got, without)
	}
	if moves > 0 && ignored {
		r.fail(moves, r.left(r.trace, moves), r.left(r.order(), moves))
	}
	return moves > 0
}

// order is the trace's sessions, once each, the one asked for last at the end.
func (r refresh) order() (t trace) {
	for i, id := range r.trace {
		if !slices.Contains(r.trace[i+1:], id) {
			t = append(t, id)
		}
	}
	return t
}

// left is which of the trace's sessions a new manager retains after requests and
// a number of new sessions.
func (r refresh) left(requests trace, more int) []string {
	GinkgoHelper()
	m := manager(r.s, r.cap)
	visit(m, slices.Concat(requests, names(more))...)
	return retained(m, slices.Sorted(slices.Values(r.trace.ids()))...)
}

// fail fails the spec, unless the manager chooses anew each time: then nothing
// is known of what a hit does.
func (r refresh) fail(more int, got, due []string) {
	GinkgoHelper()
	for range 8 {
		if !slices.Equal(r.left(r.trace, more), got) || !slices.Equal(r.left(r.order(), more), due) {
			CannotTell("after %v and %d new sessions, a manager of %d does not retain the same sessions each time", r.trace, more, r.cap)
		}
	}
	Fail(fmt.Sprintf("retained after %v and %d new sessions at a cap of %d = %q, want %q as after %v: the hit has to make %q the most recent",
		r.trace, more, r.cap, got, due, r.order(), r.trace[len(r.trace)-1]))
}

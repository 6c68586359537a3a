package eviction

import (
	"fmt"
	"slices"

	. "github.com/onsi/ginkgo/v2"

	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// replacement is the manager as the bounded cache that it replaces.
func replacement(open Open) {
	for _, n := range []int{1, 2, 3} {
		It(fmt.Sprintf("retains what a cache of %d does, after every prefix of a trace", n), Promise("EVI-08"), func(ctx SpecContext) {
			expectReplaced(open.Subject(ctx), n, short(GinkgoRandomSeed(), n))
		})
	}
	for _, n := range []int{3, 64} {
		It(fmt.Sprintf("retains what a cache of %d does, after long traces", n), Promise("EVI-08"), func(ctx SpecContext) {
			expectReplaced(open.Subject(ctx), n, long(GinkgoRandomSeed(), n))
		})
	}
}

// expectReplaced plays prefixes of traces, each on a manager of its own and on
// the oracle.
func expectReplaced(s *op.Client, n int, samples []sample) {
	GinkgoHelper()
	for _, from := range samples {
		for _, cut := range from.cuts {
			if c := compare(s, n, from.trace[:cut]); c.wrong() {
				Fail(shrunk(s, n, c) + fmt.Sprintf("\n(trace %d of seed %d, %d requests at a cap of %d)", from.k, GinkgoRandomSeed(), cut, n))
			}
		}
	}
}

// shrunk tells of a comparison that went wrong by the shortest trace that is
// cheap to find.
func shrunk(s *op.Client, n int, c comparison) string {
	GinkgoHelper()
	t := shrink(c.trace, 20_000, func(t trace) bool { return compare(s, n, t).wrong() })
	if again := compare(s, n, t); again.wrong() {
		return again.String()
	}
	return c.String() + "\nnot so when it was played again"
}

// compare asks a new manager for a trace and then, once, for what it retains.
// Where stats shows the order, that is compared too, of the right members.
func compare(s *op.Client, n int, t trace) comparison {
	GinkgoHelper()
	m, ids := manager(s, n), t.ids()
	visit(m, t...)
	order := Must(m.Stats()).Retained
	c := comparison{trace: t, got: retained(m, ids...), want: after(n, t)}
	slices.SortFunc(c.got, byFirst(c.want))
	if !c.wrong() && len(order) > 0 {
		c.got, c.ordered = order, true
	}
	LetGo(m)
	return c
}

// byFirst orders ids as a list has them, those that it lacks last.
func byFirst(list []string) func(a, b string) int {
	at := func(id string) int {
		if i := slices.Index(list, id); i >= 0 {
			return i
		}
		return len(list)
	}
	return func(a, b string) int { return at(a) - at(b) }
}
